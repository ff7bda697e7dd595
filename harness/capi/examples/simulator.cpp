// A tiny SIMT model in C++17: threads with their own registers run a stream of sends through one device; memory is pages
// behind callbacks. The first thread does what core/examples/simulator.rs does, and prints the same.
#include "texwire.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr uint32_t log2_page = 12;
constexpr uint64_t base = 0x100000, page_size = 1 << log2_page;

// Calls a function whose last argument is the error, and throws what it says.
template <class Function, class... Arguments>
void call(Function function, Arguments... arguments) {
    texwire_error error{};
    if (function(arguments..., &error) == TEXWIRE_STATUS_OK) return;
    std::array<char, 256> text{};
    texwire_error_text(&error, text.data(), text.size());
    throw std::runtime_error(text.data());
}

// Pages that appear when they are written; page 0 is a null page.
class Pages {
public:
    texwire_memory view() {
        texwire_memory memory{};
        memory.user = this;
        memory.read = [](void *user, uint64_t address, uint8_t *bytes, size_t size) -> uint32_t {
            return static_cast<Pages *>(user)->read(address, bytes, size);
        };
        memory.write = [](void *user, uint64_t address, const uint8_t *bytes, size_t size) -> uint32_t {
            for (size_t at = 0, part; at < size; at += part) {
                part = part_of(address + at, size - at);
                std::memcpy(static_cast<Pages *>(user)->make(address + at), bytes + at, part);
            }
            return TEXWIRE_MAPPED;
        };
        memory.slice = [](void *user, uint64_t address, size_t size) {
            return static_cast<const uint8_t *>(static_cast<Pages *>(user)->find(address, size));
        };
        memory.page_table = [](void *user, uint64_t address, size_t size, texwire_page_table *table) -> uint32_t {
            *table = static_cast<Pages *>(user)->table(address, size);
            return 1;
        };
        return memory;
    }

private:
    // Bytes up to the end of a page: texels of three components can lie across two.
    static size_t part_of(uint64_t address, size_t size) {
        return std::min<size_t>(size, page_size - address % page_size);
    }
    uint32_t read(uint64_t address, uint8_t *bytes, size_t size) {
        uint32_t found = TEXWIRE_MAPPED;
        for (size_t at = 0, part; at < size; at += part) {
            part = part_of(address + at, size - at);
            if ((address + at) / page_size == 0) {
                found = TEXWIRE_NULL_PAGE;
                continue;
            }
            const uint8_t *from = find(address + at, part);
            if (!from) return TEXWIRE_FAULT;
            std::memcpy(bytes + at, from, part);
        }
        return found;
    }
    uint8_t *make(uint64_t address) {
        auto [page, is_new] = frames_.try_emplace(address / page_size, static_cast<uint32_t>(frames_.size()));
        if (is_new) bytes_.resize(bytes_.size() + page_size);
        return bytes_.data() + page->second * page_size + address % page_size;
    }
    uint8_t *find(uint64_t address, size_t size) {
        auto page = frames_.find(address / page_size);
        if (page == frames_.end() || address % page_size + size > page_size) return nullptr;
        return bytes_.data() + page->second * page_size + address % page_size;
    }
    // A simulator of many messages keeps the table of each surface until a page of it changes.
    texwire_page_table table(uint64_t address, size_t size) {
        uint64_t first = address / page_size, last = (address + size - 1) / page_size;
        table_.assign(last - first + 1, UINT32_MAX);
        for (auto page = frames_.lower_bound(first); page != frames_.end() && page->first <= last; ++page)
            table_[page->first - first] = page->second;
        return {first * page_size, table_.data(), table_.size(), bytes_.data(), bytes_.size(), log2_page};
    }
    std::map<uint64_t, uint32_t> frames_;
    std::vector<uint8_t> bytes_;
    std::vector<uint32_t> table_;
};

