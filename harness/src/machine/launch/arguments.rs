//! The values of kernel arguments, and the surface formats of OpenCL's image formats.

use super::SamplerValue;
use crate::containers::picture::Picture;
use texwire::enums::{Enumeration, SurfaceFormat};

/// The value of a kernel argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A value passed by value: its bytes, as in memory.
    Scalar(Vec<u8>),
    /// A buffer with these contents.
    Buffer(Vec<u8>),
    /// A pointer to local memory of this many bytes.
    Local(u32),
    /// An image.
    Image(Box<ImageValue>),
    /// A sampler.
    Sampler(SamplerValue),
    /// A null pointer.
    Null,
}

/// An image argument: its texels, and the channel order and data type that kernels can query.
#[derive(Clone, Debug)]
pub struct ImageValue {
    /// The texels.
    pub picture: Picture,
    /// Channel order: OpenCL's number.
    pub order: u32,
    /// Channel data type: OpenCL's number.
    pub data_type: u32,
}

/// Channel orders: OpenCL's name (without `CL_`) and number, and the channels in the names of surface formats.
const ORDERS: [(&str, u32, &str); 10] = [
    ("R", 0x10b0, "R"),
    ("A", 0x10b1, "A"),
    ("RG", 0x10b2, "RG"),
    ("RGBA", 0x10b5, "RGBA"),
    ("BGRA", 0x10b6, "BGRA"),
    ("INTENSITY", 0x10b8, "I"),
    ("LUMINANCE", 0x10b9, "L"),
    ("DEPTH", 0x10bd, "R"),
    ("sRGBA", 0x10c1, "RGBA"),
    ("sBGRA", 0x10c2, "BGRA"),
];

/// Channel data types: OpenCL's name (without `CL_`) and number; bits and kind of a channel in the names of surface formats.
const DATA_TYPES: [(&str, u32, u32, &str); 12] = [
    ("SNORM_INT8", 0x10d0, 8, "SNORM"),
    ("SNORM_INT16", 0x10d1, 16, "SNORM"),
    ("UNORM_INT8", 0x10d2, 8, "UNORM"),
    ("UNORM_INT16", 0x10d3, 16, "UNORM"),
    ("SIGNED_INT8", 0x10d7, 8, "SINT"),
    ("SIGNED_INT16", 0x10d8, 16, "SINT"),
    ("SIGNED_INT32", 0x10d9, 32, "SINT"),
    ("UNSIGNED_INT8", 0x10da, 8, "UINT"),
    ("UNSIGNED_INT16", 0x10db, 16, "UINT"),
    ("UNSIGNED_INT32", 0x10dc, 32, "UINT"),
    ("HALF_FLOAT", 0x10dd, 16, "FLOAT"),
    ("FLOAT", 0x10de, 32, "FLOAT"),
];

/// Returns the surface format for a channel order and a data type (OpenCL names without `CL_`), and OpenCL's numbers of both; `None` if
/// a name is unknown or no surface format fits.
pub fn image_format(order: &str, data_type: &str) -> Option<(SurfaceFormat, u32, u32)> {
    let (_, order_code, channels) = ORDERS.iter().find(|(known, ..)| *known == order)?;
    let (_, type_code, bits, kind) = DATA_TYPES.iter().find(|(known, ..)| *known == data_type)?;
    // Integers have one to four channels of their own.
    if kind.ends_with("INT") && !channels.starts_with('R') {
        return None;
    }
    let curve = if order.starts_with('s') { "_SRGB" } else { "" };
    let channels: String = channels.chars().map(|channel| format!("{channel}{bits}")).collect();
    Some((SurfaceFormat::from_name(&format!("{channels}_{kind}{curve}"))?, *order_code, *type_code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surface_formats_of_image_formats() {
        let formats =
            |order| DATA_TYPES.iter().filter_map(move |(kind, ..)| image_format(order, kind)).count();
        let counts = ORDERS.map(|(order, ..)| (order, formats(order)));
        let all = [("R", 12), ("A", 4), ("RG", 12), ("RGBA", 12), ("BGRA", 1)];
        let others = [("INTENSITY", 4), ("LUMINANCE", 4), ("DEPTH", 12), ("sRGBA", 1), ("sBGRA", 1)];
        assert_eq!(counts[..], [all, others].concat());
        let format = |order, kind| image_format(order, kind).map(|(format, ..)| format);
        assert_eq!(format("RG", "HALF_FLOAT"), Some(SurfaceFormat::R16G16_FLOAT));
        assert_eq!(format("sBGRA", "UNORM_INT8"), Some(SurfaceFormat::B8G8R8A8_UNORM_SRGB));
        assert_eq!(format("LUMINANCE", "SIGNED_INT8"), None);
    }
}
