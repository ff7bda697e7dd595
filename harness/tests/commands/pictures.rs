//! The README's pictures are what the commands draw.

use std::path::Path;
use std::process::Command;

/// The arguments draw what `pictures/NAME` shows.
fn as_drawn(name: &str, args: &[&str]) {
    let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let status = Command::new(env!("CARGO_BIN_EXE_texwire"))
        .args(args)
        .arg("-o")
        .arg(&drawn)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures").join(name);
    let [drawn, stored] = [drawn, stored].map(|path| image::open(path).unwrap().into_rgba8());
    assert_eq!(drawn.dimensions(), stored.dimensions());
    let differs = drawn.enumerate_pixels().find(|(x, y, pixel)| stored.get_pixel(*x, *y) != *pixel);
    assert!(
        differs.is_none(),
        "draw harness/pictures/{name} anew (`texwire {}`): {differs:?}",
        args.join(" ")
    );
}

#[test]
fn the_sheet_is_as_drawn() {
    as_drawn("sampler.png", &["render", "--sheet"]);
}

#[test]
fn the_footprint_is_as_drawn() {
    let picture = crate::command::corpus("images/chelsea.png");
    let lane = "u=0.425,v=0.38,dudx=0.022,dvdx=0.009,dudy=0.0016,dvdy=-0.0045";
    let state = "op=sample_d,mip=linear,aniso=8";
    as_drawn("footprint.png", &["footprint", "--image", &picture, "--state", state, "--lane", lane]);
}

use crate::command::texwire;
use std::time::{Duration, Instant};
use texwire_harness::containers::device_binary::DeviceBinary;

/// A DDS header: size, levels, depth, array layers of 4 bytes a texel, and no contents to speak of.
fn dds(width: u32, height: u32, levels: u32, layers: u32) -> Vec<u8> {
    let mut file = b"DDS ".to_vec();
    let mut header = [0u32; 31];
    header[0] = 124;
    header[1] = 0x1 | 0x2 | 0x4 | 0x1000 | 0x2_0000;
    (header[2], header[3], header[6]) = (height, width, levels);
    (header[18], header[19]) = (32, 4);
    header[20] = u32::from_le_bytes(*b"DX10");
    header[26] = 0x1000;
    file.extend(header.iter().flat_map(|dword| dword.to_le_bytes()));
    file.extend([28u32, 3, 0, layers, 0].iter().flat_map(|dword| dword.to_le_bytes()));
    file.resize(212, 0);
    file
}

/// A DDS header of an array of cubes.
fn dds_of_cubes(side: u32, cubes: u32) -> Vec<u8> {
    let mut file = dds(side, side, 1, cubes);
    // D3D10_RESOURCE_MISC_TEXTURECUBE.
    file[136] = 4;
    file
}

/// A KTX2 file of one level whose index says that it is empty.
fn ktx2(width: u32, height: u32, depth: u32, layers: u32, levels: u32) -> Vec<u8> {
    let mut file = vec![0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, b'\r', b'\n', 0x1a, b'\n'];
    // VK_FORMAT_R8G8B8A8_UNORM.
    // The data format descriptor of 4 bytes is at 120.
    for dword in [37, 1, width, height, depth, layers, 1, levels, 0, 120, 4, 0, 0] {
        file.extend_from_slice(&u32::to_le_bytes(dword));
    }
    file.resize(80 + 24 * levels.min(40) as usize + 64, 0);
    file
}

/// A grey PNG: only its header is true.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut image = std::io::Cursor::new(Vec::new());
    image::GrayImage::new(1, 1).write_to(&mut image, image::ImageFormat::Png).unwrap();
    let mut bytes = image.into_inner();
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ (0xedb8_8320 & 0u32.wrapping_sub(crc & 1)))
    })
}

