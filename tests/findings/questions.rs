//! `docs/src/open-questions.md`: what is open of each row, with the input that settles it, and what recorded results have settled.
//! `OPEN=overwrite cargo test --test findings questions` writes it anew.

use crate::sections::{Section, comments, sections, texts};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use mmasmt_questions::vectors::{Recording, recorded};
use std::collections::BTreeMap;
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

/// What a section of `kernels/questions` shows: inputs until no two readings are together that an input tells apart, and what
/// each reading gives.
#[derive(PartialEq)]
struct Shown {
    inputs: Vec<String>,
    /// Of each reading its keys, and its results.
    readings: Vec<(String, Vec<String>)>,
}

fn shown(section: &Section) -> Shown {
    let models = section.readings();
    let signature = models[0].signature();
    let mut given = vec![Vec::new(); models.len()];
    let mut inputs = Vec::new();
    let classes = |given: &[Vec<u64>]| {
        let mut all = given.to_vec();
        all.sort();
        all.dedup();
        all.len()
    };
    for one in section.inputs() {
        let mut more = given.clone();
        for (results, model) in more.iter_mut().zip(&models) {
            results.push(model.simulator().evaluate(&one).unwrap());
        }
        if classes(&more) > classes(&given) {
            given = more;
            // The products of +0 at the end need not be said.
            let line = one.to_line(&signature);
            let short: Vec<&str> = line.split(' ').map(without_zeros).collect();
            inputs.push(short.join(" "));
        }
    }
    let digits = signature.d.digits();
    let results = |given: &Vec<u64>| given.iter().map(|d| format!("{d:0digits$x}")).collect();
    let named = comments(&section.text, "reading");
    let readings = named
        .iter()
        .zip(&given)
        .map(|(name, given)| (keys(name, section).to_owned(), results(given)));
    Shown {
        inputs,
        readings: readings.collect(),
    }
}

/// A question with every row that is asked: rows that show the same are one.
fn question(name: &str, asks: &str, sections: &[Section], page: &mut String) {
    let mut alike: Vec<(Shown, BTreeMap<&str, Vec<&str>>)> = Vec::new();
    for section in sections {
        let shown = shown(section);
        let (architecture, instruction) = section.instruction.split_once('/').unwrap();
        let known = alike.iter().position(|(other, _)| *other == shown);
        let at = known.unwrap_or_else(|| {
            alike.push((shown, BTreeMap::new()));
            alike.len() - 1
        });
        let of = alike[at].1.entry(instruction).or_default();
        of.push(architecture);
    }
    writeln!(page, "### `{name}`: {asks}\n").unwrap();
    writeln!(page, "| rows | inputs | what each reading gives |").unwrap();
    writeln!(page, "| --- | --- | --- |").unwrap();
    for (shown, rows) in &alike {
        let rows = rows
            .iter()
            .map(|(name, of)| format!("`{name}` ({})", of.join(", ")));
        let inputs = shown.inputs.iter().map(|line| format!("`{line}`"));
        let readings = shown.readings.iter();
        let readings = readings.map(|(keys, given)| format!("{keys}: `{}`", given.join(" ")));
        let cells = [
            rows.collect::<Vec<_>>(),
            inputs.collect(),
            readings.collect(),
        ];
        writeln!(
            page,
            "| {} |",
            cells.map(|cell| cell.join("<br>")).join(" | ")
        )
        .unwrap();
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
fn settled(section: &Recording, page: &mut String) {
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

/// The sections of all files of a question, by its name and what it asks.
fn asked() -> BTreeMap<String, Vec<Section>> {
    let mut all: BTreeMap<String, Vec<Section>> = BTreeMap::new();
    for file in texts("kernels/questions") {
        let text = fs::read_to_string(file).unwrap();
        let [title] = comments(&text, "question").try_into().unwrap();
        all.entry(title.into()).or_default().extend(sections(&text));
    }
    all
}

/// The table of `mmasmt models show`: of each row what is asked of it, and the readings.
fn table() -> String {
    let mut lines = Vec::new();
    for (title, sections) in asked() {
        let (name, asks) = title.split_once(": ").unwrap();
        for section in &sections {
            let named = comments(&section.text, "reading");
            let readings = named.iter().map(|reading| keys(reading, section));
            let readings: Vec<_> = readings.collect();
            let readings = readings.join(" or ");
            lines.push(format!(
                "{}\t{name}\t{asks}\t{readings}\n",
                section.instruction
            ));
        }
    }
    lines.sort();
    lines.concat()
}

/// The keys of a reading, as a change of the row.
fn keys<'x>(reading: &'x str, section: &Section) -> &'x str {
    let keys = reading.strip_prefix(section.instruction.as_str());
    match keys.map_or(reading, |keys| keys.trim_start_matches(':')) {
        "" => "the row",
        keys => keys,
    }
}

fn page() -> String {
    let mut page = String::from(
        "# Open questions\n\nMade by `OPEN=overwrite cargo test --test findings questions`, which also checks it.\n\n\
         ## What recorded results have settled\n\nResults in `evidence/` that contradict a reading of the fused dot-add other than \
         the row's. A number: so many recorded results contradict this reading. `open`: none does yet. –: this is the row's own reading, \
         or it does not apply.\n\n",
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
        "\n## What a GPU would settle\n\nOn a machine with the GPU `kernels/ask.sh OUT.txt` asks all of it that is open of its rows; \
         the file is what to send. The inputs are in `kernels/questions/ARCHITECTURE/QUESTION.txt` (`kernels/README.md` says which card \
         is of which). Here are those that tell readings apart (`c a0,… b0,…` in bits, missing products are +0), and what each reading gives \
         for them, in their order. Rows that compute the same stand together.\n\n",
    );
    for (title, sections) in asked() {
        let (name, asks) = title.split_once(": ").unwrap();
        question(name, asks, &sections, &mut page);
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, made) in [
        ("docs/src/open-questions.md", page()),
        ("src/cli/models/open.tsv", table()),
    ] {
        let path = root.join(file);
        if std::env::var_os("OPEN").is_some_and(|value| value == "overwrite") {
            fs::write(&path, &made).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == made,
            "{file}: write it anew and read the difference"
        );
    }
}
