/* texwire: the C interface. Made by cbindgen of harness/capi; `UPDATE=1 cargo test -p texwire-capi` writes it. */

#ifndef TEXWIRE_H
#define TEXWIRE_H

#include <stddef.h>
#include <stdint.h>

/*
 The version of the functions and structures in this header: another number, another layout or meaning.
 */
#define TEXWIRE_ABI_VERSION 2

/*
 Gen9 (Skylake).
 */
#define TEXWIRE_GEN9 0

/*
 Gen11 (Ice Lake).
 */
#define TEXWIRE_GEN11 1

/*
 Gen12 Xe-LP (Tiger Lake).
 */
#define TEXWIRE_XE_LP 2

/*
 Gen12.7 Xe-HPG (DG2).
 */
#define TEXWIRE_XE_HPG 3

/*
 Xe-HPC (Ponte Vecchio), vISA only.
 */
#define TEXWIRE_XE_HPC 4

/*
 NVIDIA Maxwell.
 */
#define TEXWIRE_MAXWELL 5

/*
 NVIDIA Pascal.
 */
#define TEXWIRE_PASCAL 6

/*
 No position: of `offset` and `bit`.
 */
#define TEXWIRE_NOWHERE UINT32_MAX

/*
 The bytes are there.
 */
#define TEXWIRE_MAPPED 0

/*
 A null page: reads 0, writes vanish.
 */
#define TEXWIRE_NULL_PAGE 1

/*
 Nothing is there.
 */
#define TEXWIRE_FAULT 2

/*
 A texture header, 8 dwords.
 */
#define TEXWIRE_NV_HEADER 0

/*
 A texture sampler, 8 dwords.
 */
#define TEXWIRE_NV_SAMPLER 1

/*
 A texel of the surface.
 */
#define TEXWIRE_TAP_TEXEL 0

/*
 An element of the multisample control surface.
 */
#define TEXWIRE_TAP_CONTROL 1

/*
 The clear colour in place of a sample.
 */
#define TEXWIRE_TAP_CLEAR_COLOR 2

/*
 RENDER_SURFACE_STATE, 16 dwords.
 */
#define TEXWIRE_SURFACE_STATE 0

/*
 SAMPLER_STATE, 4 dwords.
 */
#define TEXWIRE_SAMPLER_STATE 1

/*
 SAMPLER_BORDER_COLOR_STATE, 4 dwords.
 */
#define TEXWIRE_BORDER_COLOR 2

/*
 BINDING_TABLE_STATE, 1 dword.
 */
#define TEXWIRE_BINDING_TABLE_ENTRY 3

/*
 INTERFACE_DESCRIPTOR_DATA, 8 dwords.
 */
#define TEXWIRE_INTERFACE_DESCRIPTOR 4

/*
 Nothing: the chunk is used up.
 */
#define TEXWIRE_EVENT_NONE 0

/*
 A good frame.
 */
#define TEXWIRE_EVENT_FRAME 1

/*
 Bytes that are no good frame.
 */
#define TEXWIRE_EVENT_DROPPED 2

/*
 A CISA file.
 */
#define TEXWIRE_WIRE_VISA 0

/*
 A stream of Gen native instructions.
 */
#define TEXWIRE_WIRE_GEN 1

/*
 An NVIDIA code section.
 */
#define TEXWIRE_WIRE_TXQ 2

/*
 Why a function failed.
 */
enum texwire_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   It did not fail.
   */
  TEXWIRE_STATUS_OK = 0,
  /*
   The input ends before the thing does.
   */
  TEXWIRE_STATUS_TRUNCATED = 1,
  /*
   A number that the format's tables do not define.
   */
  TEXWIRE_STATUS_UNKNOWN = 2,
  /*
   A number or bit that the format reserves.
   */
  TEXWIRE_STATUS_RESERVED = 3,
  /*
   A field whose value contradicts the rest.
   */
  TEXWIRE_STATUS_INVALID = 4,
  /*
   Legal on another platform.
   */
  TEXWIRE_STATUS_NOT_ON_PLATFORM = 5,
  /*
   Legal, but not done by this library.
   */
  TEXWIRE_STATUS_UNSUPPORTED = 6,
  /*
   Memory that is not there.
   */
  TEXWIRE_STATUS_FAULT = 7,
  /*
   A caller's buffer is too small.
   */
  TEXWIRE_STATUS_CAPACITY = 8,
  /*
   An argument is null, misaligned, too short or not a number that the function knows.
   */
  TEXWIRE_STATUS_ARGUMENT = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum texwire_status texwire_status;
#else
typedef uint32_t texwire_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 A decoder of trace streams in the caller's storage.
 */
typedef struct texwire_decoder texwire_decoder;

/*
 A device in the caller's storage.
 */
typedef struct texwire_device texwire_device;

/*
 A prepared message in the caller's storage, with the room that its execution needs.
 */
typedef struct texwire_prepared texwire_prepared;

