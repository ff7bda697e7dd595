// Conditions on results of 8 and 16 bits, which compilers fold into the instruction that makes the result.
kernel void alu_narrow_signs(global uint *o, global const uint *a, global const uint *b) {
    size_t i = get_global_id(0);
    uint x = a[i], y = b[i];
    o[i * 8 + 0] = (char)(x ^ y) > 0;
    o[i * 8 + 1] = (short)(x + y) > 0;
    o[i * 8 + 2] = (uchar)(x - y) != 0;
    o[i * 8 + 3] = (char)(x & y) < 0;
    o[i * 8 + 4] = (short)(x | y) <= 0;
    o[i * 8 + 5] = (char)((ulong)i ^ ((ulong)x << 32 | y)) > 0 ? x : y;
    o[i * 8 + 6] = (short)(x * y) >= 0 ? 7 : 9;
    o[i * 8 + 7] = (char)(x >> 3) == 0;
}
