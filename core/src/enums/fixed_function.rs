//! The tables of state, messages and fixed functions (PRM sources BSpec and RenderCS).
//!
//! Generated of `core/tables/prm-enums.json`: edit that, run `cargo run --example generate_enums`.

enumeration! {
    /// What a colour is multiplied with before blending.
    ///
    /// PRM table `3D_Color_Buffer_Blend_Factor`, 5 bits.
    BlendFactor(u8): "3D_Color_Buffer_Blend_Factor", 5, "BSpec";
    0..=0 "Reserved";
    1..=1 "BLENDFACTOR_ONE" as ONE = "One.";
    2..=2 "BLENDFACTOR_SRC_COLOR" as SRC_COLOR = "The source colour.";
    3..=3 "BLENDFACTOR_SRC_ALPHA" as SRC_ALPHA = "The source alpha.";
    4..=4 "BLENDFACTOR_DST_ALPHA" as DST_ALPHA = "The destination alpha.";
    5..=5 "BLENDFACTOR_DST_COLOR" as DST_COLOR = "The destination colour.";
    6..=6 "BLENDFACTOR_SRC_ALPHA_SATURATE" as SRC_ALPHA_SATURATE = "The lesser of source alpha and one minus destination alpha.";
    7..=7 "BLENDFACTOR_CONST_COLOR" as CONST_COLOR = "The constant colour.";
    8..=8 "BLENDFACTOR_CONST_ALPHA" as CONST_ALPHA = "The constant alpha.";
    9..=9 "BLENDFACTOR_SRC1_COLOR" as SRC1_COLOR = "The second source colour.";
    10..=10 "BLENDFACTOR_SRC1_ALPHA" as SRC1_ALPHA = "The second source alpha.";
    11..=16 "Reserved";
    17..=17 "BLENDFACTOR_ZERO" as ZERO = "Zero.";
    18..=18 "BLENDFACTOR_INV_SRC_COLOR" as INV_SRC_COLOR = "One minus the source colour.";
    19..=19 "BLENDFACTOR_INV_SRC_ALPHA" as INV_SRC_ALPHA = "One minus the source alpha.";
    20..=20 "BLENDFACTOR_INV_DST_ALPHA" as INV_DST_ALPHA = "One minus the destination alpha.";
    21..=21 "BLENDFACTOR_INV_DST_COLOR" as INV_DST_COLOR = "One minus the destination colour.";
    22..=22 "Reserved";
    23..=23 "BLENDFACTOR_INV_CONST_COLOR" as INV_CONST_COLOR = "One minus the constant colour.";
    24..=24 "BLENDFACTOR_INV_CONST_ALPHA" as INV_CONST_ALPHA = "One minus the constant alpha.";
    25..=25 "BLENDFACTOR_INV_SRC1_COLOR" as INV_SRC1_COLOR = "One minus the second source colour.";
    26..=26 "BLENDFACTOR_INV_SRC1_ALPHA" as INV_SRC1_ALPHA = "One minus the second source alpha.";
}

enumeration! {
    /// How source and destination colours are blended.
    ///
    /// PRM table `3D_Color_Buffer_Blend_Function`, 3 bits.
    BlendFunction(u8): "3D_Color_Buffer_Blend_Function", 3, "BSpec";
    0..=0 "BLENDFUNCTION_ADD" as ADD = "Source plus destination.";
    1..=1 "BLENDFUNCTION_SUBTRACT" as SUBTRACT = "Source minus destination.";
    2..=2 "BLENDFUNCTION_REVERSE_SUBTRACT" as REVERSE_SUBTRACT = "Destination minus source.";
    3..=3 "BLENDFUNCTION_MIN" as MIN = "The lesser.";
    4..=4 "BLENDFUNCTION_MAX" as MAX = "The greater.";
    5..=7 "Reserved";
}