/*
 Base addresses and the pointers of a thread's tables.
 */
typedef struct texwire_heaps {
  /*
   Surface State Base Address.
   */
  uint64_t surface_state;
  /*
   Dynamic State Base Address.
   */
  uint64_t dynamic_state;
  /*
   Bindless Surface State Base Address.
   */
  uint64_t bindless_surface_state;
  /*
   Bindless Sampler State Base Address.
   */
  uint64_t bindless_sampler_state;
  /*
   Binding Table Pointer: an offset from surface state base.
   */
  uint32_t binding_table;
  /*
   Sampler State Pointer: an offset from dynamic state base.
   */
  uint32_t sampler_table;
} texwire_heaps;

/*
 What failed, where, and the value found.
 */
typedef struct texwire_error {
  /*
   The value found. With `TEXWIRE_STATUS_TRUNCATED` the bytes needed; with `TEXWIRE_STATUS_CAPACITY` too, of
   `texwire_device_footprint` the texels; with `TEXWIRE_STATUS_FAULT` the address.
   */
  uint64_t value;
  /*
   A `texwire_status`.
   */
  uint32_t status;
  /*
   The thing that was wrong, for `texwire_error_text`; of an argument its number, from 0.
   */
  uint32_t what;
  /*
   Byte offset in the input, or `TEXWIRE_NOWHERE`.
   */
  uint32_t offset;
  /*
   Bit from there, or `TEXWIRE_NOWHERE`.
   */
  uint32_t bit;
} texwire_error;

/*
 What a thread has when it sends.
 */
typedef struct texwire_thread {
  /*
   The general registers, 32 bytes each, from r0 on.
   */
  uint8_t *registers;
  /*
   Bytes of them.
   */
  size_t registers_size;
  /*
   Channels that are alive and at this instruction, bit n = channel n.
   */
  uint32_t dispatch;
  /*
   Flag registers f0 and f1; subregister 1 is bits 31:16.
   */
  uint32_t flags[2];
  /*
   Address register a0 as dwords: descriptors that an instruction does not hold.
   */
  uint32_t address[8];
} texwire_thread;

/*
 A page table of one step: where each page of a range of addresses is among frames that lie in one piece.
 */
typedef struct texwire_page_table {
  /*
   The address of the first page.
   */
  uint64_t base;
  /*
   The frame of each page. A number past the last frame, such as `UINT32_MAX`: the page is not there or a null page,
   and `read` says which. So are pages past the end.
   */
  const uint32_t *frames;
  /*
   Pages.
   */
  size_t pages;
  /*
   All frames, one after the other.
   */
  const uint8_t *bytes;
  /*
   Bytes of all frames.
   */
  size_t size;
  /*
   log2 of the bytes of a page and of a frame, 12 for 4 KiB.
   */
  uint32_t log2_page;
} texwire_page_table;

/*
 Memory as the sampler sees it. With `read` null it is the range of `size` bytes at `bytes`, whose first one has the
 address `base`; else it is the callbacks, which get `user`.
 */
typedef struct texwire_memory {
  /*
   The address of the first byte of the range.
   */
  uint64_t base;
  /*
   The range; written by uploads only.
   */
  uint8_t *bytes;
  /*
   Bytes of the range.
   */
  size_t size;
  /*
   The callbacks' first argument.
   */
  void *user;
  /*
   Reads `size` bytes at `address`: `TEXWIRE_MAPPED`, `TEXWIRE_NULL_PAGE` or `TEXWIRE_FAULT`. States (64 bytes), blocks, and
   texels of a power of two of bytes are aligned to their size if their heap or surface and its pitch are. Other texels of linear
   surfaces (3, 6, 12, 24 bytes) can lie across two pages.
   */
  uint32_t (*read)(void *user, uint64_t address, uint8_t *bytes, size_t size);
  /*
   Writes; null: memory is read only.
   */
  uint32_t (*write)(void *user, uint64_t address, const uint8_t *bytes, size_t size);
  /*
   The bytes at `address` if `size` of them are contiguous, else null; may be null. They must stay as they are until the
   function returns that was given the memory. Makes sampling faster.
   */
  const uint8_t *(*slice)(void *user, uint64_t address, size_t size);
  /*
   Fills in where the pages of `size` bytes at `address` are and returns 1, or returns 0; may be null. What it points to must stay as it
   is until the function returns that was given the memory. The fastest way to sample memory in pages.
   */
  uint32_t (*page_table)(void *user, uint64_t address, size_t size, struct texwire_page_table *table);
} texwire_memory;

/*
 What became of a message.
 */
typedef struct texwire_outcome {
  /*
   The address of the first element that `fault_lane` could not read, whichever byte of that is not mapped; 0 without a fault.
   */
  uint64_t fault_address;
  /*
   Lanes that executed.
   */
  uint32_t lanes;
  /*
   Lanes that read memory that is not there: their result is 0.
   */
  uint32_t faults;
  /*
   Lanes that read a null page.
   */
  uint32_t null_lanes;
  /*
   The first lane with a fault, or -1.
   */
  int32_t fault_lane;
} texwire_outcome;

