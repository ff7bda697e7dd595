//! The patch items that a dispatcher needs: what goes into a thread's registers, and how memory is bound.
//!
//! Source: Intel graphics compiler, release igc-1.0.12504.6, `patch_list.h`, `patch_shared.h`, `patch_g7.h`; read from the binaries of the
//! corpus and checked by running them.

use super::word;

/// A value that the dispatcher writes into the cross-thread data (patch token 17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataParameter {
    /// The kind of value: a code of the compiler.
    pub kind: u32,
    /// The kernel argument that it describes.
    pub argument: u32,
    /// Byte offset in the cross-thread data.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Byte offset in the argument, dimension times 4, or alignment: depends on `kind`.
    pub source: u32,
}

/// A pointer in the cross-thread data, with the surface state of what it points at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pointer {
    /// The kernel argument (tokens 30, 31), or the number of the program's block (43, 44) or of the buffer (33).
    pub argument: u32,
    /// Offset of the RENDER_SURFACE_STATE in the surface state heap.
    pub surface_offset: u32,
    /// Byte offset in the cross-thread data.
    pub data_offset: u32,
    /// Bytes of the pointer.
    pub data_size: u32,
    /// Private memory: bytes for each work item.
    pub per_item: u32,
}

/// What is in a thread's registers before the code runs (patch token 22).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadPayload {
    /// Local ids in each dimension.
    pub local_ids: [bool; 3],
    /// If there are no local ids, an unused register takes their place.
    pub unused_register: bool,
}

/// What the patch items say about the dispatch of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dispatch {
    /// Values of the cross-thread data.
    pub parameters: Vec<DataParameter>,
    /// Bytes of the cross-thread data (patch token 25).
    pub constant_bytes: u32,
    /// Global and constant pointers (30, 31).
    pub pointers: Vec<Pointer>,
    /// The program's constants (44).
    pub constants: Option<Pointer>,
    /// The program's variables (43).
    pub globals: Option<Pointer>,
    /// Private memory (38).
    pub private: Option<Pointer>,
    /// The printf buffer (33).
    pub printf: Option<Pointer>,
    /// Strings of printf, by number (28).
    pub strings: Vec<(u32, String)>,
    /// Thread payload.
    pub payload: ThreadPayload,
    /// Bytes of local variables (15).
    pub local_bytes: u32,
    /// Bytes of scratch for each thread (18).
    pub scratch_bytes: u32,
    /// Required size of a work group; 0 = any (23).
    pub required_group: [u32; 3],
    /// The kernel has barriers (23).
    pub barriers: bool,
}

impl Dispatch {
    /// Takes over the values of a patch item.
    pub(super) fn patch(&mut self, token: u32, payload: &[u8]) {
        let w = |index| word(payload, index);
        let pointer = |argument, surface, data, size| Pointer {
            argument: w(argument),
            surface_offset: w(surface),
            data_offset: w(data),
            data_size: w(size),
            per_item: 0,
        };
        match token {
            15 => self.local_bytes = w(1),
            17 => self.parameters.push(DataParameter {
                kind: w(0),
                argument: w(1),
                offset: w(2),
                size: w(3),
                source: w(4),
            }),
            18 => self.scratch_bytes = self.scratch_bytes.max(w(1)),
            22 => {
                self.payload = ThreadPayload {
                    local_ids: [w(1) != 0, w(2) != 0, w(3) != 0],
                    unused_register: w(6) != 0,
                };
            }
            23 => {
                self.required_group = [w(0), w(1), w(2)];
                self.barriers = w(5) != 0;
            }
            25 => self.constant_bytes = w(0),
            28 => {
                let bytes = payload.get(8..).unwrap_or_default();
                let text = bytes.get(..w(1) as usize).unwrap_or(bytes);
                self.strings.push((w(0), super::text(text)));
            }
            30 | 31 => self.pointers.push(pointer(0, 1, 2, 3)),
            33 => self.printf = Some(pointer(0, 1, 2, 3)),
            38 => {
                // This item has no index: surface state, data offset and size, bytes of a work item.
                self.private = Some(Pointer {
                    argument: 0,
                    surface_offset: w(0),
                    data_offset: w(1),
                    data_size: w(2),
                    per_item: w(3),
                });
            }
            43 => self.globals = Some(pointer(0, 1, 2, 3)),
            44 => self.constants = Some(pointer(0, 1, 2, 3)),
            _ => {}
        }
    }
}
