#!/usr/bin/env python3
"""A small sampler model as a third engine: nearest sampling of linear 2D R8G8B8A8_UNORM surfaces of one level.

    texwire fuzz-diff --against 'python3 harness/examples/external_model.py'
    texwire exec --engine 'external:python3 harness/examples/external_model.py' CASES.jsonl

One job a line comes in, one answer a line goes out (see harness/src/external.rs); null says "I do not do this one".
"""

import json
import math
import struct
import sys

SURFTYPE_2D, R8G8B8A8_UNORM = 1, 0x0C7
WRAP, CLAMP = 0, 2


def bits(dwords, dword, high, low):
    """Bits high..low of a state structure, as the state description counts them."""
    return dwords[dword] >> low & (1 << (high - low + 1)) - 1


def supported(job):
    surface, sampler = job["surface"], job["sampler"]
    return (
        job["op"] in ("sample", "sample_lz")
        and 2 <= len(job["params"]) <= 3
        and job["simd"] in (8, 16)
        and not job["half_params"] and not job["half_return"]
        and not job["null_mask"] and not job["null_pages"]
        and job["offsets"] == [0, 0, 0]
        and job["precision"] == "float"
        and job["channels"] != 0
        and bits(surface, 0, 31, 29) == SURFTYPE_2D
        and bits(surface, 0, 28, 28) == 0  # no array
        and bits(surface, 0, 27, 18) == R8G8B8A8_UNORM
        and bits(surface, 0, 13, 12) == 0  # linear
        and bits(surface, 4, 5, 3) == 0  # one sample
        and bits(surface, 4, 28, 18) == 0  # minimum array element
        and surface[5] == 0  # one level, no offsets
        and surface[6] == 0  # no auxiliary surface
        and surface[7] == 4 << 25 | 5 << 22 | 6 << 19 | 7 << 16  # R, G, B, A as they are; no minimum LOD
        and bits(sampler, 0, 31, 14) & 0x20FFF == 0  # enabled; no mips, mag and min nearest; mip filter none
        and bits(sampler, 1, 31, 20) == 0  # minimum LOD
        and bits(sampler, 1, 7, 7) == 0 and bits(sampler, 2, 5, 5) == 0  # chroma key, forced gather
        and bits(sampler, 3, 10, 9) == 0  # normalized, no reduction
        and all(bits(sampler, 3, high, high - 2) in (WRAP, CLAMP) for high in (5, 8))
    )


def texel_index(pattern, size, mode):
    """The address mode applied to a normalized coordinate."""
    u = struct.unpack("<f", struct.pack("<I", pattern))[0]
    t = 0.0 if math.isnan(u) else u * size
    i = math.floor(min(max(t, -16777216.0), 16777216.0))
    return i % size if mode == WRAP else min(max(i, 0), size - 1)


def read(memory, address, length):
    for region in memory:
        at = address - region["address"]
        if 0 <= at and at + length <= len(region["bytes"]):
            return region["bytes"][at:at + length]
    return None


def execute(job):
    surface, sampler = job["surface"], job["sampler"]
    width, height = bits(surface, 2, 13, 0) + 1, bits(surface, 2, 29, 16) + 1
    pitch = bits(surface, 3, 17, 0) + 1
    base = surface[9] << 32 | surface[8]
    modes = bits(sampler, 3, 8, 6), bits(sampler, 3, 5, 3)
    enabled = [c for c in range(4) if job["channels"] >> c & 1]
    stride = job["simd"] * 4  # SIMD8: one register of 32 bytes a channel; SIMD16: two
    writeback = bytearray(stride * len(enabled))
    faults = 0
    for lane in range(job["simd"]):
        if not job["lanes"] >> lane & 1:
            continue
        x = texel_index(job["params"][0][lane], width, modes[0])
        y = texel_index(job["params"][1][lane], height, modes[1])
        texel = read(job["memory"], base + y * pitch + x * 4, 4)
        if texel is None:
            faults |= 1 << lane
            continue
        for position, channel in enumerate(enabled):
            struct.pack_into("<f", writeback, position * stride + lane * 4, texel[channel] / 255.0)
    return {"writeback": list(writeback), "faults": faults}


for line in sys.stdin:
    job = json.loads(line)
    print(json.dumps(execute(job) if supported(job) else None), flush=True)
