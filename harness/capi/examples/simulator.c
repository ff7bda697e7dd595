/* A sampler device in C: the program of core/examples/simulator.rs, for hosts and for bare metal. BC1 in Y-major tiles with
 * seven levels, bindless. Everything lies in static storage. */
#include "texwire.h"
#include "print.h"

#define BASE 0x100000u
static uint8_t memory_bytes[64 * 1024];
static uint8_t registers[128 * 32];
/* texwire_device_size() bytes and more: on bare metal of the `small` library (core/EMBEDDING.md); devices of hosts keep more
 * messages and have wider scratch. */
#ifdef BARE_METAL
static uint64_t storage[1024];
#else
static uint64_t storage[32768];
#endif

/* Ends the program: on bare metal nothing waits for what main returns. */
static void fail(const char *why) {
    print(why);
    print("\n");
    finish(1);
}

static void check(texwire_status status, const texwire_error *error) {
    char text[128];
    if (status == TEXWIRE_STATUS_OK) return;
    texwire_error_text(error, text, sizeof text);
    fail(text);
}

static void store(uint8_t *to, const uint32_t *dwords, unsigned count) {
    for (unsigned at = 0; at < count * 4; at++) to[at] = (uint8_t)(dwords[at / 4] >> at % 4 * 8);
}

static void store_float(unsigned reg, unsigned lane, float value) {
    union { float f; uint32_t u; } bits = {value};
    store(&registers[reg * 32 + lane * 4], &bits.u, 1);
}

static void print_bytes(const char *name, const uint8_t *bytes) {
    print(name);
    for (unsigned at = 0; at < 4; at++) {
        print(at ? ", " : " [");
        print_hex(bytes[at]);
    }
    print("]");
}

int main(void) {
    texwire_error error;
    if (texwire_abi_version() != TEXWIRE_ABI_VERSION) fail("the header is not the library's");

    /* The bindless heap has the surface state at 0x40, the dynamic one the sampler state at 0x80. */
    texwire_surface_description description = {
        .base_address = BASE + 0x1000, .surface_type = 1, .format = 0x186 /* BC1_UNORM */, .width = 64, .height = 64,
        .levels = 7, .tile_mode = 3 /* Y-major */};
    uint32_t surface[16], sampler[4] = {0};
    check(texwire_surface_make(&description, TEXWIRE_GEN11, surface, &error), &error);
    uint64_t size;
    check(texwire_surface_size(surface, TEXWIRE_GEN11, &size, &error), &error);
    if (size > sizeof memory_bytes - 0x1000) fail("the surface is larger than the memory");
    check(texwire_state_set(TEXWIRE_SAMPLER_STATE, sampler, "Mag Mode Filter", 1, &error), &error);
    check(texwire_state_set(TEXWIRE_SAMPLER_STATE, sampler, "Min Mode Filter", 1, &error), &error);
    check(texwire_state_set(TEXWIRE_SAMPLER_STATE, sampler, "Mip Mode Filter", 3, &error), &error);
    check(texwire_state_set(TEXWIRE_SAMPLER_STATE, sampler, "Max LOD", 6 << 8, &error), &error);
    store(memory_bytes + 0x40, surface, 16);
    store(memory_bytes + 0x80, sampler, 4);
    texwire_memory memory = {.base = BASE, .bytes = memory_bytes, .size = sizeof memory_bytes};

    /* Blocks of one colour: red is the level, green the column. */
    for (uint32_t level = 0; level < 7; level++) {
        static uint8_t blocks[16 * 16 * 8];
        texwire_region region = {.level = level};
        size_t row, rows;
        check(texwire_region_rows(surface, TEXWIRE_GEN11, &region, &row, &rows, &error), &error);
        for (size_t at = 0; at < row / 8 * rows; at++) {
            unsigned colour = (level << 13 | (unsigned)(at % (row / 8)) << 7) & 0xffff;
            for (unsigned byte = 0; byte < 8; byte++) blocks[at * 8 + byte] = byte < 2 ? (uint8_t)(colour >> byte * 8) : 0;
        }
        check(texwire_upload(surface, TEXWIRE_GEN11, &region, blocks, row * rows, row, &memory, &error), &error);
    }

    /* LOD in r16, U in r17, V in r18; in a0.2 the surface's handle, the second block's length and the sampler's SFID. */
    for (unsigned lane = 0; lane < 8; lane++) {
        store_float(16, lane, (float)lane * 0.5f);
        store_float(17, lane, (float)lane / 8.0f);
        store_float(18, lane, 0.3f);
    }
    texwire_thread thread = {.registers = registers, .registers_size = sizeof registers, .dispatch = 0x7f,
                             .address = {0, 0, 0x40 << 6 | 2 << 6 | 2}};
    texwire_heaps heaps = {.bindless_surface_state = BASE, .dynamic_state = BASE, .sampler_table = 0x80};
    texwire_device *device;
    check(texwire_device_init(storage, sizeof storage, TEXWIRE_GEN11, &heaps, &device, &error), &error);
    static const char line[] = "sends (8|M0) r20:f r16 r17 a0.2 0x24220FC";
    uint8_t send[16];
    check(texwire_gen_assemble(TEXWIRE_GEN11, line, sizeof line - 1, send, &error), &error);
    texwire_outcome outcome;
    check(texwire_device_send(device, send, &thread, &memory, &outcome, &error), &error);

    print("sample_l: lanes 0x");
    print_hex((uint8_t)outcome.lanes);
    print(outcome.faults ? ", faults\n" : ", faults 0x0\n");
    for (unsigned lane = 0; lane < 8; lane++) {
        const char number[] = {(char)('0' + lane), ':', 0};
        print("lane ");
        print(number);
        print_bytes(" red", &registers[20 * 32 + lane * 4]);
        print_bytes(" green", &registers[21 * 32 + lane * 4]);
        print("\n");
    }
    finish(0);
    return 0;
}