/*
 A message, whoever sends it. Start from `texwire_message_init`.
 */
typedef struct texwire_message {
  /*
   The operation's number (`texwire_op_name`).
   */
  uint32_t op;
  /*
   Lanes of the message: 1, 2, 4, 8, 16 or 32.
   */
  uint32_t simd;
  /*
   Lanes to execute, bit per lane.
   */
  uint32_t lanes;
  /*
   How many parameters are present.
   */
  uint32_t params;
  /*
   Bits of an element of a parameter: 16 or 32.
   */
  uint32_t param_bits;
  /*
   Bits of an element of the result: 16 or 32.
   */
  uint32_t return_bits;
  /*
   Channels that are returned, bit 0 red .. 3 alpha.
   */
  uint32_t channels;
  /*
   Source channel of gather4.
   */
  uint32_t gather;
  /*
   Texel offsets in U, V, R, -8..=7.
   */
  int32_t offsets[3];
  /*
   Not 0: the pixel null mask follows the channels.
   */
  uint32_t null_mask;
  /*
   Not 0: the kill mask follows the channels and the pixel null mask (`sample+killpix`).
   */
  uint32_t kill_mask;
  /*
   Not 0: the LOD is compensated for coarse pixels.
   */
  uint32_t cps;
  /*
   Surface: an index of the binding table, or a handle when `bindless_surface` is not 0.
   */
  uint32_t surface;
  /*
   The surface is bindless.
   */
  uint32_t bindless_surface;
  /*
   Sampler: an index of the sampler table, or a handle when `bindless_sampler` is not 0.
   */
  uint32_t sampler;
  /*
   The sampler is bindless.
   */
  uint32_t bindless_sampler;
} texwire_message;

/*
 Where the state of a Maxwell or Pascal is.
 */
typedef struct texwire_pools {
  /*
   The header pool, 32 bytes an entry.
   */
  uint64_t headers;
  /*
   The sampler pool, 32 bytes an entry.
   */
  uint64_t samplers;
  /*
   The constant bank with the handles.
   */
  uint64_t constants;
  /*
   The class of the headers: 0xb097 (SM 5.0), 0xb197 (SM 5.2 and 5.3) or 0xc097 (SM 6.x).
   */
  uint32_t class_code;
  /*
   MAXIMUM_INDEX of the header pool.
   */
  uint32_t max_header;
  /*
   MAXIMUM_INDEX of the sampler pool.
   */
  uint32_t max_sampler;
  /*
   Not 0: via header binding.
   */
  uint32_t via_header;
} texwire_pools;

/*
 The registers and masks of a warp.
 */
typedef struct texwire_warp {
  /*
   R registers from R0 on, 128 bytes each: lane 0 to 31, 4 bytes a lane.
   */
  uint8_t *registers;
  /*
   Bytes of them.
   */
  size_t registers_size;
  /*
   Lanes that are active, bit per lane.
   */
  uint32_t active;
  /*
   Predicates P0 to P6, bit per lane.
   */
  uint32_t predicates[7];
} texwire_warp;

/*
 The level of detail of a lane, and how many texels it has.
 */
typedef struct texwire_footprint {
  /*
   Not 0: the message filters, and the LOD's fields mean something.
   */
  uint32_t has_lod;
  /*
   The LOD with every bias, before the clamps.
   */
  float lod;
  /*
   The LOD after the clamps, counted from the view's first level.
   */
  float clamped;
  /*
   The finer and the coarser level, counted from the start of memory.
   */
  uint32_t levels[2];
  /*
   Weight of the coarser level: with 0 only the finer one is read, with 1 only the coarser one.
   */
  float fraction;
  /*
   Not 0: the magnification filter applies.
   */
  uint32_t magnified;
  /*
   Samples of the anisotropic filter on each level.
   */
  uint32_t anisotropic_samples;
  /*
   The weight of the border colour in the result (gather4: in each channel).
   */
  float border[4];
  /*
   How many texels.
   */
  uint32_t taps;
} texwire_footprint;

/*
 A read of memory.
 */
typedef struct texwire_read {
  /*
   The address of the first byte.
   */
  uint64_t address;
  /*
   How many bytes.
   */
  uint32_t size;
  /*
   What was there: `TEXWIRE_MAPPED`, `TEXWIRE_NULL_PAGE` or `TEXWIRE_FAULT`.
   */
  uint32_t access;
} texwire_read;

/*
 A texel that a lane's result depends on.
 */
