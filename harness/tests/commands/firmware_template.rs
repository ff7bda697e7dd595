//! The crate that `firmware-example/README.md` gives as a start builds as it stands there.

use std::path::Path;
use std::process::Command;

/// The block of `readme` behind the sentence that names `file`.
fn block<'a>(readme: &'a str, file: &str) -> &'a str {
    let section = readme.split("## Your own firmware").nth(1).expect("the section");
    let after = section.split(&format!("`{file}`")).nth(1).unwrap_or_else(|| panic!("no {file}"));
    let fenced = after.split("```").nth(1).expect("a block");
    fenced.split_once('\n').expect("a language").1
}

/// Needs a bare-metal toolchain, see `firmware-example/env.sh`.
#[test]
#[ignore = "builds for thumbv7em: cargo test -p texwire-harness --test commands firmware_template -- --ignored"]
fn the_template_builds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = std::fs::read_to_string(root.join("firmware-example/README.md")).unwrap();
    let folder = std::env::temp_dir().join(format!("texwire-template-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let core = root.join("core").display().to_string();
    for file in ["Cargo.toml", "memory.x", "build.rs", "src/main.rs"] {
        let text = block(&readme, file).replace("../texwire/core", &core);
        std::fs::write(folder.join(file), text).unwrap();
    }
    let script = format!(
        "set -eu; source {}/firmware-example/env.sh; texwire_toolchain thumbv7em-none-eabihf; export DEFMT_LOG=info; \
         \"${{CARGO[@]}}\" build --release \"${{BUILD_STD[@]}}\" --target thumbv7em-none-eabihf",
        root.display()
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(output.status.success(), "{said}");
}
