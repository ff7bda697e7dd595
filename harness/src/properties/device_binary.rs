//! Properties of the containers of messages.

use crate::containers::{cubin, device_binary::DeviceBinary};
use crate::generators::device_binary as generate;
use arbitrary::Unstructured;

/// Fuzz target `device_binary`: any bytes are parsed, or refused with an offset inside them; a well-formed file has the contents that were
/// written to it; a damaged one has only kernels that lie inside it; any bytes, read as a cubin, have only sections inside them.
pub fn device_binary(data: &[u8]) {
    any(data);
    if let Ok(sections) = cubin::code_sections(data) {
        assert!(sections.iter().all(|code| code.bytes.len() <= data.len()));
    }
    let mut u = Unstructured::new(data);
    let Ok(mut file) = generate::device_binary(&mut u) else { return };
    whole(&file);
    for _ in 0..4 {
        let (Ok(at), Ok(byte)) = (u.choose_index(file.bytes.len()), u.arbitrary()) else { break };
        file.bytes[at] = byte;
        any(&file.bytes);
    }
    if let Ok(cut) = u.choose_index(file.bytes.len()) {
        any(&file.bytes[..cut]);
    }
}

fn any(bytes: &[u8]) {
    let binary = match DeviceBinary::parse(bytes) {
        Ok(binary) => binary,
        Err(damage) => return assert!(damage.offset <= bytes.len() && !damage.why.is_empty(), "{damage}"),
    };
    if let Some(damage) = &binary.damage {
        assert!(damage.offset <= bytes.len(), "{damage}");
    }
    for kernel in &binary.kernels {
        for heap in [&kernel.heap, &kernel.general, &kernel.dynamic, &kernel.surface] {
            assert!(heap.start <= heap.end && heap.end <= bytes.len(), "{heap:?} outside the file");
            assert_eq!(binary.heap(heap).len(), heap.len());
        }
        assert!(kernel.heap.len() <= kernel.padded);
    }
}

fn whole(file: &generate::GeneratedBinary) {
    let binary = DeviceBinary::parse(&file.bytes).unwrap();
    assert_eq!((binary.damage.as_ref(), binary.device), (None, file.device));
    assert_eq!(binary.kernels.len(), file.kernels.len());
    for (read, put) in binary.kernels.iter().zip(&file.kernels) {
        assert_eq!((&read.name, binary.heap(&read.heap)), (&put.name, put.code.as_slice()));
        let heaps = [&read.general, &read.dynamic, &read.surface].map(|heap| binary.heap(heap).to_vec());
        assert_eq!(heaps, put.heaps);
        assert_eq!(read.sampler_states.map(|table| table.count), put.samplers);
        assert_eq!(read.binding_table.map(|table| table.count), put.bindings);
        // Short image items, which come later, are parsed as image arguments, too.
        let images: Vec<_> = read.images.iter().map(|image| (image.argument, image.kind.0)).collect();
        assert!(images.starts_with(&put.images), "{images:?}");
    }
}