enumeration! {
    /// When a comparison with a reference passes.
    ///
    /// PRM table `3D_Compare_Function`, 3 bits.
    CompareFunction(u8): "3D_Compare_Function", 3, "BSpec";
    0..=0 "COMPAREFUNCTION_ALWAYS" as ALWAYS = "Always passes.";
    1..=1 "COMPAREFUNCTION_NEVER" as NEVER = "Never passes.";
    2..=2 "COMPAREFUNCTION_LESS" as LESS = "Passes when less than the reference.";
    3..=3 "COMPAREFUNCTION_EQUAL" as EQUAL = "Passes when equal to the reference.";
    4..=4 "COMPAREFUNCTION_LEQUAL Pass if the value is less than or equal to the reference" as LEQUAL = "Passes when less than or equal to the reference.";
    5..=5 "COMPAREFUNCTION_GREATER" as GREATER = "Passes when greater than the reference.";
    6..=6 "COMPAREFUNCTION_NOTEQUAL" as NOTEQUAL = "Passes when not equal to the reference.";
    7..=7 "COMPAREFUNCTION_GEQUAL" as GEQUAL = "Passes when greater than or equal to the reference.";
}

enumeration! {
    /// The bitwise function of source S and destination D.
    ///
    /// PRM table `3D_Logic_Op_Function`, 4 bits.
    LogicOp(u8): "3D_Logic_Op_Function", 4, "BSpec";
    0..=0 "LOGICOP_CLEAR" as CLEAR = "All zeros (black).";
    1..=1 "LOGICOP_NOR" as NOR = "NOT (S OR D).";
    2..=2 "LOGICOP_AND_INVERTED" as AND_INVERTED = "(NOT S) AND D.";
    3..=3 "LOGICOP_COPY_INVERTED" as COPY_INVERTED = "NOT S.";
    4..=4 "LOGICOP_AND_REVERSE" as AND_REVERSE = "S AND NOT D.";
    5..=5 "LOGICOP_INVERT" as INVERT = "NOT D.";
    6..=6 "LOGICOP_XOR" as XOR = "S XOR D.";
    7..=7 "LOGICOP_NAND" as NAND = "NOT (S AND D).";
    8..=8 "LOGICOP_AND" as AND = "S AND D.";
    9..=9 "LOGICOP_EQUIV" as EQUIV = "NOT (S XOR D).";
    10..=10 "LOGICOP_NOOP" as NOOP = "D.";
    11..=11 "LOGICOP_OR_INVERTED" as OR_INVERTED = "(NOT S) OR D.";
    12..=12 "LOGICOP_COPY" as COPY = "S.";
    13..=13 "LOGICOP_OR_REVERSE" as OR_REVERSE = "S OR NOT D.";
    14..=14 "LOGICOP_OR" as OR = "S OR D.";
    15..=15 "LOGICOP_SET" as SET = "All ones (white).";
}

