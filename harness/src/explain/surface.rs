//! Units, meanings and rules of the fields of RENDER_SURFACE_STATE.

use super::Explained;
use super::rows::{About, Row};
use super::units::{Unit, code, counted, format};
use texwire::state::{SurfaceState, SurfaceType, TiledResource};

use Unit::{Address, Code, Count, Fixed1, Fixed8, Flag, Log2, Minus1, Pattern, Plain, Quarter};

const CHANNEL: Unit = code!(ChannelSelect);

/// Alignment codes.
const ALIGN: Unit = Code(|raw| {
    let elements = [0, 4, 8, 16][raw as usize & 3];
    (if elements == 0 { "reserved".to_owned() } else { counted(elements, "elements") }, "")
});

/// Returns whether the surface has a planar format, which decides which of the overlapping fields are used.
fn planar(dwords: &[u32]) -> bool {
    texwire::format::Planar::of(surface(dwords).format()).is_some()
}

pub(super) fn surface(dwords: &[u32]) -> SurfaceState {
    SurfaceState { dwords: super::padded(dwords) }
}

const NOT_PLANAR: About = About::When(|dwords| !planar(dwords), "only when the format is not planar");
const PLANAR: About = About::When(planar, "only for planar formats");
const COMPRESSED: About =
    About::When(|dwords| surface(dwords).memory_compression(), "only with Memory Compression Enable");
const CLEAR_IN_MEMORY: About =
    About::When(|dwords| surface(dwords).clear_address_enable(), "only with Clear Value Address Enable");
const CLEAR_HERE: About =
    About::When(|dwords| !surface(dwords).clear_address_enable(), "only without Clear Value Address Enable");
const CUBE: About =
    About::When(|dwords| surface(dwords).surface_type() == SurfaceType::Cube, "only for cubes");
const TILED: About = About::When(
    |dwords| surface(dwords).tiled_resource() != TiledResource::None,
    "only with a Tiled Resource Mode",
);
const MULTISAMPLED: About =
    About::When(|dwords| surface(dwords).log2_samples() > 0, "only for multisampled surfaces");
const ALWAYS: About = About::Always;

