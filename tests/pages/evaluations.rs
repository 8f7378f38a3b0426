//! Pages for a browser: one file that loads nothing, well-formed, whose bits are those of the operands and whose rows
//! add up; in a browser they answer to pointer and keyboard.

use crate::common::exact::{Datum, decode};
use crate::common::inputs::draw;
use crate::markup::{assert_alone, assert_well_formed, digits, rows, text};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::{Difference, difference_page, explanation_page};
use mmasmt_numbers::float::Format;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::One;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

type BigRational = Ratio<BigInt>;

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
                    let told = text(cells[4]);
                    if told.contains(" by ") || told.contains('\u{2026}') {
                        continue;
                    }
                    let bits = digits(cells[4]);
                    let lowest = high - bits.len() as i64 + 1;
                    let shown = BigInt::parse_bytes(bits.as_bytes(), 2).unwrap();
                    let shown = power(lowest) * shown;
                    let told = text(cells[1].rsplit_once('>').unwrap().1);
                    assert_eq!(shown, hexadecimal(&told), "{spec}: {told}");
                    terms += 1;
                    cuts += usize::from(cells[4].contains("class=\"cut\""));
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
    assert_eq!(names, ["product[0]"; 2]);
    let said = "First difference: product[0] after alignment is 0x0p+0 in fda:F=24, and -0x1p-25 in fda:F=25.";
    assert_eq!(text(&page).matches("irst difference").count(), 1);
    assert!(text(&page).contains(said));
}

#[test]
fn other_steps_are_said_once_and_in_words() {
    let names = ["H100/HMMA.16816.F32", "A100/HMMA.16816.F32"];
    let models = names.map(|spec| Model::parse(spec).unwrap());
    let mut inputs = Inputs::zero(&models[0].signature());
    (inputs.a[0], inputs.b[0], inputs.c) = (0x4000, 0x4000, 0xb400_0000);
    let page = difference_page(&Difference {
        models: &models,
        verdict: "different",
        remark: None,
        inputs: &[inputs],
    });
    let told = text(&page.unwrap());
    assert_eq!(told.matches("irst difference").count(), 1);
    let said = "First difference: H100/HMMA.16816.F32 makes 1 sum of 17 terms, A100/HMMA.16816.F32 makes 2 sums of 9 terms.";
    assert!(told.contains(said), "{told}");
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
