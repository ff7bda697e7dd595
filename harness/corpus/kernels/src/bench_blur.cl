// A 3 x 3 tent blur with four bilinear samples for each pixel.
constant sampler_t S = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void blur(read_only image2d_t from, write_only image2d_t to, float2 step) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float2 centre = (convert_float2(at) + 0.5f) * step;
  float2 half_step = 0.5f * step;
  float4 sum = read_imagef(from, S, centre + half_step) + read_imagef(from, S, centre - half_step) +
               read_imagef(from, S, centre + (float2)(half_step.x, -half_step.y)) +
               read_imagef(from, S, centre + (float2)(-half_step.x, half_step.y));
  write_imagef(to, at, sum * 0.25f);
}
