//! Pages for a browser: one file that loads nothing, well-formed, whose bits are those of the operands and whose rows
//! add up; in a browser they answer to pointer and keyboard.

use crate::common::exact::{Datum, decode};
use crate::common::inputs::draw;
use mmasmt::float::Format;
use mmasmt::model::Model;
use mmasmt::page::{Difference, difference_page, explanation_page};
use mmasmt::vectors::Inputs;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::One;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::process::Command;

type BigRational = Ratio<BigInt>;

/// The text between tags.
fn text(markup: &str) -> String {
    let mut text = String::new();
    let mut inside = true;
    for letter in markup.chars() {
        match letter {
            '<' => inside = false,
            '>' => inside = true,
            letter if inside => text.push(letter),
            _ => {}
        }
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"").replace("&amp;", "&")
}

/// The rows of tables but for headers, each as its cells in markup.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let rows = page.split("<tr").skip(1);
    let rows = rows.map(|row| row.split("</tr>").next().unwrap());
    let rows = rows.filter(|row| row.contains("scope=\"row\""));
    rows.map(|row| {
        let cells = row.split("</td>").flat_map(|part| part.split("</th>"));
        cells.filter(|cell| cell.contains("<t")).collect()
    })
    .collect()
}

/// The digits of the runs of bits in a cell.
fn digits(cell: &str) -> String {
    let mut digits = String::new();
    for part in cell.split("<i>").skip(1) {
        digits.push_str(part.split("</i>").next().unwrap());
    }
    digits
}

fn power(exponent: i64) -> BigRational {
    let one = BigInt::one();
    match exponent {
        0.. => BigRational::from(one << exponent),
        _ => BigRational::new(one, BigInt::one() << -exponent),
    }
}

fn value(format: &Format, register: u64) -> Option<BigRational> {
    match decode(format, register) {
        Datum::Finite(x) => {
            let magnitude = power(x.unit) * BigInt::from(x.significand);
            Some(if x.negative { -magnitude } else { magnitude })
        }
        _ => None,
    }
}

/// Elements are closed in the order in which they were opened.
fn assert_well_formed(page: &str) {
    let mut open = Vec::new();
    let script = page.find("<script>").unwrap()..page.find("</script>").unwrap();
    let style = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    let mut at = 0;
    while let Some(next) = page[at..].find('<') {
        let start = at + next;
        let end = start + page[start..].find('>').expect("a tag that ends");
        at = end + 1;
        let tag = &page[start + 1..end];
        let is_code =
            |range: &std::ops::Range<usize>| range.contains(&start) && start > range.start;
        if tag.starts_with('!') || is_code(&script) || is_code(&style) {
            continue;
        }
        let name = tag.split_whitespace().next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "at {start}"),
            None if name == "meta" => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

fn assert_alone(page: &str) {
    for word in [
        "http:", "https:", "src=", "href=", "url(", "@import", "fetch(", "import(",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

const MODELS: [&str; 9] = [
    "fda:K=4,F=13",
    "fda:K=8,F=24,in=bf16,align=floor",
    "fda:K=4,chain=2,in=e4m3,out=f16",
    "fda:K=4,in=e2m1,scale=ue8m0,block=2",
    "gps:K=4",
    "gfdrda:K=8",
    "exact:K=3,in=f64,out=f64",
    "V100/HMMA.884.F32.F32",
    "sfma:fmt=f32",
];

#[test]
fn operands_are_shown_bit_for_bit_and_terms_add_up() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut terms, mut cuts) = (0, 0);
    for spec in MODELS {
        let model = Model::parse(spec).unwrap();
        let signature = model.signature();
        for _ in 0..30 {
            let inputs = draw(&mut rng, &signature);
            let page = explanation_page(&model, &inputs).unwrap();
            assert_well_formed(&page);
            assert_alone(&page);
            let operands = page.split("From terms to result").next().unwrap();
            let shown = rows(operands);
            assert!(!shown.is_empty());
            for cells in shown {
                let name = cells[0].rsplit('>').next().unwrap();
                let bits = u64::from_str_radix(&digits(cells[1]), 2).unwrap();
                assert_eq!(bits, operand(&inputs, name), "{spec}: {name}");
            }
            for picture in page.split("<table data-high=\"").skip(1) {
                let high: i64 = picture.split('"').next().unwrap().parse().unwrap();
                let picture = picture.split("</table>").next().unwrap();
                for cells in rows(picture) {
                    // Kept and cut bits together are the value, unless rounding down or a limit of columns says so in words.
                    let below = text(cells[5]);
                    if below.contains(" by ") || below.contains('\u{2026}') {
                        continue;
                    }
                    let bits = digits(cells[4]) + &digits(cells[5]);
                    let lowest = high - bits.len() as i64 + 1;
                    let shown = BigInt::parse_bytes(bits.as_bytes(), 2).unwrap();
                    let shown = power(lowest) * shown;
                    let told = text(cells[1].rsplit_once('>').unwrap().1);
                    assert_eq!(shown, hexadecimal(&told), "{spec}: {told}");
                    terms += 1;
                    cuts += usize::from(!digits(cells[5]).is_empty());
                }
            }
        }
    }
    assert!(
        terms > 1000 && cuts > 100,
        "{terms} terms, {cuts} of them cut"
    );
}

/// One product and one sum whose terms are known without the program.
#[test]
fn a_product_is_that_of_its_factors() {
    let model = Model::parse("fda:K=1,F=40,in=e4m3").unwrap();
    let signature = model.signature();
    let mut seen = 0;
    for a in (1..0x7f).step_by(5) {
        for b in (1..0x7f).step_by(7) {
            let page = explanation_page(&model, &Inputs::new(vec![a], vec![b], 0)).unwrap();
            let exact = value(&signature.a, a).unwrap() * value(&signature.b, b).unwrap();
            let picture = page.split("<table data-high=\"").nth(1).unwrap();
            let cells = &rows(picture)[0];
            assert_eq!(
                hexadecimal(&text(cells[1].rsplit_once('>').unwrap().1)),
                exact
            );
            seen += 1;
        }
    }
    assert!(seen > 400);
}

/// The magnitude of a C99 hexadecimal float.
fn hexadecimal(text: &str) -> BigRational {
    let text = text.trim_start_matches('-').strip_prefix("0x").unwrap();
    let (mantissa, exponent) = text.split_once('p').unwrap();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 16).unwrap();
    let exponent: i64 = exponent.parse().unwrap();
    power(exponent - 4 * fraction.len() as i64) * digits
}

