//! The tables of execution unit instructions (PRM source Eulsa).
//!
//! Generated of `core/tables/prm-enums.json`: edit that, run `cargo run --example generate_enums`.

#[cfg(feature = "enumerations")]
enumeration! {
    /// How the register of an operand is found.
    ///
    /// PRM table `AddrMode`, 1 bit.
    AddrMode(u8): "AddrMode", 1, "Eulsa";
    0..=0 "Direct" as DIRECT = "The instruction names the register.";
    1..=1 "Indirect" as INDIRECT = "The register is computed of an address register and an offset.";
}

enumeration! {
    /// The condition that an instruction writes to its flag register.
    ///
    /// PRM table `CondModifier`, 4 bits.
    CondModifier(u8): "CondModifier", 4, "Eulsa";
    0..=0 "None [Default]" as NONE = "The flag is not written.";
    1..=1 ".Z" as Z = "Zero.";
    1..=1 ".e" as E = "Equal.";
    2..=2 ".nz" as NZ = "Not zero.";
    2..=2 ".ne" as NE = "Not equal.";
    3..=3 ".g" as G = "Greater than.";
    4..=4 ".ge" as GE = "Greater than or equal.";
    5..=5 ".l" as L = "Less than.";
    6..=6 ".le" as LE = "Less than or equal.";
    7..=7 "Reserved";
    8..=8 ".0" as O = "Overflow.";
    9..=9 ".u" as U = "Unordered: the result is computed of a NaN.";
    14..=15 "Reserved";
}