/// Sizes that no surface state holds, and files that say they hold more than there is, are refused at once.
#[test]
fn pictures_without_measure_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("picture").display().to_string();
    let out = folder.path().join("out").display().to_string();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (dds(20_000, 4, 1, 1), "field Width of the surface state holds 1 to 16384"),
        (dds(4, 20_000, 1, 1), "field Height"),
        (dds(4, 4, u32::MAX, 1), "field MIP Count"),
        (dds(4, 4, 1, u32::MAX), "field Depth of the surface state holds 1 to 2048"),
        (dds(1, 1, 1, 200_000), "field Depth"),
        (dds_of_cubes(4, 715_827_883), "field Depth"),
        (dds(16384, 16384, 1, 2048), "--picture-limit"),
        (ktx2(1 << 31, 1 << 31, 0, 0, 1), "field Width"),
        (ktx2(4, 4, 0, 200_000, 1), "field Depth"),
        (ktx2(16384, 16384, 0, 2048, 1), "--picture-limit"),
        (png(22_000, 22_000), "field Width"),
        (png(16_384, 16_384), ""),
    ];
    for (file, says) in cases {
        std::fs::write(&picture, &file).unwrap();
        let start = Instant::now();
        let said = texwire(&["run", "--image", &picture, "-o", &out]);
        assert_eq!(said.status, Some(2), "{says}: {said:?}");
        assert!(said.err.starts_with("error: picture at ") && said.err.contains(says), "{said:?}");
        assert!(start.elapsed() < Duration::from_secs(15), "{says}: {:?}", start.elapsed());
    }
    std::fs::write(&picture, png(2000, 2000)).unwrap();
    let said = texwire(&["render", "--image", &picture, "--picture-limit", "15", "-o", &out]);
    assert_eq!(said.status, Some(2));
    assert!(said.err.contains("16000000 bytes: more than 15728640 (--picture-limit)"), "{said:?}");
}

#[test]
fn render_refuses_sizes_without_measure() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.png").display().to_string();
    for size in [["4294967295", "4294967295"], ["65536", "65536"], ["0", "1"]] {
        let said = texwire(&["render", "--size", size[0], size[1], "-o", &out]);
        assert_eq!(said.status, Some(2), "{said:?}");
        assert!(said.err.starts_with("error: "), "{said:?}");
    }
}

/// Whatever `run` meets in a real binary: what is not executed is counted with its reason, and is no success.
#[test]
fn run_says_what_it_did_not_execute() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    for (name, status, says) in [
        ("demo/demo.icllp.bin", 0, "core and oracle agree on all 13 messages that were executed"),
        ("devicebin/samplers20.icllp.bin", 0, "core and oracle agree on all 40 messages that were executed"),
        ("devicebin/mip_grad.skl.bin", 0, "core and oracle agree on all 4 messages that were executed"),
        ("devicebin/msaa.icllp.bin", 0, "core and oracle agree on all 10 messages that were executed"),
        ("devicebin/int_images.skl.bin", 0, "core and oracle agree on all 10 messages that were executed"),
        ("devicebin/stackcall.icllp.bin", 0, "core and oracle agree on all 1 messages that were executed"),
        // It ran, and has none.
        ("devicebin/queries.icllp.bin", 0, "no sampler message was sent"),
    ] {
        let said = texwire(&["run", &crate::command::corpus(name), "--shrink", "5", "-o", &out]);
        assert_eq!(said.status, Some(status), "{name}: {said:?}");
        assert!(said.out.contains(says), "{name}: {said:?}");
        assert!(!said.out.contains("DISAGREE"), "{name}: {said:?}");
    }
    // A kernel that the machine cannot run: its messages are executed over a grid, or counted with the reason why not.
    let mut file = std::fs::read(crate::command::corpus("devicebin/samplers20.icllp.bin")).unwrap();
    let heap = DeviceBinary::parse(&file).unwrap().kernels[0].heap.clone();
    file[heap.start] = 0x35;
    let damaged = folder.path().join("damaged.bin");
    std::fs::write(&damaged, file).unwrap();
    let said = texwire(&["run", &damaged.display().to_string(), "--shrink", "5", "-o", &out]);
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(
        said.out.contains("does not run on the machine: undecodable instruction at kernel k, offset 0x0"),
        "{said:?}"
    );
    assert!(said.out.contains("messages were not executed:"), "{said:?}");
    // Ties of filters, on pictures of height 4 and less.
    let said = texwire(&["run", "--shrink", "6", "-o", &out]);
    assert_eq!(said.status, Some(0), "{said:?}");
}