enumeration! {
    /// How vertices make primitives.
    ///
    /// PRM table `3D_Prim_Topo_Type`, 6 bits.
    PrimitiveTopology(u8): "3D_Prim_Topo_Type", 6, "RenderCS";
    0..=0 "Reserved";
    1..=1 "3DPRIM_POINTLIST" as POINTLIST = "Points.";
    2..=2 "3DPRIM_LINELIST" as LINELIST = "Separate lines.";
    3..=3 "3DPRIM_LINESTRIP" as LINESTRIP = "Connected lines.";
    4..=4 "3DPRIM_TRILIST" as TRILIST = "Separate triangles.";
    5..=5 "3DPRIM_TRISTRIP" as TRISTRIP = "Connected triangles.";
    6..=6 "3DPRIM_TRIFAN" as TRIFAN = "Triangles around the first vertex.";
    7..=7 "3DPRIM_QUADLIST" as QUADLIST = "Separate quadrilaterals (becomes POLYGON).";
    8..=8 "3DPRIM_QUADSTRIP" as QUADSTRIP = "Connected quadrilaterals (becomes POLYGON).";
    9..=9 "3DPRIM_LINELIST_ADJ" as LINELIST_ADJ = "Separate lines with adjacent vertices.";
    10..=10 "3DPRIM_LINESTRIP_ADJ" as LINESTRIP_ADJ = "Connected lines with adjacent vertices.";
    11..=11 "3DPRIM_TRILIST_ADJ" as TRILIST_ADJ = "Separate triangles with adjacent vertices.";
    12..=12 "3DPRIM_TRISTRIP_ADJ" as TRISTRIP_ADJ = "Connected triangles with adjacent vertices.";
    13..=13 "3DPRIM_TRISTRIP_REVERSE" as TRISTRIP_REVERSE = "Connected triangles, first one turned.";
    14..=14 "3DPRIM_POLYGON" as POLYGON = "A polygon.";
    15..=15 "3DPRIM_RECTLIST" as RECTLIST = "Separate axis-aligned rectangles.";
    16..=16 "3DPRIM_LINELOOP" as LINELOOP = "Connected lines, closed (becomes LINESTRIP).";
    17..=17 "3DPRIM_POINTLIST _BF" as POINTLIST_BF = "Points of back faces.";
    18..=18 "3DPRIM_LINESTRIP_CONT" as LINESTRIP_CONT = "Connected lines, continued.";
    19..=19 "3DPRIM_LINESTRIP_BF" as LINESTRIP_BF = "Connected lines of back faces.";
    20..=20 "3DPRIM_LINESTRIP_CONT_BF" as LINESTRIP_CONT_BF = "Connected lines of back faces, continued.";
    21..=21 "Reserved";
    22..=22 "3DPRIM_TRIFAN_NOSTIPPLE" as TRIFAN_NOSTIPPLE = "Triangles around the first vertex, not stippled.";
    23..=23 "Reserved";
    24..=24 "Reserved";
    25..=25 "Reserved";
    26..=26 "Reserved";
    27..=31 "Reserved";
    32..=32 "3DPRIM_PATCHLIST_1" as PATCHLIST_1 = "Patches of 1 vertex.";
    33..=33 "3DPRIM_PATCHLIST_2" as PATCHLIST_2 = "Patches of 2 vertices.";
    34..=34 "3DPRIM_PATCHLIST_3" as PATCHLIST_3 = "Patches of 3 vertices.";
    35..=35 "3DPRIM_PATCHLIST_4" as PATCHLIST_4 = "Patches of 4 vertices.";
    36..=36 "3DPRIM_PATCHLIST_5" as PATCHLIST_5 = "Patches of 5 vertices.";
    37..=37 "3DPRIM_PATCHLIST_6" as PATCHLIST_6 = "Patches of 6 vertices.";
    38..=38 "3DPRIM_PATCHLIST_7" as PATCHLIST_7 = "Patches of 7 vertices.";
    39..=39 "3DPRIM_PATCHLIST_8" as PATCHLIST_8 = "Patches of 8 vertices.";
    40..=40 "3DPRIM_PATCHLIST_9" as PATCHLIST_9 = "Patches of 9 vertices.";
    41..=41 "3DPRIM_PATCHLIST_10" as PATCHLIST_10 = "Patches of 10 vertices.";
    42..=42 "3DPRIM_PATCHLIST_11" as PATCHLIST_11 = "Patches of 11 vertices.";
    43..=43 "3DPRIM_PATCHLIST_12" as PATCHLIST_12 = "Patches of 12 vertices.";
    44..=44 "3DPRIM_PATCHLIST_13" as PATCHLIST_13 = "Patches of 13 vertices.";
    45..=45 "3DPRIM_PATCHLIST_14" as PATCHLIST_14 = "Patches of 14 vertices.";
    46..=46 "3DPRIM_PATCHLIST_15" as PATCHLIST_15 = "Patches of 15 vertices.";
    47..=47 "3DPRIM_PATCHLIST_16" as PATCHLIST_16 = "Patches of 16 vertices.";
    48..=48 "3DPRIM_PATCHLIST_17" as PATCHLIST_17 = "Patches of 17 vertices.";
    49..=49 "3DPRIM_PATCHLIST_18" as PATCHLIST_18 = "Patches of 18 vertices.";
    50..=50 "3DPRIM_PATCHLIST_19" as PATCHLIST_19 = "Patches of 19 vertices.";
    51..=51 "3DPRIM_PATCHLIST_20" as PATCHLIST_20 = "Patches of 20 vertices.";
    52..=52 "3DPRIM_PATCHLIST_21" as PATCHLIST_21 = "Patches of 21 vertices.";
    53..=53 "3DPRIM_PATCHLIST_22" as PATCHLIST_22 = "Patches of 22 vertices.";
    54..=54 "3DPRIM_PATCHLIST_23" as PATCHLIST_23 = "Patches of 23 vertices.";
    55..=55 "3DPRIM_PATCHLIST_24" as PATCHLIST_24 = "Patches of 24 vertices.";
    56..=56 "3DPRIM_PATCHLIST_25" as PATCHLIST_25 = "Patches of 25 vertices.";
    57..=57 "3DPRIM_PATCHLIST_26" as PATCHLIST_26 = "Patches of 26 vertices.";
    58..=58 "3DPRIM_PATCHLIST_27" as PATCHLIST_27 = "Patches of 27 vertices.";
    59..=59 "3DPRIM_PATCHLIST_28" as PATCHLIST_28 = "Patches of 28 vertices.";
    60..=60 "3DPRIM_PATCHLIST_29" as PATCHLIST_29 = "Patches of 29 vertices.";
    61..=61 "3DPRIM_PATCHLIST_30" as PATCHLIST_30 = "Patches of 30 vertices.";
    62..=62 "3DPRIM_PATCHLIST_31" as PATCHLIST_31 = "Patches of 31 vertices.";
    63..=63 "3DPRIM_PATCHLIST_32" as PATCHLIST_32 = "Patches of 32 vertices.";
}