enumeration! {
    /// Which destination hazards the hardware does not look after.
    ///
    /// PRM table `DepCtrl`, 2 bits.
    DepCtrl(u8): "DepCtrl", 2, "Eulsa";
    0..=0 "None [Default]" as NONE = "The destination is checked and cleared.";
    1..=1 "NoDDClr" as NO_DD_CLR = "The destination is checked and not cleared.";
    2..=2 "NoDDChk" as NO_DD_CHK = "The destination is not checked but cleared.";
    3..=3 "NoDDClr, NoDDChk" as NO_DD_CLR_CHK = "The destination is neither checked nor cleared.";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// Bits and sign of the elements packed in a dword of a dpas operand.
    ///
    /// PRM table `DPASOperandPrecision`, 3 bits.
    DpasOperandPrecision(u8): "DPASOperandPrecision", 3, "Eulsa";
    0..=0 "u1" as U1 = "Unsigned 1-bit elements, 32 of a dword.";
    1..=1 "u2" as U2 = "Unsigned 2-bit elements, 16 of a dword.";
    2..=2 "u4" as U4 = "Unsigned 4-bit elements, 8 of a dword.";
    3..=3 "u8" as U8 = "Unsigned 8-bit elements, 4 of a dword.";
    4..=4 "s1" as S1 = "Signed 1-bit elements, 32 of a dword.";
    5..=5 "s2" as S2 = "Signed 2-bit elements, 16 of a dword.";
    6..=6 "s4" as S4 = "Signed 4-bit elements, 8 of a dword.";
    7..=7 "s8" as S8 = "Signed 8-bit elements, 4 of a dword.";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The numeric type of the destination (Gen11 codes).
    ///
    /// PRM table `DstType`, 4 bits.
    DstType(u8): "DstType", 4, "Eulsa";
    0..=0 ":ud" as UD = "Unsigned 32-bit integer.";
    1..=1 ":d" as D = "Signed 32-bit integer.";
    2..=2 ":uw" as UW = "Unsigned 16-bit integer.";
    3..=3 ":w" as W = "Signed 16-bit integer.";
    4..=4 ":ub" as UB = "Unsigned 8-bit integer.";
    5..=5 ":b" as B = "Signed 8-bit integer.";
    6..=6 ":uq" as UQ = "Unsigned 64-bit integer.";
    7..=7 ":q" as Q = "Signed 64-bit integer.";
    8..=8 ":hf" as HF = "Half-precision (16-bit) float.";
    9..=9 ":f" as F = "Single-precision (32-bit) float.";
    10..=10 ":df" as DF = "Double-precision (64-bit) float.";
    11..=11 ":nf" as NF = "Native-precision (66-bit) float.";
    12..=15 "Reserved";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The operation of an instruction.
    ///
    /// PRM table `EU_OPCODE`, 7 bits.
    EuOpcode(u8): "EU_OPCODE", 7, "Eulsa";
    64..=64 "add" as ADD = "Addition.";
    78..=78 "addc" as ADDC = "Addition with carry out.";
    5..=5 "and" as AND = "Bitwise AND.";
    12..=12 "asr" as ASR = "Arithmetic shift right.";
    66..=66 "avg" as AVG = "Average of integers.";
    24..=24 "bfe" as BFE = "Bit field extract.";
    25..=25 "bfi1" as BFI1 = "Bit field insert, step 1.";
    26..=26 "bfi2" as BFI2 = "Bit field insert, step 2.";
    23..=23 "bfrev" as BFREV = "Bit reverse.";
    35..=35 "brc" as BRC = "Branch converging.";
    33..=33 "brd" as BRD = "Branch diverging.";
    40..=40 "break" as BREAK = "Leave a loop.";
    44..=44 "call" as CALL = "Call a subroutine.";
    43..=43 "calla" as CALLA = "Call a subroutine at an absolute address.";
    77..=77 "cbit" as CBIT = "Count set bits.";
    16..=16 "cmp" as CMP = "Compare.";
    17..=17 "cmpn" as CMPN = "Compare, NaN aware.";
    41..=41 "cont" as CONT = "Next turn of a loop.";
    18..=18 "csel" as CSEL = "Conditional select.";
    36..=36 "else" as ELSE = "Other branch of a conditional block.";
    37..=37 "endif" as ENDIF = "End of a conditional block.";
    75..=75 "fbh" as FBH = "Find the first bit from the high end.";
    76..=76 "fbl" as FBL = "Find the first bit from the low end.";
    67..=67 "frc" as FRC = "Fraction.";
    46..=46 "goto" as GOTO = "Jump of channels.";
    42..=42 "halt" as HALT = "Stop channels.";
    34..=34 "if" as IF = "Conditional block.";
    0..=0 "illegal" as ILLEGAL = "Illegal instruction.";
    32..=32 "jmpi" as JMPI = "Jump by index.";
    47..=47 "join" as JOIN = "Join of channels after goto.";
    74..=74 "lzd" as LZD = "Count leading zeros.";
    72..=72 "mac" as MAC = "Multiply, add to the accumulator.";
    73..=73 "mach" as MACH = "Multiply, high part.";
    91..=91 "mad" as MAD = "Multiply and add.";
    93..=93 "madm" as MADM = "Multiply and add of the fdiv and sqrt macros.";
    56..=56 "math" as MATH = "Extended math function.";
    1..=1 "mov" as MOV = "Move.";
    3..=3 "movi" as MOVI = "Move indexed.";
    65..=65 "mul" as MUL = "Multiply.";
    126..=126 "nop" as NOP = "Nothing.";
    4..=4 "not" as NOT = "Bitwise NOT.";
    6..=6 "or" as OR = "Bitwise OR.";
    45..=45 "ret" as RET = "Return from a subroutine.";
    69..=69 "rndd" as RNDD = "Round down.";
    70..=70 "rnde" as RNDE = "Round to nearest even.";
    68..=68 "rndu" as RNDU = "Round up.";
    71..=71 "rndz" as RNDZ = "Round to zero.";
    15..=15 "rol" as ROL = "Rotate left.";
    14..=14 "ror" as ROR = "Rotate right.";
    80..=80 "sad2" as SAD2 = "Sum of two absolute differences.";
    81..=81 "sada2" as SADA2 = "Sum of two absolute differences, accumulated.";
    2..=2 "sel" as SEL = "Select.";
    49..=49 "send" as SEND = "Send a message.";
    50..=50 "sendc" as SENDC = "Send a message when the thread depended on is done.";
    51..=51 "sends" as SENDS = "Send a message with a split payload.";
    52..=52 "sendsc" as SENDSC = "Send a split message when the thread depended on is done.";
    9..=9 "shl" as SHL = "Shift left.";
    8..=8 "shr" as SHR = "Shift right.";
    10..=10 "smov" as SMOV = "Scattered move.";
    79..=79 "subb" as SUBB = "Subtraction with borrow out.";
    48..=48 "wait" as WAIT = "Wait for a notification.";
    39..=39 "while" as WHILE = "End of a loop.";
    7..=7 "xor" as XOR = "Bitwise XOR.";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// How many channels an instruction operates on.
    ///
    /// PRM table `ExecSize`, 3 bits.
    ExecSize(u8): "ExecSize", 3, "Eulsa";
    0..=0 "1 Channel (Scalar operation) [Default]" as CHANNELS_1 = "1 channel.";
    1..=1 "2 Channels" as CHANNELS_2 = "2 channels.";
    2..=2 "4 Channels" as CHANNELS_4 = "4 channels.";
    3..=3 "8 Channels" as CHANNELS_8 = "8 channels.";
    4..=4 "16 Channels" as CHANNELS_16 = "16 channels (types up to 4 bytes).";
    5..=5 "32 Channels" as CHANNELS_32 = "32 channels (types up to 2 bytes).";
    6..=7 "Reserved";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The distance of two adjacent elements of a row of a region, in elements.
    ///
    /// PRM table `HorzStride`, 2 bits.
    HorzStride(u8): "HorzStride", 2, "Eulsa";
    0..=0 "0 elements" as ELEMENTS_0 = "0 elements.";
    1..=1 "1 elements" as ELEMENTS_1 = "1 element.";
    2..=2 "2 elements" as ELEMENTS_2 = "2 elements.";
    3..=3 "4 elements" as ELEMENTS_4 = "4 elements.";
}

