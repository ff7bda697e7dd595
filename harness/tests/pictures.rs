//! The README's picture is what the command draws.

use std::path::Path;
use std::process::Command;

#[test]
fn the_sheet_is_as_drawn() {
    let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sheet.png");
    let status = Command::new(env!("CARGO_BIN_EXE_texwire"))
        .args(["render", "--sheet", "-o"])
        .arg(&drawn)
        .status()
        .unwrap();
    assert!(status.success());
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures/sampler.png");
    let [drawn, stored] = [drawn, stored].map(|path| image::open(path).unwrap().into_rgba8());
    assert_eq!(drawn.dimensions(), stored.dimensions());
    let differs = drawn.enumerate_pixels().find(|(x, y, pixel)| stored.get_pixel(*x, *y) != *pixel);
    assert!(
        differs.is_none(),
        "draw harness/pictures/sampler.png anew (`texwire render --sheet`): {differs:?}"
    );
}
