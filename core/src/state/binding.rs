//! Binding table entries and the pointers of INTERFACE_DESCRIPTOR_DATA, which lead from a
//! message's surface and sampler indices to the states.

use super::field::{Offset, Raw};

state! {
    /// BINDING_TABLE_STATE: one entry of a binding table; entry `i` belongs to binding table index `i`.
    BindingTableEntry: 1 dwords;

    surface_offset / set_surface_offset: Offset<u32, 6> => 0[31..=6], "Surface State Pointer" = "The surface state's byte offset from surface state base, a multiple of 64.";
}

impl BindingTableEntry {
    /// Returns the entry's low six bits, which must be 0.
    pub fn low_bits(&self) -> u32 {
        self.dwords[0] & 0x3f
    }
}

state! {
    /// INTERFACE_DESCRIPTOR_DATA: the table pointers of compute threads (dwords 3 and 4). The other
    /// dwords are kept, without accessors.
    InterfaceDescriptor: 8 dwords;

    sampler_count / set_sampler_count: Raw<u32> => 3[4..=2], "Sampler Count" = "Samplers (compilers store the plain count; the PRM speaks of groups of four).";
    sampler_table / set_sampler_table: Offset<u32, 5> => 3[31..=5], "Sampler State Pointer" = "The sampler state table's byte offset from dynamic state base, a multiple of 32.";
    binding_count / set_binding_count: Raw<u32> => 4[4..=0], "Binding Table Entry Count" = "Entries of the binding table.";
    binding_table / set_binding_table: Offset<u32, 5> => 4[15..=5], "Binding Table Pointer" = "The binding table's byte offset from surface state base, a multiple of 32.";
}

impl InterfaceDescriptor {
    /// The byte offset of sampler `index` from dynamic state base.
    pub fn sampler_offset(&self, index: u32) -> u32 {
        self.sampler_table().wrapping_add(index.wrapping_mul(16))
    }

    /// The byte offset of binding table entry `index` from surface state base.
    pub fn entry_offset(&self, index: u32) -> u32 {
        self.binding_table().wrapping_add(index.wrapping_mul(4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A descriptor as Intel's OpenCL compiler emits it: three samplers at 0x40, a binding table of two entries at 0x80.
    #[test]
    fn compiled_descriptor() {
        let mut descriptor = InterfaceDescriptor::default();
        descriptor.dwords[3] = 0x4c;
        descriptor.dwords[4] = 0x82;
        assert_eq!((descriptor.sampler_table(), descriptor.sampler_count()), (0x40, 3));
        assert_eq!((descriptor.binding_table(), descriptor.binding_count()), (0x80, 2));
        assert_eq!((descriptor.sampler_offset(2), descriptor.entry_offset(1)), (0x60, 0x84));
        let mut written = InterfaceDescriptor::default();
        written.set_sampler_table(0x40).set_sampler_count(3).set_binding_table(0x80).set_binding_count(2);
        assert_eq!(written, descriptor);
    }

    #[test]
    fn entries_are_offsets() {
        let entry = BindingTableEntry { dwords: [0x1240] };
        assert_eq!((entry.surface_offset(), entry.low_bits()), (0x1240, 0));
    }
}
