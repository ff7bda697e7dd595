// The demo's kernels: one effect each, named after what its image message does.
// Compiled by Intel's compiler, see README.md beside this file.

#define LANES(n) __attribute__((intel_reqd_sub_group_size(n)))

constant sampler_t smooth_repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
constant sampler_t smooth_mirror = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
constant sampler_t smooth_edge = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t smooth_border = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant sampler_t sharp_repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
constant sampler_t texel_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

static int2 pixel(void) { return (int2)(get_global_id(0), get_global_id(1)); }

LANES(16) kernel void bilinear(read_only image2d_t picture, write_only image2d_t out, float2 scale)
{
    write_imagef(out, pixel(), read_imagef(picture, smooth_repeat, convert_float2(pixel()) * scale));
}

LANES(16) kernel void nearest(read_only image2d_t picture, write_only image2d_t out, float2 scale)
{
    write_imagef(out, pixel(), read_imagef(picture, sharp_repeat, convert_float2(pixel()) * scale));
}

LANES(16) kernel void mirror(read_only image2d_t picture, write_only image2d_t out, float2 scale)
{
    write_imagef(out, pixel(), read_imagef(picture, smooth_mirror, convert_float2(pixel()) * scale));
}

LANES(16) kernel void border(read_only image2d_t picture, write_only image2d_t out, float2 scale)
{
    write_imagef(out, pixel(), read_imagef(picture, smooth_border, convert_float2(pixel()) * scale));
}

LANES(16) kernel void mip_level(read_only image2d_t picture, write_only image2d_t out, float2 scale, float lod)
{
    write_imagef(out, pixel(), read_imagef(picture, smooth_repeat, convert_float2(pixel()) * scale, lod));
}

LANES(8) kernel void mip_gradients(read_only image2d_t picture, write_only image2d_t out, float2 scale, float2 dx, float2 dy)
{
    write_imagef(out, pixel(), read_imagef(picture, smooth_repeat, convert_float2(pixel()) * scale, dx, dy));
}

LANES(8) kernel void layers(read_only image2d_array_t pictures, write_only image2d_t out, float2 scale, float layer)
{
    float2 p = convert_float2(pixel()) * scale;
    write_imagef(out, pixel(), read_imagef(pictures, smooth_edge, (float4)(p, layer, 0)));
}

LANES(8) kernel void volume(read_only image3d_t pictures, write_only image2d_t out, float2 scale, float depth)
{
    float2 p = convert_float2(pixel()) * scale;
    write_imagef(out, pixel(), read_imagef(pictures, smooth_edge, (float4)(p, depth, 0)));
}

LANES(16) kernel void scanline(read_only image1d_t line, write_only image2d_t out, float scale)
{
    write_imagef(out, pixel(), read_imagef(line, smooth_repeat, pixel().x * scale));
}

LANES(16) kernel void fetch(read_only image2d_t picture, write_only image2d_t out)
{
    write_imagef(out, pixel(), read_imagef(picture, pixel()));
}

LANES(16) kernel void texels(read_only image2d_t picture, write_only image2d_t out)
{
    write_imagef(out, pixel(), read_imagef(picture, texel_edge, convert_float2(pixel())));
}

LANES(8) kernel void edges(read_only image2d_t picture, write_only image2d_t out, float2 scale)
{
    float2 p = convert_float2(pixel()) * scale;
    float4 left = read_imagef(picture, smooth_edge, p - (float2)(scale.x, 0));
    float4 right = read_imagef(picture, smooth_edge, p + (float2)(scale.x, 0));
    write_imagef(out, pixel(), fabs(right - left));
}
