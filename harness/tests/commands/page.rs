//! The page of `texwire report` and of `--report`, opened in a browser.

use crate::command::{corpus, demo_trace, texwire};
use std::path::Path;
use std::process::Command;

/// Chromium without a window; `None` when there is none.
fn chromium() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!("skipped: there is no Chromium to open the page with (Debian: chromium)");
    }
    found
}

/// The document after its scripts ran, in a window of so many pixels.
fn document(browser: &str, page: &Path, fragment: &str, width: u32, dark: bool) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={width},1000"))
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)))
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("file://{}{fragment}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What the test adds to a copy of a page: what the browser made of it, in the title.
const PROBE: &str = "<script>document.title = JSON.stringify({\
    shown: [...document.querySelectorAll('.message')].filter((card) => card.checkVisibility()).length,\
    wide: document.documentElement.scrollWidth, inner: innerWidth,\
    background: getComputedStyle(document.body).backgroundColor,\
    broken: [...document.images].filter((image) => image.complete && !image.naturalWidth).length,\
    images: document.images.length})</script>";

fn probed(browser: &str, html: &str, fragment: &str, width: u32, dark: bool) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let html = html.replace(" loading=\"lazy\"", "");
    std::fs::write(&page, html.replace("</body>", &format!("{PROBE}</body>"))).unwrap();
    let document = document(browser, &page, fragment, width, dark);
    let (_, rest) = document.split_once("<title>").unwrap();
    let (title, _) = rest.split_once("</title>").unwrap();
    serde_json::from_str(title).unwrap_or_else(|why| panic!("{why}: {title}"))
}