enumeration! {
    /// The function of the math instruction.
    ///
    /// PRM table `MathFC`, 4 bits.
    MathFc(u8): "MathFC", 4, "Eulsa";
    1..=1 "INV" as INV = "Reciprocal, 1 / src0.";
    2..=2 "LOG" as LOG = "Logarithm of src0.";
    3..=3 "EXP" as EXP = "Exponential of src0.";
    4..=4 "SQT" as SQT = "Square root.";
    5..=5 "RSQT" as RSQT = "Reciprocal square root.";
    6..=6 "SIN" as SIN = "Sine.";
    7..=7 "COS" as COS = "Cosine.";
    9..=9 "FDIV" as FDIV = "Floating-point division, src0 / src1.";
    10..=10 "POW" as POW = "src0 to the power of src1.";
    11..=11 "IDIV" as IDIV = "Integer division: quotient, and remainder in the next register.";
    12..=12 "IQOT" as IQOT = "Integer quotient.";
    13..=13 "IREM" as IREM = "Integer remainder.";
    14..=14 "INVM" as INVM = "Reciprocal step of the IEEE division macro.";
    15..=15 "RSQTM" as RSQTM = "Reciprocal square root step of the IEEE macro.";
}

enumeration! {
    /// How a predicate is made of flag bits; depends on the access mode.
    ///
    /// PRM table `PredCtrl`, 4 bits.
    PredCtrl(u8): "PredCtrl", 4, "Eulsa";
    0..=0 "No Predication (normal) [Default]" as NONE = "No predication.";
    1..=1 "Sequential Flag Channel Mapping" as SEQUENTIAL = "Every channel by its own flag bit.";
    2..=2 "Replication swizzle .x" if Align16 as REPLICATE_X = "Every channel by the x flag of its group.";
    2..=2 ".anyv (any from f0.0-f1.0 on the same channel)" if Align1 as ANYV = "Any of the flags of the same channel.";
    3..=3 "Replication swizzle .y" if Align16 as REPLICATE_Y = "Every channel by the y flag of its group.";
    3..=3 ".allv (all of f0.0-f1.0 on the same channel)" if Align1 as ALLV = "All of the flags of the same channel.";
    4..=4 "Replication swizzle .z" if Align16 as REPLICATE_Z = "Every channel by the z flag of its group.";
    4..=4 ".any2h (any in group of 2 channels)" if Align1 as ANY2H = "Any in groups of 2 channels.";
    5..=5 "Replication swizzle .w" if Align16 as REPLICATE_W = "Every channel by the w flag of its group.";
    5..=5 ".all2h (all in group of 2 channels)" if Align1 as ALL2H = "All in groups of 2 channels.";
    6..=6 ".any4h" as ANY4H = "Any in groups of 4 channels.";
    7..=7 ".all4h" as ALL4H = "All in groups of 4 channels.";
    8..=15 "Reserved" if Align16;
    8..=8 ".any8h (any in group of 8 channels)" if Align1 as ANY8H = "Any in groups of 8 channels.";
    9..=9 ".all8h (all in group of 8 channels)" if Align1 as ALL8H = "All in groups of 8 channels.";
    10..=10 ".any16h (any in group of 16 channels)" if Align1 as ANY16H = "Any in groups of 16 channels.";
    11..=11 ".all16h (all in group of 16 channels)" if Align1 as ALL16H = "All in groups of 16 channels.";
    12..=12 ".any32h (any in group of 32 channels)" if Align1 as ANY32H = "Any in groups of 32 channels.";
    13..=13 ".all32h (all in group of 32 channels)" if Align1 as ALL32H = "All in groups of 32 channels.";
    14..=15 "Reserved" if Align1;
}