/// For width, height and depth: in buffers, they are parts of the number of elements.
const SIZE: About = About::Buffer(|dwords| {
    let state = surface(dwords);
    state.is_buffer().then(|| counted(state.buffer_elements().into(), "elements"))
});

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row("Cube Face Enable - Positive Z", Flag, "The cube has a +Z face.", CUBE),
    Row("Cube Face Enable - Negative Z", Flag, "The cube has a -Z face.", CUBE),
    Row("Cube Face Enable - Positive Y", Flag, "The cube has a +Y face.", CUBE),
    Row("Cube Face Enable - Negative Y", Flag, "The cube has a -Y face.", CUBE),
    Row("Cube Face Enable - Positive X", Flag, "The cube has a +X face.", CUBE),
    Row("Cube Face Enable - Negative X", Flag, "The cube has a -X face.", CUBE),
    Row("Media Boundary Pixel Mode", Code(|raw| (
        ["NORMAL_MODE", "reserved", "PROGRESSIVE_FRAME", "INTERLACED_FRAME"][raw as usize & 3].to_owned(), "",
    )), "What media reads see past the edge.", ALWAYS),
    Row("Render Cache Read Write Mode", Code(|raw| (
        ["write-only cache", "read-write cache"][raw as usize & 1].to_owned(), "",
    )), "Whether the render cache reads too.", ALWAYS),
    Row("Sampler L2 Bypass Mode Disable", Flag, "The sampler always uses its second cache.", ALWAYS),
    Row("Vertical Line Stride Offset", Count("lines"), "First line when the stride is 1: the field of an interlaced picture.", ALWAYS),
    Row("Vertical Line Stride", Count("lines"), "Lines left out between two lines.", ALWAYS),
    Row("Tile Mode", code!(TileMode), "Order of the elements in memory.", ALWAYS),
    Row("Surface Horizontal Alignment", ALIGN, "Horizontal alignment of levels.", ALWAYS),
    Row("Surface Vertical Alignment", ALIGN, "Vertical alignment of levels.", ALWAYS),
    Row("Surface Format", Code(format), "Format of the elements.", ALWAYS),
    Row("Surface Array", Flag, "QPitch and Depth describe array slices.", ALWAYS),
    Row("Surface Type", code!(SurfaceType), "What the surface is.", ALWAYS),
    Row("Surface QPitch", Quarter("rows"), "Distance of slices, in rows of elements (linear 1D: in elements).", ALWAYS),
    Row("Base Mip Level", Fixed1("levels"), "Base mip level, U4.1.", ALWAYS),
    Row("MOCS", Plain, "Memory object control: caching only.", ALWAYS),
    Row("Enable Unorm Path In Color Pipe", Flag, "The colour pipe keeps unorm values.", ALWAYS),
    Row("Width", Minus1("texels"), "Width of level 0.", SIZE),
    Row("Height", Minus1("texels"), "Height of level 0.", SIZE),
    Row("Surface Pitch", Minus1("bytes"), "Distance of rows; of elements for buffers.", ALWAYS),
    Row("Tile Address Mapping Mode", Code(|raw| (
        ["Gfx9", "Gfx10+"][raw as usize & 1].to_owned(), "",
    )), "How tiled addresses are swizzled.", ALWAYS),
    Row("Depth", Minus1("slices"), "Slices of an array, cubes of a cube array, depth of 3D.", SIZE),
    Row("Multisample Position Palette Index", Plain, "Sample positions; sampleinfo returns it.", MULTISAMPLED),
    Row("Number of Multisamples", Log2("samples"), "Samples of a texel.", ALWAYS),
    Row("Multisampled Surface Storage Format", Code(|raw| (
        ["MSFMT_MSS", "MSFMT_DEPTH_STENCIL"][raw as usize & 1].to_owned(),
        ["Every sample is a slice of its own.", "Samples are interleaved in x and y."][raw as usize & 1],
    )), "Where the samples are.", MULTISAMPLED),
    Row("Render Target View Extent", Minus1("slices"), "Slices that render and storage messages see.", ALWAYS),
    Row("Minimum Array Element", Plain, "First slice of the view.", ALWAYS),
    Row("Render Target And Sample Unorm Rotation", Code(|raw| (
        ["0 degrees", "90 degrees", "180 degrees", "270 degrees"][raw as usize & 3].to_owned(), "",
    )), "Rotation of render targets and sample unorm.", ALWAYS),
    Row("MIP Count / LOD", Minus1("levels"), "Levels of the view, from Surface Min LOD on.", ALWAYS),
    Row("Surface Min LOD", Plain, "First level of the view.", ALWAYS),
    Row("Mip Tail Start LOD", Plain, "First level of the mip tail; 15: none.", TILED),
    Row("Coherency Type", Code(|raw| (
        ["GPU coherent", "IA coherent"][raw as usize & 1].to_owned(), "",
    )), "Whose caches the surface is coherent with.", ALWAYS),
    Row("Tiled Resource Mode", code!(TiledResource), "Standard tiles instead of the Tile Mode.", ALWAYS),
    Row("EWA Disable For Cube", Flag, "Cubes are filtered without the EWA approximation.", CUBE),
    Row("Y Offset", Quarter("rows"), "First row of the surface in its tile.", ALWAYS),
    Row("X Offset", Quarter("texels"), "First column of the surface in its tile.", ALWAYS),
    Row("Auxiliary Surface Mode", code!(AuxMode), "What the auxiliary surface is.", NOT_PLANAR),
    Row("Y Offset for U or UV Plane", Count("rows"), "Row of the U or UV plane.", PLANAR),
    Row("Auxiliary Surface Pitch", Minus1("tiles"), "Pitch of the auxiliary surface.", NOT_PLANAR),
    Row("X Offset for U or UV Plane", Count("texels"), "Column of the U or UV plane.", PLANAR),
    Row("Auxiliary Surface QPitch", Quarter("rows"), "Distance of slices in the auxiliary surface.", NOT_PLANAR),
    Row("Separate UV Plane Enable", Flag, "U and V are planes of their own.", PLANAR),
    Row("Resource Min LOD", Fixed8("levels"), "Lowest LOD that is resident, U4.8, relative to the view.", ALWAYS),
    Row("Shader Channel Select Alpha", CHANNEL, "What the shader sees as alpha.", ALWAYS),
    Row("Shader Channel Select Blue", CHANNEL, "What the shader sees as blue.", ALWAYS),
    Row("Shader Channel Select Green", CHANNEL, "What the shader sees as green.", ALWAYS),
    Row("Shader Channel Select Red", CHANNEL, "What the shader sees as red.", ALWAYS),
    Row("Memory Compression Enable", Flag, "The media engine compressed the memory.", ALWAYS),
    Row("Memory Compression Mode", Code(|raw| (
        ["horizontal", "vertical"][raw as usize & 1].to_owned(), "",
    )), "Direction of the compression.", COMPRESSED),
    Row("Surface Base Address", Address(0), "Where the surface is in memory.", ALWAYS),
    Row("Quilt Width", Minus1("quilts"), "Quilts in a row.", ALWAYS),
    Row("Quilt Height", Minus1("quilts"), "Quilts in a column.", ALWAYS),
    Row("Clear Value Address Enable", Flag, "The clear colour is in memory.", ALWAYS),
    Row("Auxiliary Surface Base Address", Address(12), "Where the auxiliary surface is in memory.", NOT_PLANAR),
    Row("Auxiliary Table Index for Media Compressed Surface", Plain, "Entry of the media compression's table.", COMPRESSED),
    Row("Y Offset for V Plane", Count("rows"), "Row of the V plane.", PLANAR),
    Row("X Offset for V Plane", Count("texels"), "Column of the V plane.", PLANAR),
    Row("Red Clear Color", Pattern, "The clear colour's red, as the format has it.", CLEAR_HERE),
    Row("Clear Color Conversion Enable", Flag, "The clear colour in memory is converted.", CLEAR_IN_MEMORY),
    Row("Clear Value Address", Address(6), "Where the clear colour is in memory.", CLEAR_IN_MEMORY),
    Row("Green Clear Color", Pattern, "The clear colour's green.", CLEAR_HERE),
    Row("Blue Clear Color", Pattern, "The clear colour's blue.", CLEAR_HERE),
    Row("Alpha Clear Color", Pattern, "The clear colour's alpha.", CLEAR_HERE),
];