typedef struct texwire_tap {
  /*
   The reads of its element in order: mostly one; of three pieces; luma and chroma.
   */
  struct texwire_read reads[3];
  /*
   How many of them there are.
   */
  uint32_t read_count;
  /*
   `TEXWIRE_TAP_TEXEL` ...
   */
  uint32_t kind;
  /*
   The level, counted from the start of memory.
   */
  uint32_t level;
  /*
   Array layer, `layer * 6 + face`, or z, counted from the start of memory.
   */
  uint32_t slice;
  /*
   Column.
   */
  uint32_t x;
  /*
   Row.
   */
  uint32_t y;
  /*
   The plane of a multisampled surface.
   */
  uint32_t sample;
  /*
   The channel of the result that it is in: 0 but for the gather4 family.
   */
  uint32_t channel;
  /*
   Its weight in the result.
   */
  float weight;
} texwire_tap;

/*
 Payloads of messages, one after another, and where their results go.
 */
typedef struct texwire_batch {
  /*
   How many messages.
   */
  size_t count;
  /*
   Lanes to execute of each message, bit per lane; null: all lanes of every message.
   */
  const uint32_t *lanes;
  /*
   The parameters of the first message.
   */
  const uint8_t *params;
  /*
   Bytes of all parameters.
   */
  size_t params_size;
  /*
   Bytes from parameter to parameter of a message.
   */
  size_t param_stride;
  /*
   Bytes from the parameters of a message to those of the next.
   */
  size_t message_stride;
  /*
   The results; bytes of lanes and channels that are off stay.
   */
  uint8_t *results;
  /*
   Bytes of all results.
   */
  size_t results_size;
  /*
   Bytes from a result to the next.
   */
  size_t result_stride;
  /*
   What became of each message; null: nobody wants to know.
   */
  struct texwire_outcome *outcomes;
} texwire_batch;

/*
 A surface by description; unset sizes are 1.
 */
typedef struct texwire_surface_description {
  /*
   The address of the first byte.
   */
  uint64_t base_address;
  /*
   0 1D, 1 2D, 2 3D, 3 CUBE, 4 BUFFER, as the state's Surface Type.
   */
  uint32_t surface_type;
  /*
   The PRM's number of the format.
   */
  uint32_t format;
  /*
   Width in texels; of a buffer its elements.
   */
  uint32_t width;
  /*
   Height in texels.
   */
  uint32_t height;
  /*
   Depth of 3D, layers, or cubes.
   */
  uint32_t depth;
  /*
   Levels.
   */
  uint32_t levels;
  /*
   Samples of a texel.
   */
  uint32_t samples;
  /*
   0 linear, 1 W-major, 2 X-major, 3 Y-major, as the state's Tile Mode.
   */
  uint32_t tile_mode;
  /*
   0 none, 1 Yf, 2 Ys, as the state's Tiled Resource Mode.
   */
  uint32_t tiled_resource;
} texwire_surface_description;

/*
 What a decoder found.
 */
typedef struct texwire_event {
  /*
   Byte offset of its first byte in the stream.
   */
  uint64_t at;
  /*
   Bytes dropped.
   */
  uint64_t dropped;
  /*
   The frame's payload; it lives until the decoder is used again.
   */
  const uint8_t *payload;
  /*
   Bytes of it.
   */
  size_t payload_size;
  /*
   `TEXWIRE_EVENT_NONE`, `TEXWIRE_EVENT_FRAME` or `TEXWIRE_EVENT_DROPPED`.
   */
  uint32_t event;
  /*
   The frame's kind.
   */
  uint32_t kind;
  /*
   The frame's flags.
   */
  uint32_t flags;
  /*
   The frame's number.
   */
  uint32_t sequence;
  /*
   Frames missing before it.
   */
  uint32_t lost;
} texwire_event;

/*
 A rectangle of texels of one level, slice and sample.
 */
typedef struct texwire_region {
  /*
   The level, counted from the start of memory.
   */
  uint32_t level;
  /*
   Array layer, `layer * 6 + face`, or z.
   */
  uint32_t slice;
  /*
   The sample.
   */
  uint32_t sample;
  /*
   First column in texels, a multiple of the format's block width.
   */
  uint32_t x;
  /*
   First row in texels, a multiple of the format's block height.
   */
  uint32_t y;
  /*
   Width in texels; 0: to the level's edge.
   */
  uint32_t width;
  /*
   Height in texels; 0: to the level's edge.
   */
  uint32_t height;
} texwire_region;

/*
 A sampler instruction, or a place that does not decode.
 */
typedef struct texwire_instruction {
  /*
   Byte offset in the input.
   */
  size_t offset;
  /*
   The text of the reference tool, closed with a NUL; cut at 255 bytes. It lives until the callback returns. An error's text
   when `status` is not `TEXWIRE_STATUS_OK`.
   */
  const char *text;
  /*
   The names of the rules that it breaks, with commas between; as `text`.
   */
  const char *rules;
  /*
   `TEXWIRE_STATUS_OK`, or why the place does not decode.
   */
  texwire_status status;
} texwire_instruction;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The `TEXWIRE_ABI_VERSION` of the library: compare it with the header's.
 */
uint32_t texwire_abi_version(void);

/*
 Bytes of storage for a device.
 */
