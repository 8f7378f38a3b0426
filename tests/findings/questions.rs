//! `docs/src/open-questions.md`: what is open of each row, with the input that settles it, and what recorded results have settled.
//! `OPEN=overwrite cargo test --test findings questions` writes it anew.

use mmasmt::float::Format;
use mmasmt::model::Model;
use mmasmt::vectors::{Lines, Recorded, parse_inputs, recorded};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Readings of the fused dot-add that publications or programs have, and the tables do not.
const READINGS: [&str; 10] = [
    "zero=raw",
    "zero=min",
    "emin=none",
    "negzero=minus",
    "nan=quiet",
    "carry=3",
    "csub=f32",
    "via=f32",
    "products=normalised",
    "align=floor",
];

/// The longest sum that is asked about here.
const LONGEST: u32 = 64;

fn comments(text: &str, key: &str) -> Vec<String> {
    let start = format!("# {key}: ");
    let lines = text.lines();
    lines
        .filter_map(|line| Some(line.strip_prefix(&start)?.to_owned()))
        .collect()
}

/// One question of `kernels/questions`: its inputs until no two readings are together, and what each reading gives.
fn question(text: &str, page: &mut String) {
    let asks = text.lines().next().unwrap().trim_start_matches("# ");
    let instruction = &comments(text, "instruction")[0];
    let readings = comments(text, "reading");
    let models: Vec<Model> = readings
        .iter()
        .map(|one| Model::parse(one).unwrap())
        .collect();
    let signature = models[0].signature();
    let mut lines = Lines::new(text.as_bytes());
    let mut given = vec![Vec::new(); models.len()];
    let mut shown = Vec::new();
    let classes = |given: &[Vec<u64>]| {
        let mut all = given.to_vec();
        all.sort();
        all.dedup();
        all.len()
    };
    while let Some((number, line)) = lines.next_line().unwrap() {
        let inputs = parse_inputs(line, number, &signature).unwrap();
        let mut more = given.clone();
        for (results, model) in more.iter_mut().zip(&models) {
            results.push(model.simulator().evaluate(&inputs).unwrap());
        }
        if classes(&more) > classes(&given) {
            given = more;
            shown.push(inputs.to_line(&signature));
        }
    }
    writeln!(page, "### `{instruction}`: {asks}\n").unwrap();
    for (number, line) in shown.iter().enumerate() {
        // The products of +0 at the end need not be said.
        let short: Vec<&str> = line.split(' ').map(without_zeros).collect();
        writeln!(page, "{}. `{}`", number + 1, short.join(" ")).unwrap();
    }
    writeln!(page).unwrap();
    for (reading, results) in readings.iter().zip(&given) {
        let digits = signature.d.digits();
        let results: Vec<String> = results.iter().map(|d| format!("{d:0digits$x}")).collect();
        let name = reading.strip_prefix(instruction.as_str());
        let name = name.map_or(reading.as_str(), |keys| keys.trim_start_matches(':'));
        let name = if name.is_empty() { "the row" } else { name };
        writeln!(page, "- `{name}`: `{}`", results.join(" ")).unwrap();
    }
    writeln!(page).unwrap();
}

/// A row of factors without the zeros at its end.
fn without_zeros(row: &str) -> &str {
    let mut end = row;
    while let Some((before, last)) = end.rsplit_once(',') {
        if last.bytes().any(|digit| digit != b'0') {
            break;
        }
        end = before;
    }
    end
}

/// How many recorded results of a section contradict each reading.
fn settled(section: &Recorded, page: &mut String) {
    let model = Model::parse(&section.model).unwrap();
    let is_asked = model.canonical().starts_with("fda:") && model.signature().products <= LONGEST;
    if !is_asked {
        return;
    }
    let cells = READINGS.map(|reading| {
        // A subnormal c of f32 is one as it is.
        if reading == "csub=f32" && model.signature().c == Format::F32 {
            return "–".to_owned();
        }
        let other = match model.with(reading) {
            Ok(other) if other.canonical() != model.canonical() => other,
            _ => return "–".to_owned(),
        };
        let mut section = section.clone();
        section.model = other.canonical();
        match section.check(0).unwrap().1.failed {
            0 => "open".into(),
            count => count.to_string(),
        }
    });
    let (card, name) = (&section.card, &section.model);
    writeln!(page, "| {card} | `{name}` | {} |", cells.join(" | ")).unwrap();
}

fn page() -> String {
    let mut page = String::from(
        "# Open questions\n\nMade by `OPEN=overwrite cargo test --test findings questions`, which also checks it.\n\n\
         ## What recorded results have settled\n\nResults in `evidence/` that contradict a reading of the fused dot-add other than \
         the row's: a number settles it; `open` means that none does, and – that the reading is the row's, or that it does not apply.\n\n",
    );
    writeln!(
        page,
        "| card | instruction | {} |",
        READINGS.map(|one| format!("`{one}`")).join(" | ")
    )
    .unwrap();
    writeln!(page, "| --- | --- |{}", " --- |".repeat(READINGS.len())).unwrap();
    for section in recorded().unwrap() {
        settled(&section, &mut page);
    }
    page.push_str(
        "\n## What a Hopper GPU would settle\n\nEach question of `kernels/questions` (one file each, `kernels/record.sh` asks them \
         all), with inputs that tell its readings apart (`c a0,… b0,…` in bits, missing products are +0) and what each reading \
         gives for these inputs, in their order.\n\n",
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/questions");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    files.sort();
    for file in files {
        question(&fs::read_to_string(file).unwrap(), &mut page);
    }
    page.push_str(
        "## What a processor would settle\n\n\
         - `x86/tmmultf32ps`: are subnormal factors zeros? `00000000 00400000 7e800000` (2^-127 times 2^126): zero with \
         `operands=all`, `3f000000` with `operands=c`.\n\
         - `power/xvbf16ger2pp`: is the pair rounded in f32, or with unlimited exponents? `ff000000 7f00,0000 4000,0000`: \
         `7f800000`, or `7f000000`.\n\
         - `rdna4`: that `c` vanishes instead of leaving -1 above 2^-126 is AMD's description; no recorded row needs it.\n",
    );
    page
}

#[test]
fn the_page_of_open_questions_is_what_the_program_finds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/open-questions.md");
    let made = page();
    if std::env::var_os("OPEN").is_some_and(|value| value == "overwrite") {
        fs::write(&path, &made).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == made,
        "docs/src/open-questions.md: write it anew and read the difference"
    );
}