/// The rules, each with the fields that it is about.
#[rustfmt::skip]
pub(super) const RULES: &[(&str, &[&str])] = &[
    ("reserved-bits", &["(no field)"]),
    ("field-not-on-platform", &["Enable Unorm Path In Color Pipe", "Tile Address Mapping Mode", "Clear Value Address Enable"]),
    ("surface-type-reserved", &["Surface Type"]),
    ("format-undefined", &["Surface Format"]),
    ("channel-select-reserved", &["Shader Channel Select Red", "Shader Channel Select Green", "Shader Channel Select Blue", "Shader Channel Select Alpha"]),
    ("alignment-reserved", &["Surface Horizontal Alignment", "Surface Vertical Alignment"]),
    ("tiled-resource-reserved", &["Tiled Resource Mode"]),
    ("tiled-resource", &["Tiled Resource Mode", "Surface Type", "Surface Format", "Tile Mode", "Number of Multisamples"]),
    ("tiled-resource-place", &["Tiled Resource Mode", "X Offset", "Y Offset", "Surface Base Address", "Surface Pitch", "Surface QPitch"]),
    ("mip-tail", &["Tiled Resource Mode", "Mip Tail Start LOD"]),
    ("aux-mode-reserved", &["Auxiliary Surface Mode"]),
    ("null-tiling", &["Surface Type", "Tile Mode"]),
    ("buffer-linear", &["Surface Type", "Tile Mode"]),
    ("buffer-size", &["Width", "Height", "Depth"]),
    ("buffer-alignment", &["Surface Format", "Surface Pitch", "Surface Base Address"]),
    ("array-flag", &["Surface Type", "Surface Array"]),
    ("w-major", &["Tile Mode", "Surface Format"]),
    ("tiled-base", &["Tile Mode", "Surface Base Address"]),
    ("linear-base", &["Surface Format", "Surface Base Address"]),
    ("linear-offset", &["Tile Mode", "X Offset", "Y Offset"]),
    ("tiled-pitch", &["Tile Mode", "Surface Pitch"]),
    ("pitch-width", &["Surface Format", "Width", "Surface Pitch"]),
    ("qpitch-height", &["Height", "Depth", "Surface QPitch"]),
    ("levels", &["Width", "Height", "Depth", "Surface Min LOD", "MIP Count / LOD"]),
    ("view", &["Minimum Array Element", "Depth"]),
    ("cube-square", &["Width", "Height"]),
    ("cube-faces", &["Cube Face Enable - Positive Z", "Cube Face Enable - Negative Z", "Cube Face Enable - Positive Y", "Cube Face Enable - Negative Y", "Cube Face Enable - Positive X", "Cube Face Enable - Negative X"]),
    ("block-type", &["Surface Format", "Surface Type"]),
    ("block-multisample", &["Surface Format", "Number of Multisamples"]),
    ("sample-count", &["Number of Multisamples"]),
    ("multisample-type", &["Surface Type", "Number of Multisamples"]),
    ("multisample-levels", &["Number of Multisamples", "Surface Min LOD", "MIP Count / LOD", "Resource Min LOD"]),
    ("astc-tiling", &["Surface Format", "Tile Mode"]),
];