/// The page of a trace.
fn page_of(trace: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report.html");
    let said = texwire(&["report".as_ref(), trace.as_os_str(), "-o".as_ref(), out.as_os_str()]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    std::fs::read_to_string(out).unwrap()
}

#[test]
fn a_trace_is_shown_with_states_lanes_and_footprints() {
    let html = page_of(&demo_trace());
    for part in [
        "id=\"surface-0\"",
        "id=\"sampler-0\"",
        "data:image/png;base64,",
        "class=\"lanes\"",
        "Footprint as text",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("http://") && !html.contains("https://"), "the page needs no network");
    let Some(browser) = chromium() else { return };
    let all = html.matches("class=\"card message\"").count() as u64;
    assert!(all > 1, "{all}");
    for (width, dark) in [(1280, false), (500, true)] {
        let seen = probed(browser, &html, "", width, dark);
        assert_eq!(seen["shown"], all, "{seen}");
        assert_eq!(seen["broken"], 0, "{seen}");
        assert!(seen["images"].as_u64().unwrap() > 2, "{seen}");
        assert!(seen["wide"].as_u64() <= seen["inner"].as_u64(), "wider than the window: {seen}");
        let background = if dark { "rgb(20, 23, 27)" } else { "rgb(246, 247, 249)" };
        assert_eq!(seen["background"], background, "{seen}");
    }
    // The filter by operation shows the messages of that operation.
    let operation = html.split("data-operation=\"").nth(1).unwrap().split('"').next().unwrap();
    let own = html.matches(&format!("data-operation=\"{operation}\"")).count() as u64;
    let seen = probed(browser, &html, &format!("#operation={operation}"), 1280, false);
    assert_eq!(seen["shown"], own, "{operation}: {seen}");
    let seen = probed(browser, &html, "#result=equal", 1280, false);
    assert_eq!(seen["shown"], html.matches("data-result=\"equal\"").count() as u64);
}

/// A trace whose recorded result is not what the core makes of it, and whose notes are hostile.
#[test]
fn a_difference_is_marked_and_text_is_escaped() {
    use texwire::trace::{Decoder, Event, MAX_FRAME, Record, Writer, encoded_len};
    let stream = std::fs::read(demo_trace()).unwrap();
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let (mut rest, mut changed, mut count) = (&stream[..], Vec::new(), 0);
    let mut frame = vec![0; encoded_len(MAX_FRAME)];
    let mut sequence = 0;
    while let Some(event) = decoder.feed(&mut rest) {
        let Event::Frame { frame: found, .. } = event else { continue };
        let Ok(Some(record)) = found.record() else { continue };
        let mut writer = Writer::resume(&mut frame, sequence);
        let registers;
        let record = match record {
            Record::Writeback { of, registers: recorded } if count == 0 && !recorded.is_empty() => {
                count += 1;
                registers = [&[recorded[0] ^ 1], &recorded[1..]].concat();
                Record::Writeback { of, registers: &registers }
            }
            record => record,
        };
        writer.write(&record).unwrap();
        sequence = writer.sequence();
        changed.extend_from_slice(writer.bytes());
    }
    assert_eq!(count, 1);
    let folder = tempfile::tempdir().unwrap();
    // The file's name is in the title.
    let trace = folder.path().join("<img src=x onerror=alert(1)>.twt");
    std::fs::write(&trace, changed).unwrap();
    let html = page_of(&trace);
    assert!(!html.contains("<img src=x"));
    assert!(html.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert_eq!(html.matches("data-result=\"differs\"").count(), 1);
    assert!(html.contains("class=\"marked\"") && html.contains("(recorded)"));
    let Some(browser) = chromium() else { return };
    assert_eq!(probed(browser, &html, "#result=differs", 1280, false)["shown"], 1);
}

#[test]
fn a_frame_that_is_cut_off_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.twt");
    let whole = std::fs::read(demo_trace()).unwrap();
    std::fs::write(&cut, &whole[..whole.len() - 3]).unwrap();
    assert!(!page_of(&demo_trace()).contains("are no good frame"));
    assert!(page_of(&cut).contains(" bytes are no good frame, 0 frames are lost"));
}

#[test]
fn other_commands_write_pages() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let said = texwire(&[
        "run",
        "--shrink",
        "4",
        "-o",
        &path("out"),
        "--report",
        &path("run.html"),
        &corpus("demo/demo.icllp.bin"),
        "--image",
        &corpus("images/chelsea.png"),
    ]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    let said = texwire(&["fuzz-diff", "--lanes", "2000", "--report", &path("diff.html")]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    let said = texwire(&[
        "kernel",
        &corpus("demo/demo.icllp.bin"),
        "--name",
        "mirror",
        "--global",
        "45,30",
        "--arg",
        &format!("image:{}", corpus("images/chelsea.png")),
        "--arg",
        "image:45x30",
        "--arg",
        "float:0.051,0.077",
        "-o",
        &path("kernel"),
        "--report",
        &path("kernel.html"),
    ]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    let kernel = std::fs::read_to_string(path("kernel.html")).unwrap();
    assert_eq!(kernel.matches("class=\"card message\"").count(), 90);
    assert_eq!(kernel.matches("data-result=\"equal\"").count(), 90);
    // Lanes across the picture: what the footprint's picture has no room for is said.
    assert!(kernel.contains("texels too far from these are in the text only, of lanes "));
    let run = std::fs::read_to_string(path("run.html")).unwrap();
    assert!(run.contains("class=\"card message\"") && run.contains("Not shown: "));
    assert!(run.len() < 40 << 20, "{} bytes", run.len());
    assert!(std::fs::read_to_string(path("diff.html")).unwrap().contains("0 disagreements"));
    // Nothing to show, and nowhere to write.
    std::fs::write(path("empty.twt"), b"").unwrap();
    let empty = path("empty.twt");
    let said = texwire(&["report", &empty, "-o", &path("page.html")]);
    assert_eq!(said.status, Some(2));
    assert!(said.err.starts_with(&format!("error: nothing to show at {empty}: ")), "{}", said.err);
    let said = texwire(&["fuzz-diff", "--lanes", "100", "--report", &path("none/page.html")]);
    assert_eq!(said.status, Some(2), "{}", said.err);
}
