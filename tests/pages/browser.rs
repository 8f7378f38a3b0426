//! Pages in a browser: they answer to pointer and keyboard, follow light and dark, and can be printed.

use crate::webdriver::focus;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::explanation_page;
use std::path::Path;
use std::process::Command;

/// What a browser makes of a page; none where there is no browser.
fn browser(arguments: &[&str], page: &Path) -> Option<String> {
    let mut chromium = Command::new("chromium");
    chromium.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
    ]);
    chromium
        .args(arguments)
        .arg(format!("file://{}", page.display()));
    let Ok(output) = chromium.output() else {
        assert!(
            std::env::var_os("MMASMT_TOOLS").is_none(),
            "expected chromium on PATH, as MMASMT_TOOLS is set"
        );
        println!("left out: chromium is not here");
        return None;
    };
    let messages = String::from_utf8_lossy(&output.stderr);
    let console: Vec<_> = messages
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect();
    assert!(console.is_empty(), "{console:#?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Points at bits and presses keys, and writes down what the page says.
const USER: &str = "<script>
addEventListener('load', () => {
  const told = [];
  const say = (what) => told.push(what + ': ' + document.getElementById('status').textContent);
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const row = document.querySelector('.picture tbody tr');
  row.querySelector('.cut i:last-child').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  say('hover');
  told.push('columns: ' + document.querySelectorAll('i.column').length);
  const focus = (row) => { row.focus(); row.dispatchEvent(new FocusEvent('focusin', { bubbles: true })); };
  focus(row); say('focus');
  press('ArrowRight'); say('right');
  press('ArrowLeft'); press('ArrowLeft'); say('left');
  press('ArrowDown'); say('down');
  press('ArrowUp'); press('ArrowUp'); say('up');
  press('Escape'); say('escape');
  focus(document.querySelector('.operands tbody tr')); say('operand');
  told.push('paper: ' + getComputedStyle(document.body).backgroundColor);
  told.push('wide: ' + (document.documentElement.scrollWidth > innerWidth));
  document.body.dataset.told = told.join('; ');
});
</script>";

#[test]
#[ignore = "a browser"]
fn a_browser_shows_the_page_and_answers_to_pointer_and_keyboard() {
    let _focus = focus();
    let folder = tempfile::tempdir().unwrap();
    let model = Model::parse("fda:F=23").unwrap();
    let inputs = Inputs::new(vec![0x8c00, 0, 0, 0], vec![0x0800, 0, 0, 0], 0x3f80_0000);
    let page = explanation_page(&model, &inputs).unwrap();
    let path = folder.path().join("page.html");
    std::fs::write(&path, page.replace("</body>", &format!("{USER}</body>"))).unwrap();
    for (scheme, paper) in [("1", "rgb(255, 255, 255)"), ("0", "rgb(23, 23, 26)")] {
        let scheme = format!("--blink-settings=preferredColorScheme={scheme}");
        let arguments = ["--dump-dom", "--window-size=1200,900", &scheme];
        let Some(shown) = browser(&arguments, &path) else {
            return;
        };
        let told = shown
            .split("data-told=\"")
            .nth(1)
            .expect("what the page said");
        let told: Vec<_> = told.split('"').next().unwrap().split("; ").collect();
        let expected = [
            "hover: product[0], 2^-25: 1, cut".to_owned(),
            "columns: 1".into(),
            "focus: product[0], 2^-25: 1, cut".into(),
            "right: product[0], 2^-25: 1, cut".into(),
            "left: product[0], 2^-23: 0, filled in".into(),
            "down: addend, 2^-23: 0, filled in".into(),
            "up: product[0], 2^-23: 0, filled in".into(),
            "escape: ".into(),
            "operand: a[0], bit 1: 1, sign".into(),
            format!("paper: {paper}"),
            "wide: false".into(),
        ];
        assert_eq!(told, expected);
    }
    let narrow = browser(&["--dump-dom", "--window-size=500,900"], &path).unwrap();
    assert!(
        narrow.contains("wide: false"),
        "the page itself does not scroll sideways"
    );
    // On paper, and as a picture.
    std::fs::write(&path, page).unwrap();
    for (option, file) in [("--print-to-pdf", "page.pdf"), ("--screenshot", "page.png")] {
        let file = folder.path().join(file);
        browser(&[&format!("{option}={}", file.display())], &path).unwrap();
        assert!(std::fs::metadata(&file).unwrap().len() > 5000);
    }
}

#[test]
#[ignore = "a browser"]
fn the_page_of_pairs_shows_what_tells_a_pair_apart() {
    let _focus = focus();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
    let data = std::fs::read_to_string(folder.join("pairs.js")).unwrap();
    let data = data.split_once('{').map(|(_, data)| format!("{{{data}"));
    let data: serde_json::Value =
        serde_json::from_str(data.unwrap().trim_end().trim_end_matches(';')).unwrap();
    for format in ["f16", "bf16"] {
        let pairs = data[format]["pairs"].as_array().unwrap();
        for entry in [&pairs[0], &pairs[1], &pairs[pairs.len() - 1]] {
            let [x, y] = [0, 1].map(|side| entry["pair"][side].as_u64().unwrap());
            let page = format!("{}#{format},{x},{y}", folder.join("pairs.html").display());
            let Some(shown) = browser(&["--dump-dom"], Path::new(&page)) else {
                return;
            };
            let verdict = entry["verdict"].as_str().unwrap();
            let heading = shown.split("<h2>").nth(1).unwrap();
            let heading = heading.split("</h2>").next().unwrap();
            assert!(heading.ends_with(&format!(": {verdict}")), "{heading}");
            // The machines have their names, not numbers.
            for class in [x, y] {
                let class = &data[format]["classes"][class as usize - 1];
                let first = class["instructions"][0].as_str().unwrap();
                let (machine, _) = first.split_once('/').unwrap();
                assert!(heading.contains(machine), "{heading}: {first}");
            }
            // Models that are equal have none.
            if let Some(line) = entry["line"].as_str() {
                assert!(shown.contains(&format!("<code>{line}</code>")), "{line}");
            }
            let cells = shown.matches("<button").count();
            assert_eq!(cells, 2 * pairs.len(), "{format}");
        }
    }
}
