//! The values of kernel arguments, and the surface formats of OpenCL's image formats.

use super::SamplerValue;
use crate::containers::picture::Picture;
use texwire::enums::SurfaceFormat;

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

/// Channel orders: OpenCL's name (without `CL_`) and number.
const ORDERS: [(&str, u32); 10] = [
    ("R", 0x10b0),
    ("A", 0x10b1),
    ("RG", 0x10b2),
    ("RGBA", 0x10b5),
    ("BGRA", 0x10b6),
    ("INTENSITY", 0x10b8),
    ("LUMINANCE", 0x10b9),
    ("DEPTH", 0x10bd),
    ("sRGBA", 0x10c1),
    ("sBGRA", 0x10c2),
];

/// Channel data types: OpenCL's name (without `CL_`) and number, bytes of a channel.
const DATA_TYPES: [(&str, u32, u32); 12] = [
    ("SNORM_INT8", 0x10d0, 1),
    ("SNORM_INT16", 0x10d1, 2),
    ("UNORM_INT8", 0x10d2, 1),
    ("UNORM_INT16", 0x10d3, 2),
    ("SIGNED_INT8", 0x10d7, 1),
    ("SIGNED_INT16", 0x10d8, 2),
    ("SIGNED_INT32", 0x10d9, 4),
    ("UNSIGNED_INT8", 0x10da, 1),
    ("UNSIGNED_INT16", 0x10db, 2),
    ("UNSIGNED_INT32", 0x10dc, 4),
    ("HALF_FLOAT", 0x10dd, 2),
    ("FLOAT", 0x10de, 4),
];

/// Returns the row of [`FORMATS`] of an order that only has UNORM_INT8, UNORM_INT16, HALF_FLOAT and FLOAT.
const fn scalar([unorm8, unorm16, half, float]: [SurfaceFormat; 4]) -> [Option<SurfaceFormat>; 12] {
    let mut row = [None; 12];
    (row[2], row[3], row[10], row[11]) = (Some(unorm8), Some(unorm16), Some(half), Some(float));
    row
}

/// Surface formats by channel order, with one column for each data type, in the order of [`DATA_TYPES`].
static FORMATS: [(&str, [Option<SurfaceFormat>; 12]); 7] = {
    type F = SurfaceFormat;
    macro_rules! row {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $i:ident $j:ident $k:ident $l:ident) => {
            [
                Some(F::$a),
                Some(F::$b),
                Some(F::$c),
                Some(F::$d),
                Some(F::$e),
                Some(F::$f),
                Some(F::$g),
                Some(F::$h),
                Some(F::$i),
                Some(F::$j),
                Some(F::$k),
                Some(F::$l),
            ]
        };
    }
    [
        (
            "R",
            row!(R8_SNORM R16_SNORM R8_UNORM R16_UNORM R8_SINT R16_SINT R32_SINT R8_UINT R16_UINT R32_UINT R16_FLOAT R32_FLOAT),
        ),
        (
            "RG",
            row!(R8G8_SNORM R16G16_SNORM R8G8_UNORM R16G16_UNORM R8G8_SINT R16G16_SINT R32G32_SINT R8G8_UINT R16G16_UINT R32G32_UINT R16G16_FLOAT R32G32_FLOAT),
        ),
        (
            "RGBA",
            row!(R8G8B8A8_SNORM R16G16B16A16_SNORM R8G8B8A8_UNORM R16G16B16A16_UNORM R8G8B8A8_SINT R16G16B16A16_SINT R32G32B32A32_SINT R8G8B8A8_UINT R16G16B16A16_UINT R32G32B32A32_UINT R16G16B16A16_FLOAT R32G32B32A32_FLOAT),
        ),
        ("BGRA", [None, None, Some(F::B8G8R8A8_UNORM), None, None, None, None, None, None, None, None, None]),
        ("A", scalar([F::A8_UNORM, F::A16_UNORM, F::A16_FLOAT, F::A32_FLOAT])),
        ("INTENSITY", scalar([F::I8_UNORM, F::I16_UNORM, F::I16_FLOAT, F::I32_FLOAT])),
        ("LUMINANCE", scalar([F::L8_UNORM, F::L16_UNORM, F::L16_FLOAT, F::L32_FLOAT])),
    ]
};

/// Returns the bytes of a channel with this data type; `None` if the name is unknown.
pub fn data_type_bytes(name: &str) -> Option<u32> {
    DATA_TYPES.iter().find(|(known, ..)| *known == name).map(|(_, _, bytes)| *bytes)
}

/// Returns the surface format for a channel order and a data type (OpenCL names without `CL_`), and OpenCL's numbers of both; `None` if
/// a name is unknown or no surface format fits.
pub fn image_format(order: &str, data_type: &str) -> Option<(SurfaceFormat, u32, u32)> {
    let (_, order_code) = ORDERS.iter().find(|(known, _)| *known == order)?;
    let column = DATA_TYPES.iter().position(|(known, ..)| *known == data_type)?;
    let (_, type_code, _) = DATA_TYPES[column];
    let format = match (order, data_type) {
        ("sRGBA", "UNORM_INT8") => SurfaceFormat::R8G8B8A8_UNORM_SRGB,
        ("sBGRA", "UNORM_INT8") => SurfaceFormat::B8G8R8A8_UNORM_SRGB,
        _ => {
            let row = if order == "DEPTH" { "R" } else { order };
            FORMATS.iter().find(|(known, _)| *known == row)?.1[column]?
        }
    };
    Some((format, *order_code, type_code))
}
