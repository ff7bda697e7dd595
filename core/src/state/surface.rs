//! RENDER_SURFACE_STATE, 16 dwords, 64-byte aligned (Gen9, Gen11).

use crate::enums::SurfaceFormat;

codes! {
    /// Surface Type, dw0 31:29.
    SurfaceType {
        D1 = 0, "One dimension.";
        D2 = 1, "Two dimensions.";
        D3 = 2, "Three dimensions.";
        Cube = 3, "Cubes of six faces.";
        Buffer = 4, "A buffer of typed elements.";
        Strbuf = 5, "A buffer of structures.";
        Reserved = 6, "Reserved (scratch space from Xe-HP).";
        Null = 7, "No surface: reads give 0.";
    }
    /// Tile Mode, dw0 13:12.
    TileMode {
        Linear = 0, "Rows of elements.";
        WMajor = 1, "4 KiB tiles of 64 x 64 one-byte elements (stencil).";
        XMajor = 2, "4 KiB tiles of 8 rows of 512 bytes.";
        YMajor = 3, "4 KiB tiles of 32 rows of 128 bytes, in columns of 16 bytes.";
    }
    /// Shader Channel Select, three bits for each channel in dw7.
    ChannelSelect {
        Zero = 0, "The constant 0.";
        One = 1, "The constant 1.";
        Red = 4, "The red channel.";
        Green = 5, "The green channel.";
        Blue = 6, "The blue channel.";
        Alpha = 7, "The alpha channel.";
        _ => Reserved;
    }
    /// Tiled Resource Mode, dw5 19:18.
    TiledResource {
        None = 0, "The Tile Mode decides.";
        Yf = 1, "Tiles of 4 KiB.";
        Ys = 2, "Tiles of 64 KiB.";
        _ => Reserved;
    }
    /// Auxiliary Surface Mode, dw6 2:0.
    AuxMode {
        None = 0, "No auxiliary surface.";
        CcsD = 1, "Fast clear (and multisample compression).";
        Append = 2, "Append buffer.";
        Hiz = 3, "Hierarchical depth.";
        CcsE = 5, "Lossless compression.";
        _ => Reserved;
    }
}