enumeration! {
    /// Which part of the channels an instruction stands for; depends on the execution size.
    ///
    /// PRM table `QtrCtrl`, 2 bits.
    QtrCtrl(u8): "QtrCtrl", 2, "Eulsa";
    0..=0 "1Q [Default]" if Exec8 as QUARTER_1 = "First quarter of the dispatch mask, first half of the flags.";
    1..=1 "2Q" if Exec8 as QUARTER_2 = "Second quarter of the dispatch mask, second half of the flags.";
    2..=2 "3Q" if Exec8 as QUARTER_3 = "Third quarter of the dispatch mask, first half of the flags.";
    3..=3 "4Q" if Exec8 as QUARTER_4 = "Fourth quarter of the dispatch mask, second half of the flags.";
    0..=0 "1H" if Exec16 as HALF_1 = "First half of the dispatch mask, all flags.";
    2..=2 "2H" if Exec16 as HALF_2 = "Second half of the dispatch mask, all flags.";
    0..=0 "1N" if Exec4Low as NIBBLE_1 = "First eighth of dispatch mask and flags.";
    0..=0 "2N" if Exec4High as NIBBLE_2 = "Second eighth of dispatch mask and flags.";
    1..=1 "3N" if Exec4Low as NIBBLE_3 = "Third eighth of dispatch mask and flags.";
    1..=1 "4N" if Exec4High as NIBBLE_4 = "Fourth eighth of dispatch mask and flags.";
    2..=2 "5N" if Exec4Low as NIBBLE_5 = "Fifth eighth of dispatch mask and flags.";
    2..=2 "6N" if Exec4High as NIBBLE_6 = "Sixth eighth of dispatch mask and flags.";
    3..=3 "7N" if Exec4Low as NIBBLE_7 = "Seventh eighth of dispatch mask and flags.";
    3..=3 "8N" if Exec4High as NIBBLE_8 = "Eighth eighth of dispatch mask and flags.";
}

