//! What the commands share: their result, and reading the files, folders, wires and platforms named on the command line.

use crate::containers::limits::PictureLimits;
use crate::lines::limited_lines;
use crate::wires::{self, WIRES, Wire};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use texwire::Platform;

/// The result of a command: `Ok(true)` if all is well, `Ok(false)` if a check failed.
pub type CommandResult = Result<bool, Box<dyn std::error::Error>>;

/// The largest input, in bytes, that is read as a whole (`trace dump`, `replay` and `verify` read streams of any length).
const MAX_INPUT: u64 = 1 << 30;

/// Reads a file; the error names it.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    // The length of a regular file is known before it is read; that of a pipe is not.
    let bytes = File::open(path).and_then(|file| limited(file.metadata()?.len(), file));
    bytes.map_err(|why| format!("cannot read {}: {why}", path.display()).into())
}

/// Returns the name of a file, or of standard input for `-`, for messages.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads a file, or standard input for `-`. Returns its name, for messages, and its bytes.
pub(super) fn read_input(path: &Path) -> Result<(String, Vec<u8>), Box<dyn std::error::Error>> {
    if path != Path::new("-") {
        return Ok((name(path), read(path)?));
    }
    let bytes = limited(0, io::stdin().lock()).map_err(|why| format!("cannot read standard input: {why}"))?;
    Ok((name(path), bytes))
}

/// Reads to the end, which comes after [`MAX_INPUT`] bytes at most. `known`: the length if it is known before, else 0.
fn limited(known: u64, from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if known <= MAX_INPUT {
        from.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= MAX_INPUT {
            return Ok(bytes);
        }
    }
    Err(io::Error::other(format!("it is larger than {MAX_INPUT} bytes")))
}

/// Returns the lines of a file, or of standard input for `-`, except blank ones: the place of each, for messages, and its text.
pub(super) fn lines(path: &Path) -> Result<impl Iterator<Item = Result<(String, String), String>>, String> {
    let name = name(path);
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(|why| format!("cannot read {name}: {why}"))?)
    };
    let lines = (1..).zip(limited_lines(BufReader::new(input))).map(move |(number, line)| {
        let place = format!("{name}:{number}");
        match line {
            Ok(line) => Ok((place, line)),
            Err(why) => Err(format!("cannot read {place}: {why}")),
        }
    });
    Ok(lines.filter(|line| line.as_ref().map_or(true, |(_, line)| !line.trim().is_empty())))
}

/// Reads a file or standard input that an argument names, where the argument may also be the input itself: then the result is `None`.
pub(super) fn read_named(argument: &str) -> Result<Option<(String, Vec<u8>)>, Box<dyn std::error::Error>> {
    let path = Path::new(argument);
    if argument == "-" || path.exists() && !path.is_dir() {
        return read_input(path).map(Some);
    }
    if argument.contains(['/', '.']) && !argument.contains(char::is_whitespace) {
        return Err(format!("cannot read {argument}: no such file").into());
    }
    Ok(None)
}

/// Creates a folder and its parents; the error names it.
pub(super) fn folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|why| match why.kind() {
        io::ErrorKind::AlreadyExists => format!("cannot write to {}: it is no folder", path.display()),
        _ => format!("cannot create {}: {why}", path.display()),
    })
}

/// Parses a number that is neither NaN nor infinite.
pub(super) fn finite(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "no number".to_owned())?;
    if number.is_finite() { Ok(number) } else { Err("no finite number".to_owned()) }
}

/// Returns the parser of the value of `--wire`.
pub(super) fn wire() -> impl TypedValueParser<Value = &'static dyn Wire> {
    let values = WIRES.into_iter().map(|wire| PossibleValue::new(wire.name()).help(wire.about()));
    PossibleValuesParser::new(values).try_map(|name| wires::find(&name).ok_or("unknown wire"))
}

/// The option that limits pictures.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct LimitArgs {
    /// Largest picture to read, decoded, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    picture_limit: u32,
}

impl LimitArgs {
    /// Returns the limits for readers of pictures.
    pub(super) fn limits(self) -> PictureLimits {
        PictureLimits { bytes: u64::from(self.picture_limit) << 20 }
    }
}

/// Returns the one of these platforms that `--platform` names.
pub(super) fn platform_among(platforms: &[Platform], name: &str) -> Result<Platform, String> {
    platforms.iter().copied().find(|platform| platform.name() == name).ok_or_else(|| {
        let names: Vec<_> = platforms.iter().map(|platform| platform.name()).collect();
        format!("unknown platform at --platform: {name} (expected {})", names.join(", "))
    })
}

/// Returns the platform that `--platform` names, which the wire has to support; without a name, the wire's first platform.
pub(super) fn platform(name: Option<&str>, wire: &dyn Wire) -> Result<Platform, String> {
    let platforms = wire.platforms();
    let Some(name) = name else { return Ok(platforms[0]) };
    platforms.iter().copied().find(|platform| platform.name() == name).ok_or_else(|| {
        let names: Vec<_> = platforms.iter().map(|platform| platform.name()).collect();
        let wire = wire.name();
        format!(
            "unknown platform at --platform: {name} does not go with {wire} (expected {})",
            names.join(", ")
        )
    })
}