state! {
    /// RENDER_SURFACE_STATE.
    ///
    /// | dword | bits |
    /// |---|---|
    /// | 0 | 31:29 type, 28 array, 27:18 format, 17:16 valign, 15:14 halign, 13:12 tile mode, 11:6 media, 5:0 cube faces |
    /// | 1 | 31 unorm path (Gen11), 30:24 MOCS, 23:19 base mip level, 14:0 QPitch / 4 |
    /// | 2 | 29:16 height - 1, 13:0 width - 1 |
    /// | 3 | 31:21 depth - 1, 20 tile address mapping (Gen10), 17:0 pitch - 1 |
    /// | 4 | 30:29 rotation, 28:18 minimum array element, 17:7 view extent, 6 storage format, 5:3 log2 samples, 2:0 palette |
    /// | 5 | 31:25 X offset, 23:21 Y offset, 20 EWA disable, 19:18 tiled resource, 14 coherency, 11:8 mip tail, 7:4 surface min LOD, 3:0 levels - 1 |
    /// | 6 | auxiliary surface, or the U plane |
    /// | 7 | 31:30 memory compression, 27:16 channel selects, 11:0 resource min LOD |
    /// | 8, 9 | base address |
    /// | 10, 11 | auxiliary address, quilt, or the V plane |
    /// | 12..=15 | clear colour |
    SurfaceState: 16 dwords;

    cube_face_positive_z / set_cube_face_positive_z: Raw<bool> => 0[0..=0], "Cube Face Enable - Positive Z" = "The cube has a +Z face.";
    cube_face_negative_z / set_cube_face_negative_z: Raw<bool> => 0[1..=1], "Cube Face Enable - Negative Z" = "The cube has a -Z face.";
    cube_face_positive_y / set_cube_face_positive_y: Raw<bool> => 0[2..=2], "Cube Face Enable - Positive Y" = "The cube has a +Y face.";
    cube_face_negative_y / set_cube_face_negative_y: Raw<bool> => 0[3..=3], "Cube Face Enable - Negative Y" = "The cube has a -Y face.";
    cube_face_positive_x / set_cube_face_positive_x: Raw<bool> => 0[4..=4], "Cube Face Enable - Positive X" = "The cube has a +X face.";
    cube_face_negative_x / set_cube_face_negative_x: Raw<bool> => 0[5..=5], "Cube Face Enable - Negative X" = "The cube has a -X face.";
    media_boundary / set_media_boundary: Raw<u8> => 0[7..=6], "Media Boundary Pixel Mode" = "What media reads see past the edge: 0 normal, 2 progressive frame, 3 interlaced frame.";
    render_cache_read_write / set_render_cache_read_write: Raw<bool> => 0[8..=8], "Render Cache Read Write Mode" = "The render cache reads too, not only writes.";
    l2_bypass_disable / set_l2_bypass_disable: Raw<bool> => 0[9..=9], "Sampler L2 Bypass Mode Disable" = "The sampler's second cache is always used.";
    line_stride_offset / set_line_stride_offset: Raw<u32> => 0[10..=10], "Vertical Line Stride Offset" = "The first line, when the stride is 1 (the field of an interlaced picture).";
    line_stride / set_line_stride: Raw<u32> => 0[11..=11], "Vertical Line Stride" = "Lines left out between two lines.";
    tile_mode / set_tile_mode: Raw<TileMode> => 0[13..=12], "Tile Mode" = "The order of elements in memory.";
    halign_code / set_halign_code: Raw<u8> => 0[15..=14], "Surface Horizontal Alignment" = "The code of [`halign`](Self::halign): 1, 2, 3; 0 is reserved.";
    valign_code / set_valign_code: Raw<u8> => 0[17..=16], "Surface Vertical Alignment" = "The code of [`valign`](Self::valign): 1, 2, 3; 0 is reserved.";
    format / set_format: Raw<SurfaceFormat> => 0[27..=18], "Surface Format" = "The format of the elements; bit 9 of the code selects ASTC.";
    is_array / set_array: Raw<bool> => 0[28..=28], "Surface Array" = "QPitch and Depth describe array slices.";
    surface_type / set_surface_type: Raw<SurfaceType> => 0[31..=29], "Surface Type" = "What the surface is.";
    qpitch / set_qpitch: Quarter or QPitch => 1[14..=0], "Surface QPitch" = "The distance of slices in rows of elements (in elements for linear 1D), a multiple of 4.";
    base_mip_level / set_base_mip_level: Raw<u32> => 1[23..=19], "Base Mip Level" = "Base mip level, U4.1.";
    mocs / set_mocs: Raw<u8> => 1[30..=24], "MOCS" = "The memory object control: caching only.";
    unorm_path / set_unorm_path: Raw<bool> => 1[31..=31], "Enable Unorm Path In Color Pipe" since Gen11 = "The colour pipe keeps unorm values.";
    width / set_width: Minus1 or Width => 2[13..=0], "Width" = "Width of level 0 in texels (for buffers a part of [`buffer_elements`](Self::buffer_elements)).";
    height / set_height: Minus1 or Height => 2[29..=16], "Height" = "Height of level 0 in texels (for buffers a part of [`buffer_elements`](Self::buffer_elements)).";
    pitch / set_pitch: Minus1 or Pitch => 3[17..=0], "Surface Pitch" = "The distance of rows in bytes; of elements for buffers.";
    tile_address_mapping / set_tile_address_mapping: Raw<bool> => 3[20..=20], "Tile Address Mapping Mode" since Gen11 = "The tile address mapping of Gen10 and later.";
    depth / set_depth: Minus1 or Depth => 3[31..=21], "Depth" = "Slices of an array, cubes of a cube array, depth of 3D.";
    palette_index / set_palette_index: Raw<u32> => 4[2..=0], "Multisample Position Palette Index" = "The sample positions; sampleinfo returns it.";
    log2_samples / set_log2_samples: Raw<u32> or Samples => 4[5..=3], "Number of Multisamples" = "The log2 of the number of samples, 0..=4.";
    interleaved_samples / set_interleaved_samples: Raw<bool> => 4[6..=6], "Multisampled Surface Storage Format" = "Samples are interleaved in x and y (depth and stencil) and not slices of their own.";
    view_extent / set_view_extent: Minus1 or ViewExtent => 4[17..=7], "Render Target View Extent" = "Slices that render and storage messages see.";
    min_array_element / set_min_array_element: Raw<u32> or MinArrayElement => 4[28..=18], "Minimum Array Element" = "The first slice of the view.";
    rotation / set_rotation: Raw<u8> => 4[30..=29], "Render Target And Sample Unorm Rotation" = "The rotation in quarter turns.";
    mip_count / set_mip_count: Minus1 or MipCount => 5[3..=0], "MIP Count / LOD" = "Levels of the view, counted from [`surface_min_lod`](Self::surface_min_lod).";
    surface_min_lod / set_surface_min_lod: Raw<u32> or SurfaceMinLod => 5[7..=4], "Surface Min LOD" = "The first level of the view.";
    mip_tail_start / set_mip_tail_start: Raw<u32> or MipTail => 5[11..=8], "Mip Tail Start LOD" = "The first level of the mip tail of tiled resources; 15: none.";
    ia_coherent / set_ia_coherent: Raw<bool> => 5[14..=14], "Coherency Type" = "Coherent with the processor's caches.";
    tiled_resource / set_tiled_resource: Raw<TiledResource> => 5[19..=18], "Tiled Resource Mode" = "Standard tiles instead of the Tile Mode.";
    ewa_disable_for_cube / set_ewa_disable_for_cube: Raw<bool> => 5[20..=20], "EWA Disable For Cube" = "Cubes are filtered without the EWA approximation.";
    y_offset / set_y_offset: Quarter or YOffset => 5[23..=21], "Y Offset" = "The first row of the surface in its tile, a multiple of 4.";
    x_offset / set_x_offset: Quarter or XOffset => 5[31..=25], "X Offset" = "The first element of the surface in its tile, a multiple of 4.";
    aux_mode / set_aux_mode: Raw<AuxMode> => 6[2..=0], "Auxiliary Surface Mode" = "What the auxiliary surface is (not for planar formats).";
    u_plane_y_offset / set_u_plane_y_offset: Raw<u32> => 6[13..=0], "Y Offset for U or UV Plane" = "The row of the U or UV plane (planar formats).";
    aux_pitch / set_aux_pitch: Minus1 or AuxPitch => 6[11..=3], "Auxiliary Surface Pitch" = "The pitch of the auxiliary surface in tiles (not for planar formats).";
    u_plane_x_offset / set_u_plane_x_offset: Raw<u32> => 6[29..=16], "X Offset for U or UV Plane" = "The column of the U or UV plane (planar formats).";
    aux_qpitch / set_aux_qpitch: Quarter or AuxQPitch => 6[30..=16], "Auxiliary Surface QPitch" = "The distance of slices in the auxiliary surface in rows (not for planar formats).";
    separate_uv / set_separate_uv: Raw<bool> => 6[31..=31], "Separate UV Plane Enable" = "U and V are planes of their own (planar formats).";
    resource_min_lod / set_resource_min_lod: Raw<u32> => 7[11..=0], "Resource Min LOD" = "The lowest LOD that is resident, U4.8, relative to the view.";
    select_alpha / set_select_alpha: Raw<ChannelSelect> => 7[18..=16], "Shader Channel Select Alpha" = "What the shader sees as alpha.";
    select_blue / set_select_blue: Raw<ChannelSelect> => 7[21..=19], "Shader Channel Select Blue" = "What the shader sees as blue.";
    select_green / set_select_green: Raw<ChannelSelect> => 7[24..=22], "Shader Channel Select Green" = "What the shader sees as green.";
    select_red / set_select_red: Raw<ChannelSelect> => 7[27..=25], "Shader Channel Select Red" = "What the shader sees as red.";
    memory_compression / set_memory_compression: Raw<bool> => 7[30..=30], "Memory Compression Enable" = "The memory is compressed by the media engine.";
    memory_compression_vertical / set_memory_compression_vertical: Raw<bool> => 7[31..=31], "Memory Compression Mode" = "The compression's direction: vertical and not horizontal.";
    base_address / set_base_address: Raw<u64> => 8[63..=0], "Surface Base Address" = "The address of the surface.";
    quilt_width / set_quilt_width: Minus1 or QuiltSize => 10[4..=0], "Quilt Width" = "Quilts in a row; 1 when not quilted.";
    quilt_height / set_quilt_height: Minus1 or QuiltSize => 10[9..=5], "Quilt Height" = "Quilts in a column; 1 when not quilted.";
    clear_address_enable / set_clear_address_enable: Raw<bool> => 10[10..=10], "Clear Value Address Enable" since Gen11 = "The clear colour is in memory.";
    aux_base_address / set_aux_base_address: Offset<u64, 12> => 10[63..=12], "Auxiliary Surface Base Address" = "The address of the auxiliary surface.";
    aux_table_index / set_aux_table_index: Raw<u32> => 10[31..=21], "Auxiliary Table Index for Media Compressed Surface" = "The media compression's table entry (when memory compression is on).";
    v_plane_y_offset / set_v_plane_y_offset: Raw<u32> => 11[13..=0], "Y Offset for V Plane" = "The row of the V plane (planar formats).";
    v_plane_x_offset / set_v_plane_x_offset: Raw<u32> => 11[29..=16], "X Offset for V Plane" = "The column of the V plane (planar formats).";
    clear_red / set_clear_red: Raw<u32> => 12[31..=0], "Red Clear Color" = "The clear colour's red, as the format has it (clear colour not in memory).";
    clear_conversion / set_clear_conversion: Raw<bool> => 12[5..=5], "Clear Color Conversion Enable" since Gen11 = "The clear colour in memory is converted (clear colour in memory).";
    clear_address / set_clear_address: Offset<u64, 6> => 12[47..=6], "Clear Value Address" since Gen11 = "The address of the clear colour (clear colour in memory).";
    clear_green / set_clear_green: Raw<u32> => 13[31..=0], "Green Clear Color" = "The clear colour's green.";
    clear_blue / set_clear_blue: Raw<u32> => 14[31..=0], "Blue Clear Color" = "The clear colour's blue.";
    clear_alpha / set_clear_alpha: Raw<u32> => 15[31..=0], "Alpha Clear Color" = "The clear colour's alpha.";
}