enumeration! {
    /// The register file of an operand.
    ///
    /// PRM table `RegFile`, 2 bits.
    RegFile(u8): "RegFile", 2, "Eulsa";
    0..=0 "ARF" as ARF = "Architecture registers (source 0 or destination).";
    1..=1 "GRF" as GRF = "General registers.";
    2..=2 "Reserved";
    3..=3 "IMM" as IMM = "An immediate (last source only).";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The shared function that a message goes to.
    ///
    /// PRM table `SFID`, 4 bits.
    Sfid(u8): "SFID", 4, "Eulsa";
    0..=0 "SFID_NULL" as NULL = "Nothing.";
    1..=1 "Reserved";
    2..=2 "SFID_SAMPLER" as SAMPLER = "Sampler.";
    3..=3 "SFID_GATEWAY" as GATEWAY = "Message gateway.";
    4..=4 "SFID_DP_DC2" as DP_DC2 = "Data cache data port 2.";
    5..=5 "SFID_DP_RC" as DP_RC = "Render cache data port.";
    6..=6 "SFID_URB" as URB = "URB.";
    7..=7 "SFID_SPAWNER" as SPAWNER = "Thread spawner.";
    8..=8 "SFID_VME" as VME = "Video motion estimation.";
    9..=9 "SFID_DP_DCRO" as DP_DCRO = "Read-only data cache data port.";
    10..=10 "SFID_DP_DC0" as DP_DC0 = "Data cache data port 0.";
    11..=11 "SFID_PI" as PI = "Pixel interpolator.";
    12..=12 "SFID_DP_DC1" as DP_DC1 = "Data cache data port 1.";
    13..=13 "SFID_CRE" as CRE = "Check and refinement engine.";
    14..=15 "Reserved";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The numeric type of an immediate source (Gen11 codes).
    ///
    /// PRM table `SrcImmType`, 4 bits.
    SrcImmType(u8): "SrcImmType", 4, "Eulsa";
    0..=0 ":ud" as UD = "Unsigned 32-bit integer.";
    1..=1 ":d" as D = "Signed 32-bit integer.";
    2..=2 ":uw" as UW = "Unsigned 16-bit integer.";
    3..=3 ":w" as W = "Signed 16-bit integer.";
    4..=4 ":uv" as UV = "Eight packed unsigned 4-bit integers.";
    10..=10 ":df" as DF = "Double-precision (64-bit) float.";
    5..=5 ":v" as V = "Eight packed signed 4-bit integers.";
    6..=6 ":uq" as UQ = "Unsigned 64-bit integer.";
    7..=7 ":q" as Q = "Signed 64-bit integer.";
    8..=8 ":hf" as HF = "Half-precision (16-bit) float.";
    9..=9 ":f" as F = "Single-precision (32-bit) float.";
    11..=11 ":vf" as VF = "Four packed 8-bit restricted floats.";
    12..=15 "Reserved";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The source bits that a compacted instruction's index stands for (bits 88:77 for source 0).
    ///
    /// PRM table `SrcIndex`, 5 bits.
    SrcIndex(u8): "SrcIndex", 5, "Eulsa";
    0..=0 "000000000000" [region "dir <0;1,0>"] as INDEX_0 = "Source bits 000000000000: `dir <0;1,0>`.";
    1..=1 "000000000010" [region "(-) dir <0;1,0>"] as INDEX_1 = "Source bits 000000000010: `(-) dir <0;1,0>`.";
    2..=2 "000000010000" [region "dir <0;>.zx"] as INDEX_2 = "Source bits 000000010000: `dir <0;>.zx`.";
    3..=3 "000000010010" [region "(-) dir <0;>.zx"] as INDEX_3 = "Source bits 000000010010: `(-) dir <0;>.zx`.";
    4..=4 "000000011000" [region "dir <0;>.wx"] as INDEX_4 = "Source bits 000000011000: `dir <0;>.wx`.";
    5..=5 "000000100000" [region "dir <0;>.xy"] as INDEX_5 = "Source bits 000000100000: `dir <0;>.xy`.";
    6..=6 "000000101000" [region "dir <0;>.yy"] as INDEX_6 = "Source bits 000000101000: `dir <0;>.yy`.";
    7..=7 "000001001000" [region "dir <0;4,1>"] as INDEX_7 = "Source bits 000001001000: `dir <0;4,1>`.";
    8..=8 "000001010000" [region "dir <0;>.zz"] as INDEX_8 = "Source bits 000001010000: `dir <0;>.zz`.";
    9..=9 "000001110000" [region "dir <0;>.zw"] as INDEX_9 = "Source bits 000001110000: `dir <0;>.zw`.";
    10..=10 "000001111000" [region "dir <0;8,4> / dir <0;>.ww"] as INDEX_10 = "Source bits 000001111000: `dir <0;8,4> / dir <0;>.ww`.";
    11..=11 "001100000000" [region "dir <4;>.xx"] as INDEX_11 = "Source bits 001100000000: `dir <4;>.xx`.";
    12..=12 "001100000010" [region "(-) dir <4;>.xx"] as INDEX_12 = "Source bits 001100000010: `(-) dir <4;>.xx`.";
    13..=13 "001100001000" [region "dir <4;>.yx"] as INDEX_13 = "Source bits 001100001000: `dir <4;>.yx`.";
    14..=14 "001100010000" [region "dir <4;>.zx"] as INDEX_14 = "Source bits 001100010000: `dir <4;>.zx`.";
    15..=15 "001100010010" [region "(-) dir <4;>.zx"] as INDEX_15 = "Source bits 001100010010: `(-) dir <4;>.zx`.";
    16..=16 "001100100000" [region "dir <4;>.xy"] as INDEX_16 = "Source bits 001100100000: `dir <4;>.xy`.";
    17..=17 "001100101000" [region "dir <4;>.yy"] as INDEX_17 = "Source bits 001100101000: `dir <4;>.yy`.";
    18..=18 "001100111000" [region "dir <4;>.wy"] as INDEX_18 = "Source bits 001100111000: `dir <4;>.wy`.";
    19..=19 "001101000000" [region "dir <4;4,0>"] as INDEX_19 = "Source bits 001101000000: `dir <4;4,0>`.";
    20..=20 "001101000010" [region "(-) dir <4;4,0>"] as INDEX_20 = "Source bits 001101000010: `(-) dir <4;4,0>`.";
    21..=21 "001101001000" [region "dir <4;>.yz"] as INDEX_21 = "Source bits 001101001000: `dir <4;>.yz`.";
    22..=22 "001101010000" [region "dir <4;>.zz"] as INDEX_22 = "Source bits 001101010000: `dir <4;>.zz`.";
    23..=23 "001101100000" [region "dir <4;>.xw"] as INDEX_23 = "Source bits 001101100000: `dir <4;>.xw`.";
    24..=24 "001101101000" [region "dir <4;>.yw"] as INDEX_24 = "Source bits 001101101000: `dir <4;>.yw`.";
    25..=25 "001101110000" [region "dir <4;>.zw"] as INDEX_25 = "Source bits 001101110000: `dir <4;>.zw`.";
    26..=26 "001101110001" [region "(abs) dir <4;>.zw"] as INDEX_26 = "Source bits 001101110001: `(abs) dir <4;>.zw`.";
    27..=27 "001101111000" [region "dir <4;>.ww"] as INDEX_27 = "Source bits 001101111000: `dir <4;>.ww`.";
    28..=28 "010001101000" [region "dir <8;8,1>"] as INDEX_28 = "Source bits 010001101000: `dir <8;8,1>`.";
    29..=29 "010001101001" [region "(abs) dir <8;8,1>"] as INDEX_29 = "Source bits 010001101001: `(abs) dir <8;8,1>`.";
    30..=30 "010001101010" [region "(-) dir <8;8,1>"] as INDEX_30 = "Source bits 010001101010: `(-) dir <8;8,1>`.";
    31..=31 "010110001000" [region "dir <16;16,1>"] as INDEX_31 = "Source bits 010110001000: `dir <16;16,1>`.";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The change of a source's sign; for logic instructions of its bits.
    ///
    /// PRM table `SrcMod`, 2 bits.
    SrcMod(u8): "SrcMod", 2, "Eulsa";
    0..=0 "No modification" as NONE = "No change.";
    1..=1 "abs" as ABS = "Absolute value (logic instructions: no change).";
    2..=2 "negate" as NEGATE = "Negated (logic instructions: bits inverted).";
    3..=3 "negate of abs" as NEGATE_ABS = "Absolute value, then negated (logic instructions: no change).";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The numeric type of a register source (Gen11 codes).
    ///
    /// PRM table `SrcType`, 4 bits.
    SrcType(u8): "SrcType", 4, "Eulsa";
    0..=0 ":ud" as UD = "Unsigned 32-bit integer.";
    1..=1 ":d" as D = "Signed 32-bit integer.";
    2..=2 ":uw" as UW = "Unsigned 16-bit integer.";
    3..=3 ":w" as W = "Signed 16-bit integer.";
    4..=4 ":ub" as UB = "Unsigned 8-bit integer.";
    5..=5 ":b" as B = "Signed 8-bit integer.";
    6..=6 ":uq" as UQ = "Unsigned 64-bit integer.";
    7..=7 ":q" as Q = "Signed 64-bit integer.";
    8..=8 ":hf" as HF = "Half-precision (16-bit) float.";
    9..=9 ":f" as F = "Single-precision (32-bit) float.";
    10..=10 ":df" as DF = "Double-precision (64-bit) float.";
    11..=11 ":nf" as NF = "Native-precision (66-bit) float.";
    12..=15 "Reserved";
}