size_t texwire_device_size(void);

/*
 Alignment of storage for a device: 8 at most.
 */
size_t texwire_device_align(void);

/*
 Makes a device in `storage` and writes its place to `device`. It needs no end: storage may be used for other things
 when the device is no longer needed.

 # Safety
 `storage` has `size` bytes that live and are used for nothing else while the device is used; `heaps` points to heaps,
 `device` to a pointer; `error` is null or points to an error.
 */
texwire_status texwire_device_init(void *storage,
                                   size_t size,
                                   uint32_t platform_number,
                                   const struct texwire_heaps *heaps,
                                   struct texwire_device **device,
                                   struct texwire_error *error);

/*
 Sets the heaps and tables. What is bound stays: it is known by the bits of its state.

 # Safety
 `device` was made by `texwire_device_init`, `heaps` points to heaps; `error` is null or points to an error.
 */
texwire_status texwire_device_set_heaps(struct texwire_device *device,
                                        const struct texwire_heaps *heaps,
                                        struct texwire_error *error);

/*
 Sets the arithmetic of filters (`fixed8` not 0: 8-bit fractions, as hardware) and the LOD of coarse pixels.

 # Safety
 `device` was made by `texwire_device_init`; `error` is null or points to an error.
 */
texwire_status texwire_device_set_options(struct texwire_device *device,
                                          uint32_t fixed8,
                                          float coarse_lod,
                                          struct texwire_error *error);

/*
 Sets the palettes 0 and 1 that formats of indices refer to (`P8_UNORM_PALETTE1`): entries of 8 bits each for alpha (31:24), red
 (23:16), green (15:8) and blue (7:0). Entries past the end are 0. Surfaces of a palette without entries, as it is
 before it is set, are refused (`TEXWIRE_STATUS_UNSUPPORTED`).

 # Safety
 `device` was made by `texwire_device_init`; `palette0` and `palette1` have `count0` and `count1` entries, which live and stay as
 they are until others are set or the device is no longer used (null if there are none); `error` is null or points to an error.
 */
texwire_status texwire_device_set_palettes(struct texwire_device *device,
                                           const uint32_t *palette0,
                                           size_t count0,
                                           const uint32_t *palette1,
                                           size_t count1,
                                           struct texwire_error *error);

/*
 Drops all prepared messages, bound samplers and lowered sends. A change of heaps, tables or states does not need it: what is kept
 is used only while the states in memory have the same bits.

 # Safety
 `device` was made by `texwire_device_init`; `error` is null or points to an error.
 */
texwire_status texwire_device_invalidate(struct texwire_device *device,
                                         struct texwire_error *error);

/*
 Executes a `send` of 16 bytes to the sampler: takes its payload from the thread's registers and writes its result there.
 Lanes and channels that are off keep what the destination held. On a failure no register is written.

 # Safety
 `device` was made by `texwire_device_init`; `instruction` points to 16 bytes, `thread` to a thread whose registers may be
 written, `memory` to memory; `outcome` is null or points to an outcome, `error` is null or points to an error.
 */
texwire_status texwire_device_send(struct texwire_device *device,
                                   const uint8_t *instruction,
                                   const struct texwire_thread *thread,
                                   const struct texwire_memory *memory,
                                   struct texwire_outcome *outcome,
                                   struct texwire_error *error);

/*
 Executes a message on states that are given and not looked for in heaps.

 Parameters lie one after another, `param_stride` bytes apart, lanes of 2 or 4 bytes each. The result goes to `result` as
 channels of whole registers of 32 bytes; `result_size` may be more than it needs.

 # Safety
 `device` was made by `texwire_device_init`; `message` points to a message, `surface_dwords` to 16 dwords; `sampler` and
 `border` are null or point to 4 dwords each; `params` has `params_size` bytes, `result` `result_size` that may be written;
 `memory` points to memory; `outcome` is null or points to an outcome, `error` is null or points to an error.
 */
texwire_status texwire_device_execute(struct texwire_device *device,
                                      const struct texwire_message *message,
                                      const uint32_t *surface_dwords,
                                      const uint32_t *sampler,
                                      const uint32_t *border,
                                      const uint8_t *params,
                                      size_t params_size,
                                      size_t param_stride,
                                      const struct texwire_memory *memory,
                                      uint8_t *result,
                                      size_t result_size,
                                      struct texwire_outcome *outcome,
                                      struct texwire_error *error);

/*
 A SIMD8 message of an operation: all lanes, channels and parameters, 32 bits.

 # Safety
 `message` points to a message; `error` is null or points to an error.
 */
texwire_status texwire_message_init(struct texwire_message *message,
                                    uint32_t op_number,
                                    struct texwire_error *error);

/*
 Writes the name of an operation ("sample_l"); numbers go from 0 up. Returns the length without the NUL, 0 for a number that is
 none.

 # Safety
 `buffer` is null or has `size` bytes.
 */
