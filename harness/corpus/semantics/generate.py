#!/usr/bin/env python3
"""Writes eu.json: single EU instructions with their operands and results (README.md).

The results are worked out here, with Python's integers and fractions, from a reading of the instruction set that shares
nothing with the machine."""

import json
import math
import os
import random
import struct
from fractions import Fraction

LANES = 8
# name: (code on Gen9 and Gen11 for registers, bits, signed, float)
TYPES = {
    "ud": (0, 32, False, False), "d": (1, 32, True, False), "uw": (2, 16, False, False), "w": (3, 16, True, False),
    "ub": (4, 8, False, False), "b": (5, 8, True, False), "f": (7, 32, True, True),
}
GEN11 = {"ud": 0, "d": 1, "uw": 2, "w": 3, "ub": 4, "b": 5, "f": 9}
CONDITIONS = {"": 0, "eq": 1, "ne": 2, "gt": 3, "ge": 4, "lt": 5, "le": 6}
OPCODES = {
    "mov": 0x01, "sel": 0x02, "not": 0x04, "and": 0x05, "or": 0x06, "xor": 0x07, "shr": 0x08, "shl": 0x09, "asr": 0x0C,
    "cmp": 0x10, "bfrev": 0x17, "add": 0x40, "mul": 0x41, "avg": 0x42, "rndu": 0x44, "rndd": 0x45, "rnde": 0x46,
    "rndz": 0x47, "lzd": 0x4A, "fbh": 0x4B, "fbl": 0x4C, "cbit": 0x4D, "addc": 0x4E, "subb": 0x4F,
}
ONE = {"mov", "not", "bfrev", "rndu", "rndd", "rnde", "rndz", "lzd", "fbh", "fbl", "cbit"}
BITWISE = {"not", "and", "or", "xor"}
DWORD = {"lzd", "fbh", "fbl", "bfrev", "cbit", "addc", "subb"}
ROUND = {"rndu": math.ceil, "rndd": math.floor, "rndz": math.trunc, "rnde": round}


def put(word, at, width, value):
    return word | (value & ((1 << width) - 1)) << at


def encode(case, gen11):
    """The native word, fields as in the programmer's reference manuals of both generations."""
    kind = lambda name: GEN11[name] if gen11 else TYPES[name][0]
    word = put(0, 0, 7, OPCODES[case["op"]])
    word = put(word, 16, 4, 1 if case["predicate"] else 0)
    word = put(word, 20, 1, case["predicate"] == "~f0.0")
    word = put(word, 21, 3, 3)
    word = put(word, 24, 4, CONDITIONS[case["condition"]])
    word = put(word, 28, 1, case["accumulator_write"])
    word = put(word, 31, 1, case["saturate"])
    word = put(word, 35, 2, 1)
    word = put(word, 37, 4, kind(case["dst"]["type"]))
    word = put(word, 53, 8, 40)
    word = put(word, 61, 2, 1)
    for source, register, base in zip(case["src"], (10, 20), ((41, 43, 69, 77, 80), (89, 91, 101, 109, 112))):
        file, type_, number, modifiers, region = base
        word = put(word, file, 2, 1)
        word = put(word, type_, 4, kind(source["type"]))
        word = put(word, number, 8, register)
        word = put(word, modifiers, 2, source["abs"] | source["neg"] << 1)
        word = put(word, region, 9, 1 | 3 << 2 | 4 << 5)
    return word.to_bytes(16, "little").hex()


def number(kind, raw):
    _, bits, signed, _ = TYPES[kind]
    raw &= (1 << bits) - 1
    return raw - (1 << bits) if signed and raw >> (bits - 1) else raw


def real(raw):
    return struct.unpack("<f", struct.pack("<I", raw))[0]


def round_float(exact, zero_sign):
    """The bits of the nearest float, ties to even; `exact` is a fraction."""
    if exact == 0:
        return 0x80000000 if zero_sign else 0
    sign, exact = (0x80000000, -exact) if exact < 0 else (0, exact)
    exponent = max(math.floor(math.log2(exact)) if exact < 2**1000 else 1000, -126)
    while exponent > -126 and exact < Fraction(2) ** exponent:
        exponent -= 1
    while exact >= Fraction(2) ** (exponent + 1):
        exponent += 1
    steps = round(exact / Fraction(2) ** (exponent - 23))
    if steps >= 1 << 24:
        steps, exponent = steps >> 1, exponent + 1
    if exponent > 127:
        return sign | 0x7F800000
    return sign | (steps if steps < 1 << 23 else (exponent + 126 << 23) + steps)