use super::field::{Minus1, Offset, Quarter, Raw};
use crate::error::{Error, Kind, Result, What};

impl SurfaceState {
    /// Horizontal alignment of levels in elements: 4, 8 or 16; 0 for the reserved code.
    pub fn halign(&self) -> u32 {
        alignment(self.halign_code())
    }

    /// Writes [`halign`](Self::halign): 4, 8 or 16; anything else gives the reserved code.
    pub fn set_halign(&mut self, elements: u32) -> &mut Self {
        self.set_halign_code(alignment_code(elements))
    }

    /// Vertical alignment of levels in rows of elements: 4, 8 or 16; 0 for the reserved code.
    pub fn valign(&self) -> u32 {
        alignment(self.valign_code())
    }

    /// Writes [`valign`](Self::valign): 4, 8 or 16; anything else gives the reserved code.
    pub fn set_valign(&mut self, rows: u32) -> &mut Self {
        self.set_valign_code(alignment_code(rows))
    }

    /// Samples of a texel: 1, 2, 4, 8, 16 (the codes 5..=7, 32 to 128, are reserved).
    pub fn samples(&self) -> u32 {
        1u32.wrapping_shl(self.log2_samples())
    }

    /// Writes [`samples`](Self::samples).
    ///
    /// # Errors
    /// `Invalid` [`Samples`](What::Samples): no power of two, or more than 128. The state is unchanged.
    pub fn set_samples(&mut self, samples: u32) -> Result<&mut Self> {
        if !samples.is_power_of_two() || samples > 128 {
            return Err(Error::new(Kind::Invalid, What::Samples).at(16).bit(3).value(samples.into()));
        }
        self.set_log2_samples(samples.trailing_zeros())
    }