/// The register that a row of the page is about.
fn operand(inputs: &Inputs, name: &str) -> u64 {
    if name == "c" {
        return inputs.c;
    }
    let (row, index) = name.strip_suffix(']').unwrap().split_once('[').unwrap();
    let row = match row {
        "a" => &inputs.a,
        "b" => &inputs.b,
        "sa" => &inputs.a_scales,
        "sb" => &inputs.b_scales,
        _ => panic!("{name}"),
    };
    row[index.parse::<usize>().unwrap()]
}

#[test]
fn the_first_difference_is_marked_on_both_sides() {
    let models = ["fda:F=24", "fda:F=25"].map(|spec| Model::parse(spec).unwrap());
    let inputs = [Inputs::new(
        vec![0x8c00, 0, 0, 0],
        vec![0x0800, 0, 0, 0],
        0x3f80_0000,
    )];
    let page = difference_page(&Difference {
        models: &models,
        verdict: "different",
        remark: None,
        inputs: &inputs,
    });
    let page = page.unwrap();
    assert_well_formed(&page);
    assert_alone(&page);
    let marked = rows(&page);
    let marked = marked.iter().filter(|cells| cells[0].contains("differs"));
    let names: Vec<_> = marked
        .map(|cells| cells[0].rsplit_once('>').unwrap().1)
        .collect();
    assert_eq!(names, ["product 0"; 2]);
    assert!(text(&page).contains("they part at product 0 after alignment: 0x0p+0 and -0x1p-25"));
}

#[test]
fn what_is_shown_is_escaped() {
    let models = ["fda", "fda:F=25"].map(|spec| Model::parse(spec).unwrap());
    let page = difference_page(&Difference {
        models: &models,
        verdict: "<script>alert(1)</script>",
        remark: Some("\"&<b>"),
        inputs: &[],
    });
    let page = page.unwrap();
    assert!(
        !page.contains("<script>alert") && !page.contains("<b>"),
        "{page}"
    );
    assert!(text(&page).contains("<script>alert(1)</script>: \"&<b>"));
}

/// The page in text, as a person without style sheets and scripts reads it.
#[test]
fn a_page_without_scripts_and_styles_tells_all() {
    let model = Model::parse("V100/HMMA.884.F32.F32").unwrap();
    let inputs = Inputs::new(
        vec![0x8c00, 0x3c00, 0, 0],
        vec![0x0800, 0x1400, 0, 0],
        0x3f80_0000,
    );
    let page = explanation_page(&model, &inputs).unwrap();
    let body = &page[page.find("<main>").unwrap()..page.find("<footer>").unwrap()];
    let mut lines = String::new();
    for part in body
        .split("</tr>")
        .flat_map(|part| part.split("</p>"))
        .flat_map(|part| part.split("</h2>"))
    {
        let cells = part
            .replace("</td>", " ")
            .replace("</th>", " ")
            .replace("</caption>", "\n")
            .replace("<sup>", "^");
        let cells = text(&cells);
        let words: Vec<_> = cells
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        lines += &format!("{}\n", words.join("\n"));
    }
    insta::assert_snapshot!(lines.trim_end());
}

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
  row.focus(); say('focus');
  press('ArrowRight'); say('right');
  press('ArrowLeft'); press('ArrowLeft'); say('left');
  press('ArrowDown'); say('down');
  press('ArrowUp'); press('ArrowUp'); say('up');
  press('Escape'); say('escape');
  document.querySelector('.operands tbody tr').focus(); say('operand');
  told.push('paper: ' + getComputedStyle(document.body).backgroundColor);
  told.push('wide: ' + (document.documentElement.scrollWidth > innerWidth));
  document.body.dataset.told = told.join('; ');
});
</script>";

#[test]
#[ignore = "a browser"]
fn a_browser_shows_the_page_and_answers_to_pointer_and_keyboard() {
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
            "hover: product 0, 2^-25: 1, cut".to_owned(),
            "columns: 1".into(),
            "focus: product 0, 2^-25: 1, cut".into(),
            "right: product 0, 2^-25: 1, cut".into(),
            "left: product 0, 2^-23: 0, filled in".into(),
            "down: c, 2^-23: 0, filled in".into(),
            "up: product 0, 2^-23: 0, filled in".into(),
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