enumeration! {
    /// The numeric type of a three-source Align1 operand; depends on the execution type.
    ///
    /// PRM table `TernaryAlign1DataType`, 3 bits.
    TernaryAlign1DataType(u8): "TernaryAlign1DataType", 3, "Eulsa";
    0..=0 ":ud" if Integer as UD = "Unsigned 32-bit integer.";
    0..=0 ":hf" if Float as HF = "Half-precision (16-bit) float.";
    1..=1 ":d" if Integer as D = "Signed 32-bit integer.";
    1..=1 ":f" if Float as F = "Single-precision (32-bit) float.";
    2..=2 ":uw" if Integer as UW = "Unsigned 16-bit integer.";
    2..=2 ":df" if Float as DF = "Double-precision (64-bit) float.";
    3..=3 ":w" if Integer as W = "Signed 16-bit integer.";
    3..=3 ":nf" if Float as NF = "Native-precision (66-bit) float.";
    4..=4 ":ub" if Integer as UB = "Unsigned 8-bit integer.";
    5..=5 ":b" if Integer as B = "Signed 8-bit integer.";
    4..=5 "Reserved" if Float;
    6..=7 "Reserved";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The distance of elements of a three-source Align1 operand.
    ///
    /// PRM table `TernaryAlign1HorzStride`, 2 bits.
    TernaryAlign1HorzStride(u8): "TernaryAlign1HorzStride", 2, "Eulsa";
    0..=0 "0 - elements" as ELEMENTS_0 = "0 elements.";
    1..=1 "1 - elements" as ELEMENTS_1 = "1 element.";
    2..=2 "2 - elements" as ELEMENTS_2 = "2 elements.";
    3..=3 "4 - elements" as ELEMENTS_4 = "4 elements.";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The distance of rows of a three-source Align1 operand.
    ///
    /// PRM table `TernaryAlign1VertStride`, 2 bits.
    TernaryAlign1VertStride(u8): "TernaryAlign1VertStride", 2, "Eulsa";
    0..=0 "0 - elements" as ELEMENTS_0 = "0 elements.";
    1..=1 "2 - elements" as ELEMENTS_2 = "2 elements.";
    2..=2 "4 - elements" as ELEMENTS_4 = "4 elements.";
    3..=3 "8 - elements" as ELEMENTS_8 = "8 elements.";
}