    /// The channel or constant that the shader sees as each of R, G, B, A.
    pub fn channel_select(&self) -> [ChannelSelect; 4] {
        [self.select_red(), self.select_green(), self.select_blue(), self.select_alpha()]
    }

    /// Writes [`channel_select`](Self::channel_select).
    pub fn set_channel_select(&mut self, [red, green, blue, alpha]: [ChannelSelect; 4]) -> &mut Self {
        self.set_select_red(red).set_select_green(green).set_select_blue(blue).set_select_alpha(alpha)
    }

    /// The enabled faces of a cube: bit 0 +Z, 1 -Z, 2 +Y, 3 -Y, 4 +X, 5 -X.
    pub fn cube_faces(&self) -> u8 {
        self.dwords[0] as u8 & 0x3f
    }

    /// Writes [`cube_faces`](Self::cube_faces).
    pub fn set_cube_faces(&mut self, faces: u8) -> &mut Self {
        self.dwords[0] = self.dwords[0] & !0x3f | u32::from(faces) & 0x3f;
        self
    }

    /// Quilts in x and y; (1, 1) when not quilted.
    pub fn quilt(&self) -> (u32, u32) {
        (self.quilt_width(), self.quilt_height())
    }

    /// The clear colour in R, G, B, A, as the format has it (clear colour not in memory).
    pub fn clear_color(&self) -> [u32; 4] {
        [self.clear_red(), self.clear_green(), self.clear_blue(), self.clear_alpha()]
    }