size_t texwire_op_name(uint32_t op_number,
                       char *buffer,
                       size_t size);

/*
 The error in one sentence. Returns its length without the NUL; what `size` bytes do not hold is cut off.

 # Safety
 `error` is null or points to an error; `buffer` is null or has `size` bytes.
 */
size_t texwire_error_text(const struct texwire_error *error,
                          char *buffer,
                          size_t size);

/*
 Reads a field of a texture header (`TEXWIRE_NV_HEADER`) or sampler of a class by its name in the class headers, as it is
 stored.

 # Safety
 `dwords` points to 8 dwords, `name` to a string, `value` to a number; `error` is null or points to an error.
 */
texwire_status texwire_nv_get(uint32_t structure,
                              uint32_t class_code,
                              const uint32_t *dwords,
                              const char *name,
                              uint32_t *value,
                              struct texwire_error *error);

/*
 Writes a field of a texture header or sampler, as it is stored. A value that does not fit is refused.

 # Safety
 `dwords` points to 8 dwords, `name` to a string; `error` is null or points to an error.
 */
texwire_status texwire_nv_set(uint32_t structure,
                              uint32_t class_code,
                              uint32_t *dwords,
                              const char *name,
                              uint32_t value,
                              struct texwire_error *error);

/*
 Executes a TXQ or TXQ.B (`word`, with its 21 bits of control) for a warp: takes its sources from the registers and writes its
 components there. On a failure no register is written, as where the constant bank does not have the handle of a TXQ.

 Lanes without an answer are `faults` of the outcome, and their result is 0: memory does not have their header, or the header is
 of a kind for which the query has no answer. `fault_address` is that of the header of `fault_lane`, 0 if memory has it.

 # Safety
 `pools` points to pools, `warp` to a warp whose registers may be written, `memory` to memory; `outcome` is null or points
 to an outcome, `error` is null or points to an error.
 */
texwire_status texwire_txq_execute(const struct texwire_pools *pools,
                                   uint64_t word,
                                   uint32_t control,
                                   const struct texwire_warp *warp,
                                   const struct texwire_memory *memory,
                                   struct texwire_outcome *outcome,
                                   struct texwire_error *error);

/*
 Tells what lane `lane` of a message reads, active or not, in the order of the first reads. With `surface_dwords` null the
 states are those that the message names in the device's heaps. Takes an execution for each texel and leaves the device as it
 is; nothing is written but `footprint` and `taps`.

 With less `capacity` than there are texels it fails with `TEXWIRE_STATUS_CAPACITY` and the number of texels in the error's value.
 128 are enough for every lane. A library with the feature `small` has room for 16, which are enough without anisotropic
 filtering; it refuses lanes with more whatever `capacity` is, and the error's value is 17.

 All reads of an execution, as they happen, come to `read` of a `texwire_memory` whose `slice` and `page_table` are null.

 # Safety
 `device` was made by `texwire_device_init`; `message` points to a message, `surface_dwords` is null or points to 16
 dwords; `sampler` and `border` are null or point to 4 dwords each; `params` has `params_size` bytes; `memory` points to
 memory, `footprint` to a footprint; `taps` has `capacity` taps; `error` is null or points to an error.
 */
texwire_status texwire_device_footprint(const struct texwire_device *device,
                                        const struct texwire_message *message,
                                        const uint32_t *surface_dwords,
                                        const uint32_t *sampler,
                                        const uint32_t *border,
                                        const uint8_t *params,
                                        size_t params_size,
                                        size_t param_stride,
                                        uint32_t lane,
                                        const struct texwire_memory *memory,
                                        struct texwire_footprint *footprint,
                                        struct texwire_tap *taps,
                                        size_t capacity,
                                        struct texwire_error *error);

/*
 Bytes of storage for a prepared message.
 */
size_t texwire_prepared_size(void);

/*
 Alignment of storage for a prepared message: 8 at most.
 */
size_t texwire_prepared_align(void);

/*
 Prepares a message in `storage` and writes its place to `prepared`; lanes and bindings of the message play no part. It
 needs no end, and does not change when the states do: prepare it anew then. Surfaces whose format refers to a palette are
 refused (`TEXWIRE_STATUS_UNSUPPORTED`): see `texwire_prepared_init_with_palette`.

 # Safety
 `storage` has `size` bytes that live and are used for nothing else while the message is used; `message` points to a
 message, `surface_dwords` to 16 dwords; `sampler` and `border` are null or point to 4 dwords each; `prepared` points to a
 pointer; `error` is null or points to an error.
 */
texwire_status texwire_prepared_init(void *storage,
                                     size_t size,
                                     uint32_t platform_number,
                                     const struct texwire_message *message,
                                     const uint32_t *surface_dwords,
                                     const uint32_t *sampler,
                                     const uint32_t *border,
                                     uint32_t fixed8,
                                     float coarse_lod,
                                     struct texwire_prepared **prepared,
                                     struct texwire_error *error);

