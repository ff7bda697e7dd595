//! The commands as people use them: what one prints another reads, and options that do nothing or make no sense say so.

use crate::command::{command, corpus, file, names, path_in, refused, said, stdout, texwire, texwire_reads};
use std::path::Path;
use tempfile::tempdir;

/// A file that is read as a whole has a limit, which is known before it is read.
#[test]
fn an_input_has_a_limit() {
    let path = std::env::temp_dir().join(format!("texwire-large-{}", std::process::id()));
    std::fs::File::create(&path).unwrap().set_len((1 << 30) + 1).unwrap();
    let name = path.to_str().unwrap();
    let answers =
        [vec!["decode", name], vec!["asm", "--wire", "gen11", name]].map(|arguments| refused(&arguments));
    std::fs::remove_file(&path).unwrap();
    for why in answers {
        assert!(why.contains("larger than"), "{why}");
    }
}

/// What `decode` prints, `asm` assembles to the bytes that were decoded.
#[test]
fn asm_reads_what_decode_prints() {
    for (file, wire, platform) in [
        ("devicebin/bilinear.icllp.bin", "gen11", "gen11"),
        ("devicebin/mip_lod.skl.bin", "gen9", "gen9"),
        ("visa/multi_kernel.icllp.isa", "visa", "gen11"),
        ("txq/text/s000_sm50_kbafa0e.bin", "maxwell", "maxwell"),
    ] {
        let (bytes, path) = (std::fs::read(corpus(file)).unwrap(), corpus(file));
        let mut arguments = vec!["decode", path.as_str()];
        if wire == "maxwell" {
            arguments.extend(["--wire", wire]);
        }
        let text = stdout(&arguments, b"");
        assert_eq!(stdout(&[&arguments[..1], &["-"], &arguments[2..]].concat(), &bytes), text, "{file}");
        let hex = stdout(&["asm", "--wire", wire, "--platform", platform, "-"], text.as_bytes());
        let instructions: Vec<&str> = hex.lines().collect();
        let headings = text.lines().filter(|line| line.starts_with('#') || line.ends_with(':')).count();
        assert!(!instructions.is_empty() && instructions.len() == text.lines().count() - headings, "{file}");
        for line in instructions {
            let code =
                (0..line.len()).step_by(2).map(|at| u8::from_str_radix(&line[at..at + 2], 16).unwrap());
            let code: Vec<u8> = code.collect();
            let code = &code[..code.len().min(8)];
            assert!(bytes.windows(code.len()).any(|window| window == code), "{file}: {line}");
        }
    }
    assert!(refused(&["asm", "# nothing"]).contains("nothing to assemble"));
}

/// Pipes are read as files are, and a file that is not there is not taken for the input itself.
#[test]
#[cfg(unix)]
fn asm_and_explain_read_pipes() {
    let text = "TXQ R4, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;";
    let asm = |text, input| stdout(&["asm", "--wire", "maxwell", text], input);
    for name in ["-", "/dev/stdin"] {
        assert_eq!(asm(name, text.as_bytes()), asm(text, b""), "{name}");
        let explained = stdout(&["explain", name], b"0x02420001\n");
        assert_eq!(explained, stdout(&["explain", "0x02420001"], b""), "{name}");
    }
    for command in ["asm", "explain"] {
        let why = "error: cannot read no/such.file: no such file\n";
        assert_eq!(refused(&[command, "no/such.file"]), why);
    }
}

