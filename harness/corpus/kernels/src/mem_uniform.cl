// Every work item stores the same vectors at the same addresses: the compiler makes one scalar store of each.
kernel void mem_uniform(global int *out, int a, int b, global const int *in) {
    int4 v = vload4(0, in);
    out[0] = a;
    out[1] = b;
    out[2] = a + b;
    out[3] = a - b;
    vstore4(v.wzyx + a, 1, out);
    vstore2(v.xy * b, 4, out);
    vstore3(v.xyz - b, 4, out);
    out[16 + get_global_id(0)] = out[1] + (int)get_global_id(0);
}
