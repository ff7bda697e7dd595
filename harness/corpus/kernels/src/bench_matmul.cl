// C = A * B of n x n floats, by tiles of 16 x 16 in local memory.
__attribute__((reqd_work_group_size(16, 16, 1)))
kernel void matmul(global const float* a, global const float* b, global float* c, int n) {
  local float ta[16][16], tb[16][16];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    ta[j][i] = a[y * n + k + i];
    tb[j][i] = b[(k + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < 16; m++) sum = mad(ta[j][m], tb[m][i], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