enumeration! {
    /// What happens to a stencil value.
    ///
    /// PRM table `3D_Stencil_Operation`, 3 bits.
    StencilOperation(u8): "3D_Stencil_Operation", 3, "RenderCS";
    0..=0 "STENCILOP_KEEP" as KEEP = "Keeps the value.";
    1..=1 "STENCILOP_ZERO" as ZERO = "Writes zero.";
    2..=2 "STENCILOP_REPLACE" as REPLACE = "Writes the reference.";
    3..=3 "STENCILOP_INCRSAT" as INCRSAT = "Adds one, saturating.";
    4..=4 "STENCILOP_DECRSAT" as DECRSAT = "Subtracts one, saturating.";
    5..=5 "STENCILOP_INCR" as INCR = "Adds one, wrapping.";
    6..=6 "STENCILOP_DECR" as DECR = "Subtracts one, wrapping.";
    7..=7 "STENCILOP_INVERT" as INVERT = "Inverts the bits.";
}

enumeration! {
    /// What is stored in a component of a vertex element.
    ///
    /// PRM table `3D_Vertex_Component_Control`, 3 bits.
    VertexComponentControl(u8): "3D_Vertex_Component_Control", 3, "RenderCS";
    0..=0 "VFCOMP_NOSTORE" as NOSTORE = "Stores nothing (not in component 0; all higher components must do the same).";
    1..=1 "VFCOMP_STORE_SRC" as STORE_SRC = "Stores the next component of the source element.";
    2..=2 "VFCOMP_STORE_0" as STORE_0 = "Stores 0.";
    3..=3 "VFCOMP_STORE_1_FP" as STORE_1_FP = "Stores 1.0.";
    4..=4 "VFCOMP_STORE_1_INT" as STORE_1_INT = "Stores the integer 1.";
    5..=6 "Reserved";
    7..=7 "VFCOMP_STORE_PID" as STORE_PID = "Stores the primitive ID (no longer for software).";
}

