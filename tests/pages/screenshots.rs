//! What a person sees, against pictures that were looked at: coarse, so that fonts may differ and a page may not.
//!
//! `SCREENSHOTS=overwrite cargo test --test pages -- --ignored screenshots` writes them anew; look at them then.

use crate::webdriver::Browser;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::explanation_page;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 900;
/// Pixels of a cell of a coarse picture.
const CELL: usize = 10;

/// Brightness by cell, from 0 to 15, a line of hexadecimal digits for each row of cells.
fn coarse(png: &[u8]) -> String {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let samples = frame.color_type.samples();
    let [width, height] = [frame.width as usize / CELL, frame.height as usize / CELL];
    let mut text = String::new();
    for row in 0..height {
        for column in 0..width {
            let mut sum = 0;
            for y in row * CELL..(row + 1) * CELL {
                let start = y * frame.line_size + column * CELL * samples;
                let line = &pixels[start..start + CELL * samples];
                let colours = line.chunks(samples).flat_map(|pixel| &pixel[..3]);
                sum += colours.map(|colour| usize::from(*colour)).sum::<usize>();
            }
            let _ = write!(text, "{:x}", sum / (CELL * CELL * 3 * 16));
        }
        text.push('\n');
    }
    text
}

/// How many in a thousand cells differ clearly, of the rows that both have: how high a window is changes with the browser.
fn distance(left: &str, right: &str) -> usize {
    let cells = |line: &str| -> Vec<u32> {
        line.chars()
            .filter_map(|digit| digit.to_digit(16))
            .collect()
    };
    let rows = left.lines().zip(right.lines());
    let rows: Vec<_> = rows
        .map(|(one, other)| (cells(one), cells(other)))
        .collect();
    let is_short = rows.len() * 10 < right.lines().count() * 9;
    if is_short || rows.iter().any(|(one, other)| one.len() != other.len()) {
        return 1000;
    }
    let all = rows.iter().flat_map(|(one, other)| one.iter().zip(other));
    let differing = all.clone().filter(|(x, y)| x.abs_diff(**y) > 1);
    differing.count() * 1000 / all.count()
}

/// In a thousand cells so many may differ.
const TOLERANCE: usize = 40;

fn reference(name: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pages/screenshots");
    Path::new(folder).join(format!("{name}.txt"))
}

fn pages() -> Vec<(&'static str, String)> {
    // 1 + 2^-24 + 2^-24.
    let halves = |model: &str| {
        let model = Model::parse(model).unwrap();
        let mut inputs = Inputs::zero(&model.signature());
        inputs.c = 0x3f80_0000;
        for k in 0..2 {
            inputs.a[k] = 0x0c00;
            inputs.b[k] = 0x0c00;
        }
        explanation_page(&model, &inputs).unwrap()
    };
    let scaled =
        Model::parse("B200/tcgen05.mma.block_scale.mMnNk64.block16.f32.e2m1.e2m1.ue4m3").unwrap();
    let mut inputs = Inputs::zero(&scaled.signature());
    (inputs.a[0], inputs.b[0], inputs.a[17], inputs.b[17]) = (2, 3, 5, 9);
    vec![
        ("v100", halves("V100/HMMA.884.F32.F32")),
        ("t4", halves("T4/HMMA.1688.F32")),
        ("nvfp4", explanation_page(&scaled, &inputs).unwrap()),
    ]
}

#[test]
#[ignore = "a browser"]
fn pages_look_as_they_did() {
    let Some(browser) = Browser::open(WIDTH, HEIGHT) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut seen: Vec<(&str, String)> = Vec::new();
    for (name, page) in pages() {
        let path = folder.path().join("page.html");
        std::fs::write(&path, &page).unwrap();
        browser.visit(&format!("file://{}", path.display()));
        let paint = browser.run(
            "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1;",
        );
        println!("{name}: {} bytes, first paint after {paint} ms", page.len());
        let picture = coarse(&browser.screenshot());
        assert_eq!(browser.console(), [""; 0], "{name}");
        if std::env::var("SCREENSHOTS").is_ok_and(|what| what == "overwrite") {
            std::fs::write(reference(name), &picture).unwrap();
        }
        let expected = std::fs::read_to_string(reference(name)).unwrap();
        let off = distance(&picture, &expected);
        println!("{name}: {off} of 1000 cells differ");
        assert!(
            off <= TOLERANCE,
            "{name}: {off} of 1000 cells differ:\n{picture}"
        );
        seen.push((name, picture));
    }
    // The tolerance tells pages apart that show something else.
    let [v100, _, nvfp4] = &seen[..] else {
        panic!("three pages")
    };
    let off = distance(&v100.1, &nvfp4.1);
    assert!(off > TOLERANCE, "{off} of 1000 cells differ");
}

#[test]
fn a_picture_is_far_from_a_blank_one_and_from_a_shifted_one() {
    let text = std::fs::read_to_string(reference("v100")).unwrap();
    let blank = text.replace(|letter: char| letter.is_ascii_hexdigit(), "f");
    let shifted: Vec<_> = text
        .lines()
        .cycle()
        .skip(2)
        .take(text.lines().count())
        .collect();
    assert!(distance(&text, &blank) > TOLERANCE);
    assert!(distance(&text, &shifted.join("\n")) > TOLERANCE);
    assert_eq!(distance(&text, &text), 0);
}
