//! Output files that are written completely or not at all, and never over an input.
//!
//! A file is written under a temporary name next to its target and renamed at the end ([`OutputFile::commit`]): after a full disk, an error
//! or Ctrl-C, the target is unchanged.

use crate::interrupt::Temporary;
use image::{ImageFormat, RgbaImage};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, TempPath};

/// A file that gets its final name when it is complete. Errors name the target.
#[derive(Debug)]
pub struct OutputFile {
    target: PathBuf,
    file: BufWriter<File>,
    /// `None`: the target is not a regular file (a pipe, `/dev/stdout`) and is written directly.
    temporary: Option<(TempPath, Temporary)>,
}

impl OutputFile {
    /// Opens the file that will become `target`. `inputs` are the paths of the files that the command reads; `-` is standard input.
    ///
    /// # Errors
    /// `target` is one of `inputs`, or cannot be written.
    pub fn create(target: &Path, inputs: &[&Path]) -> io::Result<Self> {
        refuse_inputs(target, inputs)?;
        Self::open(target).map_err(|why| cannot_write(target, &why))
    }

    fn open(target: &Path) -> io::Result<Self> {
        // A symbolic link is kept: the file that it points to is replaced.
        let path = target.canonicalize().unwrap_or_else(|_| target.to_owned());
        let known = path.metadata().ok();
        if known.as_ref().is_some_and(|known| !known.is_file()) {
            let file = File::options().write(true).open(&path)?;
            return Ok(Self { target: target.to_owned(), file: BufWriter::new(file), temporary: None });
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        let mut registered = None;
        let made = Builder::new().prefix(&prefix).suffix(".tmp").make_in(
            folder.unwrap_or(Path::new(".")),
            |path| {
                let (file, temporary) =
                    Temporary::make(path, || File::options().write(true).create_new(true).open(path))?;
                registered = Some(temporary);
                Ok(file)
            },
        )?;
        let (file, temporary) = made.into_parts();
        if let Some(known) = known {
            file.set_permissions(known.permissions())?;
        }
        let temporary = registered.map(|registered| (temporary, registered));
        Ok(Self { target: target.to_owned(), file: BufWriter::new(file), temporary })
    }

    /// Completes the file and gives it its final name.
    ///
    /// # Errors
    /// It cannot be written; the target is unchanged.
    pub fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        let Some((temporary, _registered)) = self.temporary else { return Ok(()) };
        let path = self.target.canonicalize().unwrap_or_else(|_| self.target.clone());
        temporary.persist(path).map_err(|why| cannot_write(&self.target, &why.error))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|why| cannot_write(&self.target, &why))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|why| cannot_write(&self.target, &why))
    }
}

/// Writes a whole file; `inputs` as for [`OutputFile::create`].
///
/// # Errors
/// As [`OutputFile::create`].
pub fn write(target: &Path, inputs: &[&Path], bytes: &[u8]) -> io::Result<()> {
    let mut file = OutputFile::create(target, inputs)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Writes a picture as a PNG file.
///
/// # Errors
/// As [`write()`], and a name that does not end with `.png`.
pub fn write_picture(target: &Path, inputs: &[&Path], picture: &RgbaImage) -> io::Result<()> {
    if !matches!(ImageFormat::from_path(target), Ok(ImageFormat::Png)) {
        let why = io::Error::new(io::ErrorKind::InvalidInput, "its name does not end with .png");
        return Err(cannot_write(target, &why));
    }
    let mut bytes = io::Cursor::new(Vec::new());
    let encoded = picture.write_to(&mut bytes, ImageFormat::Png);
    encoded.map_err(|why| cannot_write(target, &io::Error::other(why)))?;
    write(target, inputs, bytes.get_ref())
}

fn refuse_inputs(target: &Path, inputs: &[&Path]) -> io::Result<()> {
    let same = inputs.iter().any(|input| match input.to_str() {
        Some("-") => {
            same_file::Handle::stdin()
                .and_then(|stdin| Ok(stdin == same_file::Handle::from_path(target)?))
                .unwrap_or(false)
                && target.is_file()
        }
        _ => same_file::is_same_file(input, target).unwrap_or(false),
    });
    if same {
        let why = io::Error::new(io::ErrorKind::InvalidInput, "it is an input of this command");
        return Err(cannot_write(target, &why));
    }
    Ok(())
}

fn cannot_write(target: &Path, why: &io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("cannot write {}: {why}", target.display()))
}