/// Returns a summary as in `2D array R8G8B8A8_UNORM, 100 x 60 x 3, 7 levels, YMAJOR, pitch 512 bytes, at 0x12345000`.
pub(super) fn summary(dwords: &[u32]) -> String {
    let state = surface(dwords);
    let kind = super::shouted(state.surface_type().name());
    if state.surface_type() == SurfaceType::Null {
        return "no surface: every read gives 0".to_owned();
    }
    let format = texwire::format::name(state.format())
        .map_or_else(|| format!("format {:#x}", state.format().0), str::to_owned);
    let at = format!("at {:#x}", state.base_address());
    if state.is_buffer() {
        let elements = counted(state.buffer_elements().into(), "elements");
        return format!("{kind} {format}, {elements} {} apart, {at}", counted(state.pitch().into(), "bytes"));
    }
    let array = if state.is_array() { " array" } else { "" };
    let mut size = format!("{} x {}", state.width(), state.height());
    if state.is_array() || state.surface_type() == SurfaceType::D3 || state.depth() > 1 {
        size += &format!(" x {}", state.depth());
    }
    let mut parts =
        vec![format!("{kind}{array} {format}"), size, counted(state.mip_count().into(), "levels")];
    if state.samples() > 1 {
        parts.push(counted(state.samples().into(), "samples"));
    }
    if state.surface_min_lod() > 0 || state.min_array_element() > 0 {
        parts.push(format!(
            "view from level {} slice {}",
            state.surface_min_lod(),
            state.min_array_element()
        ));
    }
    parts.push(super::shouted(state.tile_mode().name()));
    parts.push(format!("pitch {} bytes", state.pitch()));
    parts.push(at);
    parts.join(", ")
}

/// Adds a note on how the size of a buffer is split over its fields.
pub(super) fn notes(dwords: &[u32], explained: &mut Explained) {
    let state = surface(dwords);
    if state.is_buffer() {
        explained.notes.push(format!(
            "Depth, Height and Width hold bits 30:21, 20:7 and 6:0 of the {} minus 1",
            counted(state.buffer_elements().into(), "elements")
        ));
    }
}