enumeration! {
    /// The enabled components of an attribute.
    ///
    /// PRM table `Attribute_Component_Format`, 2 bits.
    AttributeComponentFormat(u8): "Attribute_Component_Format", 2, "RenderCS";
    0..=0 "disabled [Default]" as DISABLED = "No component.";
    1..=1 ".xy" as XY = "x and y.";
    2..=2 ".xyz" as XYZ = "x, y and z.";
    3..=3 ".xyzw" as XYZW = "All four components.";
}

enumeration! {
    /// The components that are stored in the URB.
    ///
    /// PRM table `COMPONENT_ENABLES`, 4 bits.
    ComponentEnables(u8): "COMPONENT_ENABLES", 4, "RenderCS";
    0..=0 "NONE" as NONE = "No component.";
    1..=1 "X" as X = "Stores x.";
    2..=2 "Y" as Y = "Stores y.";
    3..=3 "XY" as XY = "Stores x, y.";
    4..=4 "Z" as Z = "Stores z.";
    5..=5 "XZ" as XZ = "Stores x, z.";
    6..=6 "YZ" as YZ = "Stores y, z.";
    7..=7 "XYZ" as XYZ = "Stores x, y, z.";
    8..=8 "W" as W = "Stores w.";
    9..=9 "XW" as XW = "Stores x, w.";
    10..=10 "YW" as YW = "Stores y, w.";
    11..=11 "XYW" as XYW = "Stores x, y, w.";
    12..=12 "ZW" as ZW = "Stores z, w.";
    13..=13 "XZW" as XZW = "Stores x, z, w.";
    14..=14 "YZW" as YZW = "Stores y, z, w.";
    15..=15 "XYZW" as XYZW = "Stores x, y, z, w.";
}

enumeration! {
    /// The fixed function that a thread works for.
    ///
    /// PRM table `Fixed Function ID`, 4 bits.
    FixedFunctionId(u8): "Fixed Function ID", 4, "BSpec";
    0..=0 "Null" as NULL = "None.";
    3..=3 "POSH Vertex Shader" as POSH_VERTEX_SHADER = "Position-only vertex shader.";
    4..=4 "Hull Shader" as HULL_SHADER = "Hull shader.";
    5..=5 "Domain Shader" as DOMAIN_SHADER = "Domain shader.";
    7..=7 "General Purpose Thread Spawner" as GENERAL_PURPOSE_THREAD_SPAWNER = "Thread spawner of compute.";
    9..=9 "Vertex Shader" as VERTEX_SHADER = "Vertex shader.";
    10..=10 "Command Stream" as COMMAND_STREAM = "Command streamer.";
    11..=11 "Vertex Fetch" as VERTEX_FETCH = "Vertex fetch.";
    12..=12 "Geometry Shader" as GEOMETRY_SHADER = "Geometry shader.";
}

enumeration! {
    /// The layout of a performance counter report.
    ///
    /// PRM table `Performance Counter Report Formats`, 3 bits.
    PerformanceCounterReportFormat(u8): "Performance Counter Report Formats", 3, "BSpec";
    1..=1 "" as FORMAT_1 = "Report format 1.";
    2..=2 "" as FORMAT_2 = "Report format 2.";
    3..=3 "" as FORMAT_3 = "Report format 3.";
    4..=4 "" as FORMAT_4 = "Report format 4.";
    6..=6 "" as FORMAT_6 = "Report format 6.";
    7..=7 "" as FORMAT_7 = "Report format 7.";
}

enumeration! {
    /// What a shader sees as a channel of a surface.
    ///
    /// PRM table `Shader Channel Select`, 3 bits.
    ShaderChannelSelect(u8): "Shader Channel Select", 3, "BSpec";
    0..=0 "ZERO" as ZERO = "The constant 0.";
    1..=1 "ONE" as ONE = "The constant 1.";
    2..=2 "Reserved";
    3..=3 "Reserved";
    4..=4 "RED" as RED = "The surface's red.";
    5..=5 "GREEN" as GREEN = "The surface's green.";
    6..=6 "BLUE" as BLUE = "The surface's blue.";
    7..=7 "ALPHA" as ALPHA = "The surface's alpha.";
}