/*
 `texwire_prepared_init` for a surface whose format refers to a palette (`P8_UNORM_PALETTE1`): `palette` is the one that the format
 names, with entries of 8 bits each for alpha (31:24), red (23:16), green (15:8) and blue (7:0). Entries past the end are 0;
 without entries the surface is refused. Other formats do not read it.

 # Safety
 As of `texwire_prepared_init`; `palette` has `palette_count` entries, which live and stay as they are while the message is
 used (null if there are none).
 */
texwire_status texwire_prepared_init_with_palette(void *storage,
                                                  size_t size,
                                                  uint32_t platform_number,
                                                  const struct texwire_message *message,
                                                  const uint32_t *surface_dwords,
                                                  const uint32_t *sampler,
                                                  const uint32_t *border,
                                                  uint32_t fixed8,
                                                  float coarse_lod,
                                                  const uint32_t *palette,
                                                  size_t palette_count,
                                                  struct texwire_prepared **prepared,
                                                  struct texwire_error *error);

/*
 Bytes of the result of a prepared message: channels of whole registers of 32 bytes, then the masks that it asks for. 0 for
 null.

 # Safety
 `prepared` is null or was made by `texwire_prepared_init`.
 */
size_t texwire_prepared_result_size(const struct texwire_prepared *prepared);

/*
 Executes a prepared message for `lanes` (bit per lane). Parameters and result as of `texwire_device_execute`.

 # Safety
 `prepared` was made by `texwire_prepared_init`; `params` has `params_size` bytes, `result` `result_size` that may be
 written; `memory` points to memory; `outcome` is null or points to an outcome, `error` is null or points to an error.
 */
texwire_status texwire_prepared_execute(struct texwire_prepared *prepared,
                                        uint32_t lanes,
                                        const uint8_t *params,
                                        size_t params_size,
                                        size_t param_stride,
                                        const struct texwire_memory *memory,
                                        uint8_t *result,
                                        size_t result_size,
                                        struct texwire_outcome *outcome,
                                        struct texwire_error *error);

/*
 Executes a prepared message with many payloads. `done` gets the number of messages that were executed: on a failure those
 before the one that failed. With too little room for the results it fails with `TEXWIRE_STATUS_CAPACITY`, and the error's value is the
 bytes of the results of all messages.

 # Safety
 `prepared` was made by `texwire_prepared_init`; `batch` points to a batch: its `lanes` are null or `count` numbers, `params`
 has `params_size` bytes, `results` `results_size` that may be written, `outcomes` is null or has `count` outcomes; `memory`
 points to memory; `done` is null or points to a number, `error` is null or points to an error.
 */
texwire_status texwire_prepared_execute_many(struct texwire_prepared *prepared,
                                             const struct texwire_batch *batch,
                                             const struct texwire_memory *memory,
                                             size_t *done,
                                             struct texwire_error *error);

/*
 Reads a field of a structure (`TEXWIRE_SURFACE_STATE` ...) by its name in the PRM, as it is stored.

 # Safety
 `dwords` points to the structure, `name` to a string, `value` to a number; `error` is null or points to an error.
 */
texwire_status texwire_state_get(uint32_t structure_number,
                                 const uint32_t *dwords,
                                 const char *name,
                                 uint64_t *value,
                                 struct texwire_error *error);

/*
 Writes a field of a structure by its name in the PRM, as it is stored. A value that does not fit is refused.

 # Safety
 `dwords` points to the structure, `name` to a string; `error` is null or points to an error.
 */
texwire_status texwire_state_set(uint32_t structure_number,
                                 uint32_t *dwords,
                                 const char *name,
                                 uint64_t value,
                                 struct texwire_error *error);

/*
 Writes the names of the rules that a surface or sampler state breaks, with commas between; empty when it is legal.
 Returns the length of the text without the NUL, or -1 for an argument that is wrong.

 # Safety
 `dwords` points to the structure; `buffer` is null or has `size` bytes.
 */
ptrdiff_t texwire_state_validate(uint32_t structure_number,
                                 const uint32_t *dwords,
                                 uint32_t platform_number,
                                 char *buffer,
                                 size_t size);

/*
 Makes the state of a surface: 16 dwords with the smallest pitches that hold it.

 # Safety
 `description` points to one, `dwords` to 16 dwords; `error` is null or points to an error.
 */
texwire_status texwire_surface_make(const struct texwire_surface_description *description,
                                    uint32_t platform_number,
                                    uint32_t *dwords,
                                    struct texwire_error *error);

/*
 Bytes of memory from the base address that a surface takes.

 # Safety
 `dwords` points to 16 dwords, `bytes` to a number; `error` is null or points to an error.
 */
texwire_status texwire_surface_size(const uint32_t *dwords,
                                    uint32_t platform_number,
                                    uint64_t *bytes,
                                    struct texwire_error *error);

/*
 Bytes of storage for a decoder.
 */
size_t texwire_decoder_size(void);

/*
 Alignment of storage for a decoder: 8 at most.
 */