enumeration! {
    /// When the thread may be switched.
    ///
    /// PRM table `ThreadCtrl`, 2 bits.
    ThreadCtrl(u8): "ThreadCtrl", 2, "Eulsa";
    0..=0 "Normal" as NORMAL = "The execution unit decides.";
    1..=1 "Atomic" as ATOMIC = "No switch after this instruction.";
    2..=2 "Switch" as SWITCH = "A switch after this instruction.";
    3..=3 "Reserved";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// The distance of two rows of a region, in elements.
    ///
    /// PRM table `VertStride`, 4 bits.
    VertStride(u8): "VertStride", 4, "Eulsa";
    0..=0 "0 elements" as ELEMENTS_0 = "0 elements.";
    1..=1 "1 element" as ELEMENTS_1 = "1 elements (Align1).";
    2..=2 "2 elements" as ELEMENTS_2 = "2 elements.";
    3..=3 "4 elements" as ELEMENTS_4 = "4 elements.";
    4..=4 "8 elements" as ELEMENTS_8 = "8 elements (Align1).";
    5..=5 "16 elements" as ELEMENTS_16 = "16 elements (Align1, bytes and words).";
    6..=6 "32 elements" as ELEMENTS_32 = "32 elements (Align1, bytes).";
    7..=14 "Reserved";
    15..=15 "VxH or Vx1 mode" as VXH = "Every row by its own address register (indirect Align1).";
}

#[cfg(feature = "enumerations")]
enumeration! {
    /// Elements in a row of a source region.
    ///
    /// PRM table `Width`, 3 bits.
    Width(u8): "Width", 3, "Eulsa";
    0..=0 "1 elements" as ELEMENTS_1 = "1 element.";
    1..=1 "2 elements" as ELEMENTS_2 = "2 elements.";
    2..=2 "4 elements" as ELEMENTS_4 = "4 elements.";
    3..=3 "8 elements" as ELEMENTS_8 = "8 elements.";
    4..=4 "16 elements" as ELEMENTS_16 = "16 elements.";
    5..=7 "Reserved";
}