def compare(condition, a, b):
    if isinstance(a, float) and (math.isnan(a) or math.isnan(b)):
        return condition == "ne"
    return {"eq": a == b, "ne": a != b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b}[condition]


def integers(case, a, b):
    op, kinds = case["op"], [source["type"] for source in case["src"]]
    count = (b or 0) & 31
    dword = a & 0xFFFFFFFF
    if op == "mov": return a
    if op == "not": return ~a
    if op == "and": return a & b
    if op == "or": return a | b
    if op == "xor": return a ^ b
    if op == "shl": return a << count
    if op == "shr": return (a & ((1 << TYPES[kinds[0]][1]) - 1)) >> count
    if op == "asr": return a >> count
    if op == "add": return a + b
    if op == "mul": return a * b
    if op == "avg": return (a + b + 1) >> 1
    if op == "lzd": return 32 - dword.bit_length()
    if op == "fbl": return (dword & -dword).bit_length() - 1 if dword else 0xFFFFFFFF
    if op == "cbit": return bin(dword).count("1")
    if op == "bfrev": return int(f"{dword:032b}"[::-1], 2)
    if op == "fbh":
        value = ~dword & 0xFFFFFFFF if kinds[0] == "d" and dword >> 31 else dword
        return 32 - value.bit_length() if value else 0xFFFFFFFF
    if op == "addc": return (a + b) & 0xFFFFFFFF
    if op == "subb": return (a - b) & 0xFFFFFFFF
    raise KeyError(op)


def floats(op, a, b):
    """The bits of a float result, or None for a NaN."""
    if any(value is not None and math.isnan(value) for value in (a, b)):
        return None
    infinite = any(value is not None and math.isinf(value) for value in (a, b))
    negative = lambda value: math.copysign(1, value) < 0
    if op == "mov":
        return struct.unpack("<I", struct.pack("<f", a))[0]
    if op in ROUND:
        if infinite:
            return struct.unpack("<I", struct.pack("<f", a))[0]
        return round_float(Fraction(ROUND[op](Fraction(a))), negative(a))
    if infinite:
        value = a + b if op == "add" else a * b
        return None if math.isnan(value) else struct.unpack("<I", struct.pack("<f", value))[0]
    exact = Fraction(a) + Fraction(b) if op == "add" else Fraction(a) * Fraction(b)
    both = negative(a) and negative(b) if op == "add" else negative(a) != negative(b)
    return round_float(exact, both)


def modified(source, raw, bitwise):
    kind = source["type"]
    if TYPES[kind][3]:
        raw &= 0x7FFFFFFF if source["abs"] else 0xFFFFFFFF
        return real(raw ^ (0x80000000 if source["neg"] else 0))
    value = number(kind, raw)
    value = abs(value) if source["abs"] else value
    return (~value if bitwise else -value) if source["neg"] else value


def lane(case, raws, predicate):
    """Bits of the destination (None = any NaN), the flag (None = untouched)."""
    op, dst = case["op"], case["dst"]["type"]
    _, bits, signed, is_float = TYPES[dst]
    values = [modified(source, raw, op in BITWISE) for source, raw in zip(case["src"], raws)] + [None]
    a, b = values[0], values[1]
    mask = (1 << bits) - 1
    if op == "cmp":
        holds = compare(case["condition"], a, b)
        return (mask if holds else 0), holds
    if op == "sel":
        if case["condition"]:
            if isinstance(b, float) and math.isnan(b): first = True
            elif isinstance(a, float) and math.isnan(a): first = False
            else: first = compare(case["condition"], a, b)
        else:
            first = predicate
        chosen = a if first else b
        if isinstance(chosen, float):
            if math.isnan(chosen):
                return None, None
            return struct.unpack("<I", struct.pack("<f", chosen))[0], None
        return chosen & mask, None
    if is_float:
        result = floats(op, a, b)
        value = float("nan") if result is None else real(result)
    else:
        exact = integers(case, a, b)
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, mask)
        result = (min(max(exact, low), high) if case["saturate"] else exact) & mask
        value = number(dst, result)
    flag = compare(case["condition"], value, 0.0 if is_float else 0) if case["condition"] else None
    return result, flag


