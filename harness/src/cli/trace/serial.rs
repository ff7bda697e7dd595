//! Serial devices: raw bytes, at the sender's speed.

use std::fs::File;
use std::path::Path;

/// The values of `--baud` and the constants of termios for them.
#[cfg(target_os = "linux")]
const SPEEDS: [(u32, nix::sys::termios::BaudRate); 12] = {
    use nix::sys::termios::BaudRate::*;
    [
        (9600, B9600),
        (19_200, B19200),
        (38_400, B38400),
        (57_600, B57600),
        (115_200, B115200),
        (230_400, B230400),
        (460_800, B460800),
        (921_600, B921600),
        (1_000_000, B1000000),
        (1_500_000, B1500000),
        (2_000_000, B2000000),
        (3_000_000, B3000000),
    ]
};

/// Opens a terminal device and turns everything off that changes bytes (line editing, translation, flow
/// control, signals). Without `baud` the speed stays as it is. Other character devices are opened as files.
#[cfg(target_os = "linux")]
pub(super) fn open(path: &Path, baud: Option<u32>) -> Result<File, String> {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use nix::sys::termios::{
        ControlFlags, SetArg, SpecialCharacterIndices, cfmakeraw, cfsetspeed, tcgetattr, tcsetattr,
    };
    use std::os::unix::fs::OpenOptionsExt;

    let place = path.display();
    let say = |why: nix::errno::Errno| format!("cannot set up {place}: {}", why.desc());
    let speed = baud
        .map(|baud| {
            let names: Vec<_> = SPEEDS.iter().map(|(baud, _)| baud.to_string()).collect();
            let known = SPEEDS.iter().find(|(known, _)| *known == baud).map(|(_, speed)| *speed);
            known.ok_or_else(|| {
                format!("unknown speed at --baud: {baud} (expected one of {})", names.join(", "))
            })
        })
        .transpose()?;
    // Without O_NONBLOCK, opening would wait for a modem's carrier.
    let flags = OFlag::O_NOCTTY | OFlag::O_NONBLOCK;
    let file = File::options().read(true).custom_flags(flags.bits()).open(path);
    let file = file.map_err(|why| format!("cannot read {place}: {why}"))?;
    if let Ok(mut settings) = tcgetattr(&file) {
        cfmakeraw(&mut settings);
        settings.control_flags |= ControlFlags::CLOCAL | ControlFlags::CREAD;
        settings.control_chars[SpecialCharacterIndices::VMIN as usize] = 1;
        settings.control_chars[SpecialCharacterIndices::VTIME as usize] = 0;
        if let Some(speed) = speed {
            cfsetspeed(&mut settings, speed).map_err(say)?;
        }
        tcsetattr(&file, SetArg::TCSANOW, &settings).map_err(say)?;
    } else if baud.is_some() {
        return Err(format!("no serial device at {place}: --baud does not go with it"));
    }
    fcntl(&file, FcntlArg::F_SETFL(OFlag::empty())).map_err(say)?;
    Ok(file)
}

/// Opens a device with the settings that it has.
#[cfg(not(target_os = "linux"))]
pub(super) fn open(path: &Path, baud: Option<u32>) -> Result<File, String> {
    if baud.is_some() {
        return Err("unsupported option at --baud: set the speed up with stty".into());
    }
    File::open(path).map_err(|why| format!("cannot read {}: {why}", path.display()))
}

/// Returns whether the path is a character device.
pub(super) fn is_device(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata(path).is_ok_and(|meta| meta.file_type().is_char_device())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}