// A device in storage of its own.
class Device {
public:
    explicit Device(const texwire_heaps &heaps)
        : storage_(texwire_device_size() + texwire_device_align()) {
        void *place = storage_.data();
        size_t space = storage_.size();
        std::align(texwire_device_align(), texwire_device_size(), place, space);
        call(texwire_device_init, place, space, TEXWIRE_GEN11, &heaps, &device_);
    }
    texwire_outcome send(const uint8_t *code, const texwire_thread &thread, const texwire_memory &memory) {
        texwire_outcome outcome{};
        call(texwire_device_send, device_, code, &thread, &memory, &outcome);
        return outcome;
    }
    // The texels that a lane reads, for a timing model.
    std::vector<texwire_tap> reads(const texwire_message &message, const std::vector<uint8_t> &params, uint32_t lane,
                                   const texwire_memory &memory) {
        texwire_footprint footprint{};
        std::vector<texwire_tap> taps(16);
        call(texwire_device_footprint, device_, &message, nullptr, nullptr, nullptr, params.data(), params.size(),
             size_t{32}, lane, &memory, &footprint, taps.data(), taps.size());
        taps.resize(footprint.taps);
        return taps;
    }

private:
    std::vector<unsigned char> storage_;
    texwire_device *device_ = nullptr;
};

// The results of a message prepared once, for many payloads of three parameters.
std::vector<uint8_t> run_batch(const texwire_message &message, const uint32_t *surface, const uint32_t *sampler,
                               const std::vector<uint8_t> &params, const std::vector<uint32_t> &lanes,
                               const texwire_memory &memory) {
    std::vector<unsigned char> storage(texwire_prepared_size() + texwire_prepared_align());
    void *place = storage.data();
    size_t space = storage.size();
    std::align(texwire_prepared_align(), texwire_prepared_size(), place, space);
    texwire_prepared *prepared = nullptr;
    call(texwire_prepared_init, place, space, TEXWIRE_GEN11, &message, surface, sampler, nullptr, 0u, 0.0f, &prepared);
    texwire_batch batch{};
    batch.count = lanes.size();
    batch.lanes = lanes.data();
    batch.params = params.data();
    batch.params_size = params.size();
    batch.param_stride = 32;
    batch.message_stride = 3 * 32;
    batch.result_stride = texwire_prepared_result_size(prepared);
    std::vector<uint8_t> results(batch.count * batch.result_stride);
    batch.results = results.data();
    batch.results_size = results.size();
    size_t done = 0;
    call(texwire_prepared_execute_many, prepared, &batch, &memory, &done);
    if (done != batch.count) throw std::runtime_error("a message of the batch was not executed");
    return results;
}

struct Thread {
    std::vector<uint8_t> registers = std::vector<uint8_t>(128 * 32);
    texwire_thread view() {
        texwire_thread thread{};
        thread.registers = registers.data();
        thread.registers_size = registers.size();
        thread.dispatch = 0x7f;
        // The surface's handle, two registers in the second block, the sampler's SFID.
        thread.address[2] = 0x40 << 6 | 2 << 6 | 2;
        return thread;
    }
    void set(unsigned reg, unsigned lane, float value) { std::memcpy(&registers[reg * 32 + lane * 4], &value, 4); }
};

void print(const char *name, const uint8_t *bytes) {
    std::printf(" %s [%02x, %02x, %02x, %02x]", name, bytes[0], bytes[1], bytes[2], bytes[3]);
}

