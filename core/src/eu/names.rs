//! Names of shared functions, and the codes of the software scoreboard.

use crate::platform::Platform;

/// Names of the shared functions in disassembly comments, Gen9 and Gen11.
static FUNCTIONS: [&str; 16] = [
    "null", "?", "sampler", "gateway", "hdc.dc2", "hdc.rc", "hdc.urb", "spawner", "vme", "hdc.dcro",
    "hdc.dc0", "pi", "hdc.dc1", "cre", "?", "?",
];

/// Names of the shared functions in mnemonics, Xe-LP.
static XE_LP_FUNCTIONS: [&str; 16] = [
    "null", "?", "smpl", "gtwy", "dc2", "rc", "urb", "ts", "vme", "dcro", "dc0", "pixi", "dc1", "cre", "?",
    "?",
];

/// Names of the shared functions in mnemonics, Xe-HPG.
static XE_HPG_FUNCTIONS: [&str; 16] = [
    "null", "ugml", "smpl", "gtwy", "dc2", "rc", "urb", "btd", "rta", "dcro", "dc0", "pixi", "dc1", "tgm",
    "slm", "ugm",
];

/// Returns the name of a shared function, as it is in comments (Gen9, Gen11) or mnemonics (Gen12); `?` if it is not defined.
pub fn function_name(platform: Platform, sfid: u8) -> &'static str {
    let table = match platform {
        Platform::Gen9 | Platform::Gen11 => &FUNCTIONS,
        Platform::XeLp => &XE_LP_FUNCTIONS,
        _ => &XE_HPG_FUNCTIONS,
    };
    table.get(usize::from(sfid)).copied().unwrap_or("?")
}

/// A range of software scoreboard codes: (first code, last code, text before the number, mask of the number in the code, text after it).
pub(super) type Scoreboard = (u8, u8, &'static str, u8, &'static str);

/// The codes of tokens, which both Gen12 platforms have.
static TOKENS: [Scoreboard; 3] =
    [(0x20, 0x2f, "$", 15, ".dst"), (0x30, 0x3f, "$", 15, ".src"), (0x40, 0x4f, "$", 15, "")];
static XE_LP_DISTANCES: [Scoreboard; 1] = [(0x01, 0x0f, "@", 15, "")];
static XE_HPG_DISTANCES: [Scoreboard; 5] = [
    (0x01, 0x07, "@", 7, ""),
    (0x09, 0x0f, "A@", 7, ""),
    (0x11, 0x17, "F@", 7, ""),
    (0x19, 0x1f, "I@", 7, ""),
    (0x51, 0x57, "L@", 7, ""),
];

pub(super) fn scoreboards(platform: Platform) -> impl Iterator<Item = &'static Scoreboard> {
    let distances: &[Scoreboard] =
        if platform == Platform::XeLp { &XE_LP_DISTANCES } else { &XE_HPG_DISTANCES };
    distances.iter().chain(&TOKENS)
}

/// The first of the scoreboard codes that have both a distance (6:4) and a token (3:0).
pub(super) const DISTANCE_AND_TOKEN: u8 = 0x80;

/// Returns true if the scoreboard code has a text.
pub(super) fn scoreboard_is_shown(platform: Platform, code: u8) -> bool {
    code >= DISTANCE_AND_TOKEN
        || scoreboards(platform).any(|&(first, last, ..)| (first..=last).contains(&code))
}

/// Returns true if the platform defines the scoreboard code.
pub(super) fn scoreboard_is_defined(platform: Platform, code: u8) -> bool {
    // Xe-HPG has a code for distance 0 of each pipe, which has no text.
    let nothing = code == 0 || platform == Platform::XeHpg && matches!(code, 0x08 | 0x10 | 0x18 | 0x50);
    nothing || scoreboard_is_shown(platform, code)
}