/// Jobs of `gen` and `fuzz-diff --job` run with `exec`, which answers as `serve` does.
#[test]
fn exec_takes_jobs() {
    let job = stdout(&["fuzz-diff", "--plain", "--job", "3"], b"");
    let answer = stdout(&["serve"], job.as_bytes());
    assert!(answer.starts_with(r#"{"writeback":["#), "{answer}");
    assert_eq!(stdout(&["exec", "-"], job.as_bytes()), answer);
    let said = texwire_reads(&["exec", "-"], br#"{"params":[],"surface":[]}"#);
    assert_eq!(said.status, Some(2));
    assert!(said.err.starts_with("error: bad job at standard input:1: "), "{said:?}");
    assert!(stdout(&["fuzz-diff", "-"], job.as_bytes()).contains("no disagreement."));
}

/// An option that has no effect on the input is refused, and so is a value that cannot be meant.
#[test]
fn arguments_that_do_not_fit_are_refused() {
    let folder = tempdir().unwrap();
    let page = file(&folder, "page", "");
    for (args, why) in [
        (
            &["explain", "--class", "b197", "0x02420001"][..],
            "unexpected --class at the input: it belongs to ",
        ),
        (
            &["explain", "--class", "b197", "--state", "sampler", "0 0 0 0"],
            "unexpected --class at the input: ",
        ),
        (
            &["explain", "--exdesc", "0", "--state", "sampler", "0 0 0 0"],
            "the argument '--exdesc <DWORD>' cannot ",
        ),
        (
            &["explain", "--state", "surface", "00"],
            "no dwords at the input: its length in bytes, 1, is no multiple",
        ),
        (&["bench", "--state", "op=ld", "--only", "x"], "the argument '--state <KEY=VALUE,...>' cannot "),
        (&["enum", ""], "a value is required for '[TABLE]'"),
        (&["man", "-o", &page], "cannot write to "),
    ] {
        let said = refused(args);
        assert!(said.starts_with(&format!("error: {why}")), "{args:?}: {said}");
    }
}

/// Surfaces of a platform that is not known have no layout: another platform's would be another one.
#[test]
fn layouts_are_of_known_platforms() {
    let folder = tempdir().unwrap();
    let line = std::fs::read_to_string(corpus("state/layout-tiled.jsonl")).unwrap();
    let line = line.lines().next().unwrap();
    assert!(line.contains(r#""platform":"gen9""#));
    let lines = format!("{line}\n{}\n", line.replace(r#""gen9""#, r#""skl""#));
    let said = texwire(&["layout", &file(&folder, "points.jsonl", lines)]);
    assert_eq!(said.status, Some(1), "{said:?}");
    let answers: Vec<&str> = said.out.lines().collect();
    assert!(answers[0].starts_with(r#"{"bytes":["#), "{said:?}");
    assert_eq!(answers[1], r#"{"error":"\"skl\" is no known platform"}"#);
    let path = file(&folder, "cases.json", r#"{"platform":"skl","cases":[{"state":"00"}]}"#);
    let why = format!("error: unknown platform at {path}: \"skl\" is no known platform\n");
    assert_eq!(refused(&["layout", &path]), why);
}

/// Errors of a trace name the whole path, or standard input.
#[test]
fn errors_of_traces_say_where_they_were_read() {
    for (args, input, text) in [
        (&["dump", "-"][..], "abc", "error: standard input at 0x0: 3 bytes dropped: "),
        (&["replay", "--allow-loss", "-"], "abc", "error: nothing done at standard input: "),
        (&["record", "-", "-o", "none.twt"], "\n", "error: nothing recorded: no jobs at standard input"),
    ] {
        let said = texwire_reads(&[&["trace"], args].concat(), input.as_bytes());
        assert!(said.err.starts_with(text), "{args:?}: {said:?}");
    }
    let folder = tempdir().unwrap();
    let trace = file(&folder, "a.twt", "abc");
    let said = refused(&["report", &trace, "-o", &path_in(&folder, "a.html")]);
    assert_eq!(said, format!("error: nothing to show at {trace}: the trace has no message\n"));
}

/// Shards through the command: their merged report is the whole campaign's.
#[test]
fn shards_merge() {
    let folder = tempdir().unwrap();
    let campaign = ["fuzz-diff", "--plain", "--count", "60", "--json"];
    let mut merge = vec!["fuzz-diff".to_owned(), "--merge".to_owned(), "--json".to_owned()];
    for shard in ["1/3", "2/3", "3/3"] {
        let path = path_in(&folder, &shard.replace('/', "-"));
        std::fs::write(&path, stdout(&[&campaign[..], &["--shard", shard, "-j", "2"]].concat(), b""))
            .unwrap();
        merge.push(path);
    }
    let json = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
    let merge: Vec<&str> = merge.iter().map(String::as_str).collect();
    let (merged, whole) = (json(stdout(&merge, b"")), json(stdout(&campaign, b"")));
    for key in ["jobs", "counts", "lanes_by_operation", "sentence", "disagreements"] {
        assert_eq!(merged[key], whole[key], "{key}");
    }
    assert_eq!(merged["jobs"], 60);
    assert_eq!(texwire(&merge).err, "");
    let said = texwire(&merge[..merge.len() - 1]);
    assert_eq!(said.err, "warning: 1 of 3 shards missing at --merge: this is not the whole campaign\n");
    assert!(refused(&["fuzz-diff", "--shard", "0/3"]).contains("is no shard"));
    assert!(refused(&["fuzz-diff", "--merge", merge[3], merge[3]]).contains("shard 1/3 is there twice"));
}

#[test]
fn run_says_what_it_runs_on() {
    let folder = tempdir().unwrap();
    let said = refused(&["run", &corpus("visa/multi_kernel.icllp.isa")]);
    assert!(said.contains("CISA (vISA) is decoded (`texwire decode`), not run"), "{said}");
    // A JPEG as the picture, and which argument got it.
    let jpeg = path_in(&folder, "photo.jpg");
    let picture = image::RgbImage::from_fn(24, 16, |x, y| image::Rgb([(x * 10) as u8, (y * 15) as u8, 90]));
    picture.save(&jpeg).unwrap();
    let out = path_in(&folder, "out");
    let text = stdout(&["run", &corpus("devicebin/bilinear.icllp.bin"), "--image", &jpeg, "-o", &out], b"");
    let line = format!("image arguments of type 2d: {jpeg}, R8G8B8A8_UNORM 24 x 16 x 1");
    assert!(text.contains(&line), "{text}");
    // Every column of the table begins where its heading does.
    let heading = text.lines().find(|line| line.starts_with("kernel ") && line.contains("oracle")).unwrap();
    let row = text.lines().find(|line| line.ends_with("agrees")).unwrap();
    assert_eq!(heading.find("oracle"), row.find("agrees"), "{heading}\n{row}");
    assert_eq!(heading.find("message"), row.find("sample_lz"), "{heading}\n{row}");
}

#[test]
fn render_checks_its_options() {
    let folder = tempdir().unwrap();
    let out = path_in(&folder, "x.png");
    for bad in [
        &["--anisotropy", "3"][..],
        &["--anisotropy", "0"],
        &["--lod", "NaN"],
        &["--lod", "0", "inf"],
        &["--bias", "16"],
        &["--border", "0", "0", "nan", "1"],
    ] {
        refused(&[&["render", "-o", &out], bad].concat());
        assert!(!Path::new(&out).exists(), "{bad:?}");
    }
    for name in ["x.jpg", "x"] {
        let why = refused(&["render", "--size", "8", "8", "-o", &path_in(&folder, name)]);
        assert!(why.contains("its name does not end with .png"), "{why}");
    }
    for (options, note) in [
        (&["--anisotropy", "4"][..], "--anisotropy has no effect without --filter anisotropic"),
        (&["--border", "1", "0", "0", "1"], "--border has no effect without --address border or half-border"),
        (&["--lod", "2"], "without --mip every texel is of level 0"),
        (&["--address", "cube"], "--address cube has no effect without --view panorama"),
    ] {
        let arguments = [&["render", "--size", "8", "8", "--shrink", "5", "-o", &out], options].concat();
        let said = texwire(&arguments);
        assert!(said.status == Some(0) && said.err.contains(note), "{options:?}: {said:?}");
    }
    let quiet = [
        "render",
        "--size",
        "8",
        "8",
        "--shrink",
        "5",
        "--filter",
        "anisotropic",
        "--anisotropy",
        "4",
        "-o",
        &out,
    ];
    assert_eq!(texwire(&quiet).err, "");
}

/// A sheet has LODs and ratios of its own, and shrinks its picture as often as `--shrink` says.
#[test]
fn options_change_a_sheet_as_they_say() {
    let folder = tempdir().unwrap();
    let large = image::RgbaImage::from_fn(128, 128, |x, y| image::Rgba([x as u8 * 2, y as u8 * 2, 90, 255]));
    let small = texwire_harness::containers::picture::shrink(&large, 1);
    let [small_path, large_path] = [(&small, "small.png"), (&large, "large.png")].map(|(picture, name)| {
        picture.save(path_in(&folder, name)).unwrap();
        path_in(&folder, name)
    });
    let sheet = |options: &[&str]| {
        let out = path_in(&folder, "sheet.png");
        stdout(&[&["render", "--sheet", "-o", &out], options].concat(), b"");
        std::fs::read(out).unwrap()
    };
    let plain = sheet(&["--image", &small_path]);
    let own = ["--lod", "3", "--anisotropy", "2", "--filter", "linear"];
    assert!(sheet(&[&["--image", &small_path], &own[..]].concat()) == plain);
    let out = path_in(&folder, "sheet.png");
    let sized = texwire(&["render", "--sheet", "--image", &small_path, "--size", "8", "8", "-o", &out]);
    assert_eq!(sized.err, "note: --size has no effect with --sheet, which has its own\n", "{sized:?}");
    assert!(std::fs::read(out).unwrap() == plain);
    assert!(sheet(&["--image", &large_path, "--shrink", "1"]) == plain);
}

#[test]
fn formats_of_blocks_have_bits() {
    let text = stdout(&["enum", "SURFACE_FORMAT", "BC1_UNORM"], b"");
    assert!(text.contains("64 bits a block, 4 bits a texel, 8 bytes a 4x4 element"), "{text}");
    let text = stdout(&["enum", "SURFACE_FORMAT", "BC7_UNORM", "--json"], b"");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let row = &json[0]["rows"][0];
    assert_eq!(
        (&row["block_bits"], &row["block"], &row["bpe"]),
        (&128.into(), &serde_json::json!([4, 4]), &0.into())
    );
    assert!(!stdout(&["enum", "SURFACE_FORMAT"], b"").contains(" 0 bits"));
    // Reserved rows have no identifier; no name is not theirs.
    assert!(refused(&["enum", "SURFACE_FORMAT", ""]).contains("a value is required for '[ENTRY]'"));
}

/// Long bytes of a record are shortened; states are in words, with every field on request.
#[test]
fn dumps_are_short() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware-example/demo.twt");
    let path = path.to_str().unwrap();
    let short = stdout(&["trace", "dump", path], b"");
    assert!(short.lines().all(|line| line.len() < 400), "{short}");
    assert!(short.contains("... (") && short.contains("surface     slot 0, "), "{short}");
    let full = stdout(&["trace", "dump", "--full", path], b"");
    assert!(full.len() > short.len() * 2 && !full.contains("... ("));
    let explained = stdout(&["trace", "dump", "--explain", "--kind", "sampler", path], b"");
    assert!(
        explained.contains("    SAMPLER_STATE: mag ") && explained.contains("TCX Address Control Mode"),
        "{explained}"
    );
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    let arguments = ["explain", "0x824200f5"];
    let escapes = |variables: &[(&str, &str)]| {
        let said = said(command().args(arguments).envs(variables.iter().copied()));
        assert_eq!(said.status, Some(0), "{said:?}");
        said.out.contains('\x1b')
    };
    assert!(!escapes(&[]));
    assert!(escapes(&[("CLICOLOR_FORCE", "1")]));
    assert!(!escapes(&[("NO_COLOR", "1")]));
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = stdout(&["completions", shell], b"");
        assert!(text.contains("fuzz-diff") && text.contains("explain"), "{shell}");
    }
    let page = stdout(&["man"], b"");
    assert!(page.contains(".TH texwire 1") && page.contains("explain"), "{page}");
    let folder = tempdir().unwrap();
    let said = stdout(&["man", "-o", folder.path().to_str().unwrap()], b"");
    let names = names(folder.path());
    assert!(said.ends_with(&format!(": texwire.1 and pages of {} commands\n", names.len() - 1)), "{said}");
    let read = |page: &str| {
        std::fs::read_to_string(path_in(&folder, page)).unwrap_or_else(|why| panic!("{page}: {why}"))
    };
    let mut references = 0;
    for name in &names {
        // Without the backslashes before hyphens.
        let page = read(name).replace('\\', "");
        assert!(page.contains(".TH texwire"), "{name:?}");
        for (at, _) in page.match_indices("(1)") {
            read(&format!("{}.1", page[..at].rsplit(char::is_whitespace).next().unwrap()));
            references += 1;
        }
    }
    assert!(references > 25, "{references} references");
    assert!(read("texwire-trace-dump.1").contains("\\-\\-thread"), "the options of a subcommand");
}

/// `--state help` prints the keys that `footprint --help` refers to.
#[test]
fn the_keys_of_states_are_printed() {
    let keys = stdout(&["bench", "--state", "help"], b"");
    assert!(keys.starts_with("Keys of --state") && keys.contains("\n  simd_level "), "{keys}");
    assert!(stdout(&["footprint", "--help"], b"").contains("`texwire bench --state help`"));
}
