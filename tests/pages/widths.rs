//! Pages at the widths of a screen, of half a screen and of a telephone: no bit is cut off, no page scrolls sideways, and no text of a
//! picture is small where it is shown. `WIDTHS=FOLDER` keeps pictures of them.

use crate::webdriver::Browser;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const WIDTHS: [u32; 3] = [1400, 900, 400];

/// Commands that write a page.
const COMMANDS: [(&str, &str); 8] = [
    (
        "distinguish",
        "distinguish H100/HMMA.16816.F32 A100/HMMA.16816.F32",
    ),
    (
        "long",
        "distinguish fda:F=60,K=2,in=f64,out=f64 fda:F=58,K=2,in=f64,out=f64",
    ),
    (
        "explain",
        "explain V100/HMMA.884.F32.F32 3f800000 8c00,0000,0000,0000 0800,0000,0000,0000",
    ),
    ("diff", "distinguish V100 H100"),
    ("prove", "prove monotone-c V100/HMMA.884.F32.F32"),
    ("worst", "worst V100/HMMA.884.F32.F32 --drop c --time 5s"),
    (
        "tolerance",
        "tolerance hopper/HMMA.16816.F32 --k 512 --samples 50",
    ),
    (
        "compare",
        "compare promote:every=1 promote:every=4 _ --on hopper/wgmma.m64nNk32.f32.e4m3.e4m3 --lengths 64,256 --exponents -3..3 --samples 50",
    ),
];

/// What the page inside of the frame says of itself.
const MEASURED: &str = "
const inner = document.querySelector('iframe').contentDocument;
inner.querySelectorAll('details').forEach((part) => { part.open = true; });
const width = inner.documentElement.clientWidth;
const outside = (box) => box.width > 0 && (box.right > width + 0.5 || box.left < -0.5);
const bits = [...inner.querySelectorAll('i')];
const columns = [...inner.querySelectorAll('th, td')];
const shown = (of) => Math.hypot(of.a, of.b);
const letters = [...inner.querySelectorAll('svg text')].map((text) => parseFloat(getComputedStyle(text).fontSize) * shown(text.getScreenCTM()));
return {
  bits: bits.length,
  bitsOutside: bits.filter((bit) => outside(bit.getBoundingClientRect())).length,
  cellsOutside: columns.filter((cell) => outside(cell.getBoundingClientRect())).length,
  scrolls: inner.documentElement.scrollWidth > width,
  least: Math.min(100, ...letters),
  tops: [...inner.querySelectorAll('.side')].map((side) => side.getBoundingClientRect().top),
  height: inner.documentElement.scrollHeight,
};";

/// True once the page inside of the frame is there.
const LOADED: &str = "
const inner = document.querySelector('iframe').contentDocument;
return inner !== null && inner.readyState === 'complete' && inner.documentElement !== null && inner.body.children.length > 0;";

/// A page with the page inside of a frame of this width: a window has a least width that is greater.
fn framed(page: &str, width: u32) -> String {
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<!doctype html><body style=\"margin:0\"><iframe style=\"border:0;width:{width}px;height:1600px\" srcdoc=\"{page}\"></iframe>"
    )
}

fn page(arguments: &str, folder: &Path) -> String {
    let path = folder.join("page.html");
    let output = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(arguments.split(' '))
        .arg("--html")
        .arg(&path)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    std::fs::read_to_string(path).unwrap_or_else(|_| panic!("{arguments}: {error}"))
}

#[test]
#[ignore = "a browser"]
fn no_bit_is_cut_off_at_any_width() {
    let Some(browser) = Browser::open(1400, 1600) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut pictures = 0;
    for (name, arguments) in COMMANDS {
        let page = page(arguments, folder.path());
        for width in WIDTHS {
            let path = folder.path().join("frame.html");
            std::fs::write(&path, framed(&page, width)).unwrap();
            browser.visit(&format!("file://{}", path.display()));
            while browser.run(LOADED) != Value::Bool(true) {
                std::thread::sleep(Duration::from_millis(20));
            }
            let told = browser.run(MEASURED);
            println!("{name} at {width}: {told}");
            if let Some(kept) = std::env::var_os("WIDTHS") {
                let file = Path::new(&kept).join(format!("{name}-{width}.png"));
                std::fs::write(file, browser.screenshot()).unwrap();
            }
            let number = |key: &str| told[key].as_f64().unwrap();
            assert_eq!(number("bitsOutside"), 0.0, "{name} at {width}");
            assert_eq!(number("cellsOutside"), 0.0, "{name} at {width}");
            assert_eq!(told["scrolls"], Value::Bool(false), "{name} at {width}");
            assert!(number("least") >= 12.0, "{name}: letters of {told}");
            pictures += usize::from(number("least") < 100.0);
            // One machine below the other where there is no room for both.
            for pair in told["tops"].as_array().unwrap().chunks(2) {
                let [left, right] = [0, 1].map(|side: usize| pair[side].as_f64());
                assert!(left < right, "{name} at {width}");
            }
        }
    }
    assert_eq!(pictures, 2 * WIDTHS.len(), "tolerance and compare have one");
}