int run() {
    Pages pages;
    texwire_memory memory = pages.view();
    texwire_surface_description description{};
    description.base_address = base + 0x1000;
    description.surface_type = 1;
    description.format = 0x186;  // BC1_UNORM
    description.width = description.height = 64;
    description.levels = 7;
    description.tile_mode = 3;  // Y-major
    uint32_t surface[16], sampler[4] = {};
    call(texwire_surface_make, &description, TEXWIRE_GEN11, surface);
    for (auto [field, value] : {std::pair{"Mag Mode Filter", 1}, {"Min Mode Filter", 1}, {"Mip Mode Filter", 3}, {"Max LOD", 6 << 8}})
        call(texwire_state_set, TEXWIRE_SAMPLER_STATE, sampler, field, static_cast<uint64_t>(value));
    memory.write(memory.user, base + 0x40, reinterpret_cast<const uint8_t *>(surface), sizeof surface);
    memory.write(memory.user, base + 0x80, reinterpret_cast<const uint8_t *>(sampler), sizeof sampler);

    for (uint32_t level = 0; level < 7; level++) {
        texwire_region region{};
        region.level = level;
        size_t row = 0, rows = 0;
        call(texwire_region_rows, surface, TEXWIRE_GEN11, &region, &row, &rows);
        std::vector<uint8_t> blocks(row * rows), back(row * rows);
        for (size_t at = 0; at < blocks.size(); at += 8) {
            const unsigned colour = level << 13 | static_cast<unsigned>(at / 8 % (row / 8)) << 7;
            blocks[at] = static_cast<uint8_t>(colour);
            blocks[at + 1] = static_cast<uint8_t>(colour >> 8);
        }
        call(texwire_upload, surface, TEXWIRE_GEN11, &region, blocks.data(), blocks.size(), row, &memory);
        call(texwire_download, surface, TEXWIRE_GEN11, &region, &memory, back.data(), back.size(), row);
        if (back != blocks) throw std::runtime_error("what was uploaded does not come back");
    }

    texwire_heaps heaps{};
    heaps.bindless_surface_state = heaps.dynamic_state = base;
    heaps.sampler_table = 0x80;
    Device device(heaps);
    const std::string line = "sends (8|M0) r20:f r16 r17 a0.2 0x24220FC";
    std::array<uint8_t, 16> code{};
    call(texwire_gen_assemble, TEXWIRE_GEN11, line.data(), line.size(), code.data());

    std::vector<Thread> threads(4);
    for (unsigned number = 0; number < threads.size(); number++) {
        for (unsigned lane = 0; lane < 8; lane++) {
            threads[number].set(16, lane, static_cast<float>(lane) * 0.5f);
            threads[number].set(17, lane, static_cast<float>(lane) / 8.0f);
            threads[number].set(18, lane, 0.3f + static_cast<float>(number));
        }
        const texwire_outcome outcome = device.send(code.data(), threads[number].view(), memory);
        if (number == 0) std::printf("sample_l: lanes 0x%02x, faults 0x%x\n", outcome.lanes, outcome.faults);
    }
    for (unsigned lane = 0; lane < 8; lane++) {
        std::printf("lane %u:", lane);
        print("red", &threads[0].registers[20 * 32 + lane * 4]);
        print("green", &threads[0].registers[21 * 32 + lane * 4]);
        std::printf("\n");
    }
    // The same message, prepared once for the payloads of all threads, gives the same registers.
    texwire_message message{};
    call(texwire_gen_message, TEXWIRE_GEN11, code.data(), 0u, threads[0].view().address[2], nullptr, &message);
    std::vector<uint8_t> params;
    for (const Thread &thread : threads)
        params.insert(params.end(), &thread.registers[16 * 32], &thread.registers[19 * 32]);
    const auto results = run_batch(message, surface, sampler, params, std::vector<uint32_t>(threads.size(), 0x7f), memory);
    for (size_t number = 0; number < threads.size(); number++)
        if (std::memcmp(&results[number * results.size() / threads.size()], &threads[number].registers[20 * 32], 64) != 0)
            throw std::runtime_error("a prepared message gives another result");
    // Lane 3 lies between levels 1 and 2: eight texels, whose weights add up to 1.
    float weight = 0;
    const auto taps = device.reads(message, params, 3, memory);
    for (const texwire_tap &tap : taps) weight += tap.weight;
    if (taps.size() != 8 || weight < 0.999f || weight > 1.001f || taps[0].reads[0].size != 8)
        throw std::runtime_error("the texels of lane 3 are not what it reads");
    // The texture repeats: every thread has what the first one has, up to the coordinates' rounding.
    float first = 0, last = 0;
    std::memcpy(&first, &threads[0].registers[20 * 32 + 24], 4);
    std::memcpy(&last, &threads[3].registers[20 * 32 + 24], 4);
    return first == last ? 0 : 1;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}