enumeration! {
    /// The lanes of a sampler message.
    ///
    /// PRM table `SIMD Mode`, 3 bits.
    SimdMode(u8): "SIMD Mode", 3, "BSpec";
    0..=0 "SIMD8D / SIMD4x2" as SIMD8D_SIMD4X2 = "8 lanes with per-sample dispatch, or 4 lanes of 2.";
    1..=1 "SIMD8" as SIMD8 = "8 lanes.";
    2..=2 "SIMD16" as SIMD16 = "16 lanes.";
    3..=3 "SIMD32/64" as SIMD32_64 = "32 or 64 lanes (media).";
    4..=4 "Reserved";
    5..=5 "SIMD8H" as SIMD8H = "8 lanes of 16-bit values.";
    6..=6 "SIMD16H" as SIMD16H = "16 lanes of 16-bit values.";
    7..=7 "Reserved";
}

enumeration! {
    /// Where the hash of a pixel's slice comes from.
    ///
    /// PRM table `Slice Hash Control`, 2 bits.
    SliceHashControl(u8): "Slice Hash Control", 2, "RenderCS";
    0..=0 "Computed [Default]" as COMPUTED = "The computed hash.";
    1..=1 "Unbalanced table[0]" as UNBALANCED_TABLE_0 = "The computed hash when balanced, else table 0.";
    2..=2 "Table[0]" as TABLE_0 = "Table 0.";
    3..=3 "Table[1]" as TABLE_1 = "Table 1.";
}

enumeration! {
    /// What is outside of a map.
    ///
    /// PRM table `Texture Coordinate Mode`, 3 bits.
    TextureCoordinateMode(u8): "Texture Coordinate Mode", 3, "BSpec";
    0..=0 "WRAP" as WRAP = "The map repeats.";
    1..=1 "MIRROR" as MIRROR = "The map repeats, every second one mirrored.";
    2..=2 "CLAMP" as CLAMP = "The edge texel goes on.";
    3..=3 "CUBE" as CUBE = "Filtering goes on in the adjacent face of a cube.";
    4..=4 "CLAMP_BORDER" as CLAMP_BORDER = "The border colour is around the map.";
    5..=5 "MIRROR_ONCE" as MIRROR_ONCE = "Mirrored once about the origin, then clamped.";
    6..=6 "HALF_BORDER" as HALF_BORDER = "Outside is the mean of the nearest edge texel and the border colour.";
    7..=7 "MIRROR_101" as MIRROR_101 = "Mirrored once in each direction without the first texel; 2D only.";
}

enumeration! {
    /// The components of an attribute that are interpolated the short way round.
    ///
    /// PRM table `WRAP_SHORTEST_ENABLE`, 4 bits.
    WrapShortestEnable(u8): "WRAP_SHORTEST_ENABLE", 4, "RenderCS";
    1..=1 "X" as X = "Wraps x.";
    2..=2 "Y" as Y = "Wraps y.";
    3..=3 "XY" as XY = "Wraps x, y.";
    4..=4 "Z" as Z = "Wraps z.";
    5..=5 "XZ" as XZ = "Wraps x, z.";
    6..=6 "YZ" as YZ = "Wraps y, z.";
    7..=7 "XYZ" as XYZ = "Wraps x, y, z.";
    8..=8 "W" as W = "Wraps w.";
    9..=9 "XW" as XW = "Wraps x, w.";
    10..=10 "YW" as YW = "Wraps y, w.";
    11..=11 "XYW" as XYW = "Wraps x, y, w.";
    12..=12 "ZW" as ZW = "Wraps z, w.";
    13..=13 "XZW" as XZW = "Wraps x, z, w.";
    14..=14 "YZW" as YZW = "Wraps y, z, w.";
    15..=15 "XYZW" as XYZW = "Wraps x, y, z, w.";
}