size_t texwire_decoder_align(void);

/*
 Makes a decoder in `storage` and writes its place to `decoder`.

 # Safety
 `storage` has `size` bytes that live and are used for nothing else while the decoder is used; `decoder` points to a
 pointer; `error` is null or points to an error.
 */
texwire_status texwire_decoder_init(void *storage,
                                    size_t size,
                                    struct texwire_decoder **decoder,
                                    struct texwire_error *error);

/*
 Takes bytes of a stream up to the next event: writes how many to `taken`. Call again with the rest until the event is
 `TEXWIRE_EVENT_NONE`.

 # Safety
 `decoder` was made by `texwire_decoder_init`; `bytes` has `size` bytes; `taken` points to a number, `event` to an event;
 `error` is null or points to an error.
 */
texwire_status texwire_decoder_feed(struct texwire_decoder *decoder,
                                    const uint8_t *bytes,
                                    size_t size,
                                    size_t *taken,
                                    struct texwire_event *event,
                                    struct texwire_error *error);

/*
 Writes a frame to `out` and its length to `written`. The documentation of the Rust module `texwire::trace` says what kind, flags and
 payload are.

 # Safety
 `payload` has `size` bytes, `out` `capacity` that may be written; `written` points to a number; `error` is null or points to an
 error.
 */
texwire_status texwire_trace_frame(uint8_t kind,
                                   uint8_t flags,
                                   uint16_t sequence,
                                   const uint8_t *payload,
                                   size_t size,
                                   uint8_t *out,
                                   size_t capacity,
                                   size_t *written,
                                   struct texwire_error *error);

/*
 The bytes of a row of a region's elements (texels or blocks), and how many rows there are.

 # Safety
 `surface_dwords` points to 16 dwords, `region` to a region, `row_bytes` and `rows` to numbers; `error` is null or points to an
 error.
 */
texwire_status texwire_region_rows(const uint32_t *surface_dwords,
                                   uint32_t platform_number,
                                   const struct texwire_region *region,
                                   size_t *row_bytes,
                                   size_t *rows,
                                   struct texwire_error *error);

/*
 Writes rows of texels, `row_pitch` bytes apart, to a surface's memory.

 # Safety
 `surface_dwords` points to 16 dwords, `region` to a region, `rows` to `size` bytes, `memory` to memory that may be written and is
 not `rows`; `error` is null or points to an error.
 */
texwire_status texwire_upload(const uint32_t *surface_dwords,
                              uint32_t platform_number,
                              const struct texwire_region *region,
                              const uint8_t *rows,
                              size_t size,
                              size_t row_pitch,
                              const struct texwire_memory *memory,
                              struct texwire_error *error);

/*
 Reads rows of texels out of a surface's memory: the inverse of `texwire_upload`.

 # Safety
 `surface_dwords` points to 16 dwords, `region` to a region, `rows` to `size` bytes that may be written and are not `memory`; `error`
 is null or points to an error.
 */
texwire_status texwire_download(const uint32_t *surface_dwords,
                                uint32_t platform_number,
                                const struct texwire_region *region,
                                const struct texwire_memory *memory,
                                uint8_t *rows,
                                size_t size,
                                size_t row_pitch,
                                struct texwire_error *error);

/*
 Calls `each` with every sampler instruction of `bytes`, in order, and with every place that does not decode. `each` returns 0 to go on;
 another number ends the walk, which is no failure. `wire` is `TEXWIRE_WIRE_VISA`, `TEXWIRE_WIRE_GEN` or `TEXWIRE_WIRE_TXQ`.

 # Safety
 `bytes` has `size` bytes; `each` may be called with `user`; `error` is null or points to an error.
 */
texwire_status texwire_decode(uint32_t wire,
                              uint32_t platform_number,
                              const uint8_t *bytes,
                              size_t size,
                              int32_t (*each)(void *user,
                                              const struct texwire_instruction *instruction),
                              void *user,
                              struct texwire_error *error);

/*
 Assembles the reference disassembler's text of a native send into 16 bytes.

 # Safety
 `line` has `length` bytes, `instruction` 16 that may be written; `error` is null or points to an error.
 */
texwire_status texwire_gen_assemble(uint32_t platform_number,
                                    const char *line,
                                    size_t length,
                                    uint8_t *instruction,
                                    struct texwire_error *error);

/*
 The message of a native send of 16 bytes with its descriptors' values (of which the instruction may hold both) and its header
 (32 bytes; null: zeros). Every lane of the execution size is on.

 # Safety
 `instruction` has 16 bytes; `header` is null or has 32; `message` points to a message; `error` is null or points to an error.
 */
texwire_status texwire_gen_message(uint32_t platform_number,
                                   const uint8_t *instruction,
                                   uint32_t descriptor,
                                   uint32_t extended,
                                   const uint8_t *header,
                                   struct texwire_message *message,
                                   struct texwire_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TEXWIRE_H */