    /// The number of elements of a BUFFER or STRBUF: Depth, Height and Width hold bits 30:21, 20:7 and 6:0
    /// of the number minus 1.
    pub fn buffer_elements(&self) -> u32 {
        let part = |value: u32, bits: u32| value.wrapping_sub(1) & ((1 << bits) - 1);
        let last = part(self.depth(), 10) << 21 | part(self.height(), 14) << 7 | part(self.width(), 7);
        last.wrapping_add(1)
    }

    /// Writes [`buffer_elements`](Self::buffer_elements).
    ///
    /// # Errors
    /// `Invalid` [`Elements`](What::Elements): not 1 to 2^31. The state is unchanged.
    pub fn set_buffer_elements(&mut self, elements: u32) -> Result<&mut Self> {
        let last = elements.wrapping_sub(1);
        if last >= 1 << 31 {
            return Err(Error::new(Kind::Invalid, What::Elements).at(8).bit(0).value(elements.into()));
        }
        self.set_width((last & 0x7f) + 1)?
            .set_height((last >> 7 & 0x3fff) + 1)?
            .set_depth((last >> 21 & 0x3ff) + 1)
    }

    /// Returns the state without its auxiliary surface, for a caller that knows that the driver has resolved it: what CCS
    /// and HiZ would add is then in the main surface. A multisample control surface (CCS_D of a surface with a plane for
    /// each sample) stays, since no other memory holds its contents.
    #[must_use]
    pub fn without_resolved_aux(mut self) -> Self {
        let planes =
            self.surface_type() == SurfaceType::D2 && self.samples() > 1 && !self.interleaved_samples();
        let control = planes && self.aux_mode() == AuxMode::CcsD;
        if !(control || self.has_no_aux()) {
            self.set_aux_mode(AuxMode::None);
        }
        self
    }

    /// Returns whether there is no auxiliary surface; true for planar formats, which have other fields in its place.
    pub(crate) fn has_no_aux(&self) -> bool {
        crate::format::Planar::of(self.format()).is_some() || self.aux_mode() == AuxMode::None
    }

    /// Returns whether the surface is a BUFFER or STRBUF.
    pub fn is_buffer(&self) -> bool {
        matches!(self.surface_type(), SurfaceType::Buffer | SurfaceType::Strbuf)
    }
}

const fn alignment(code: u8) -> u32 {
    if code == 0 { 0 } else { 2 << code }
}

const fn alignment_code(elements: u32) -> u8 {
    match elements {
        4 => 1,
        8 => 2,
        16 => 3,
        _ => 0,
    }
}