EDGES = [0, 1, 2, 3, 31, 32, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF]
FLOATS = [0, 0x80000000, 1, 0x80000001, 0x007FFFFF, 0x00800000, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0xBF800000, 0x3FC00000,
          0x40200000, 0xC0200000, 0x4B7FFFFF, 0x4B000001, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000]


def make(rng, op):
    is_float = op in ROUND or op in ("mov", "sel", "add", "mul", "cmp") and rng.random() < 0.4
    kinds = [k for k in TYPES if k != "f"]
    unsigned = op in ("addc", "subb")
    pick = lambda: "f" if is_float else "ud" if unsigned or op in DWORD else rng.choice(kinds)
    count = 1 if op in ONE else 2
    plain = op in DWORD or op in ("shl", "shr", "asr")
    src = [{"type": pick(), "abs": not plain and op not in BITWISE and rng.random() < 0.2,
            "neg": not plain and rng.random() < 0.3} for _ in range(count)]
    if op == "fbh" and rng.random() < 0.5:
        src[0]["type"] = "d"
    wide = op in DWORD
    dst = {"type": "f" if is_float and op != "cmp" else "ud" if wide or op == "cmp" else rng.choice(kinds)}
    if op in ("cmp",):
        condition = rng.choice(list(CONDITIONS)[1:])
    elif op == "sel":
        condition = rng.choice(["", "", "ge", "lt"])
    else:
        condition = "" if unsigned else rng.choice(["", ""] + list(CONDITIONS)[1:])
    predicate = rng.choice(["", "f0.0", "~f0.0"])
    if op == "sel":
        predicate = "" if condition else rng.choice(["f0.0", "~f0.0"])
    saturates = op in ("mov", "add", "mul", "avg") and not is_float
    case = {"op": op, "predicate": predicate, "condition": condition, "saturate": saturates and rng.random() < 0.4,
            "accumulator_write": unsigned, "dst": dst, "src": src}
    draw = lambda kind: rng.choice(FLOATS) if kind == "f" and rng.random() < 0.6 else \
        struct.unpack("<I", struct.pack("<f", rng.uniform(-1000, 1000)))[0] if kind == "f" else \
        (rng.choice(EDGES) if rng.random() < 0.6 else rng.getrandbits(32)) & ((1 << TYPES[kind][1]) - 1)
    for source in src:
        source["lanes"] = [draw(source["type"]) for _ in range(LANES)]
    flag_in = rng.getrandbits(8)
    case["flag_in"] = flag_in
    before = 0xA5A5A5A5 & ((1 << TYPES[dst["type"]][1]) - 1)
    results, flag_out, carries = [], flag_in, []
    for index in range(LANES):
        bit = flag_in >> index & 1
        holds = bool(bit) != predicate.startswith("~") if predicate else True
        raws = [source["lanes"][index] for source in src]
        result, flag = lane(case, raws, holds)
        on = holds or op == "sel"
        results.append(("nan" if result is None else result) if on else before)
        if on and flag is not None:
            flag_out = flag_out & ~(1 << index) | int(flag) << index
        if unsigned:
            a, b = raws
            carries.append((int(a + b > 0xFFFFFFFF) if op == "addc" else int(a < b)) if on else 0)
    dst["lanes_before"], dst["lanes"] = [before] * LANES, results
    case["flag_out"] = flag_out
    if unsigned:
        case["accumulator"] = carries
    case["word"] = {"gen9": encode(case, False), "gen11": encode(case, True)}
    return case


def main():
    rng = random.Random(2026)
    cases = [make(rng, op) for op in OPCODES for _ in range(25)]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "eu.json"), "w") as out:
        out.write('{"lanes": 8, "cases": [\n')
        out.write(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
        out.write("\n]}\n")
    print(len(cases), "cases")


main()
