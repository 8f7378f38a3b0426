//! Numbers in the pages of the repository are those that the program gives.

use mmasmt_core::machines::model::{Architecture, Model, architectures};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::agreement::{KeyEvidence, variant_differences};
use mmasmt_questions::claims::property::{Claim, ExpectedOutcome, published};
use mmasmt_questions::claims::query::{Options, Question, Simplification};
use mmasmt_questions::identify::family;
use mmasmt_questions::vectors::{Recording, read_index, recorded};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Asserts that `page` has the words `expected`, however its lines are broken.
fn says(page: &str, expected: &str) {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    let found = words.join(" ").contains(expected);
    assert!(found, "{page} does not say: {expected}");
}

/// `35200` as `35,200`.
fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let grouped = digits.char_indices().map(|(place, digit)| {
        let is_start = place > 0 && (digits.len() - place).is_multiple_of(3);
        format!("{}{digit}", if is_start { "," } else { "" })
    });
    grouped.collect()
}

/// The cells of the table of a page that has this line as its head.
fn table(page: &str, head: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let lines = text.lines().skip_while(|line| *line != head).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|'));
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim_matches('|').split(" | ");
        inner.map(|cell| cell.trim().to_owned()).collect()
    };
    rows.map(cells).collect()
}

/// Files, vectors and architectures of an index beside the repository.
fn counts(index: &str) -> (usize, usize, usize) {
    let path: PathBuf = root().join("../shared").join(index);
    let entries = read_index(&path).unwrap();
    let vectors = entries.iter().map(|entry| {
        let text = fs::read_to_string(&entry.path).unwrap();
        let is_vector = |line: &&str| !line.is_empty() && !line.starts_with('#');
        text.lines().filter(is_vector).count()
    });
    let kinds: HashSet<&str> = entries.iter().map(|entry| entry.arch.as_str()).collect();
    (entries.len(), vectors.sum(), kinds.len())
}

#[test]
fn counts_of_architectures_are_those_of_the_tables() {
    let is_gpu = |architecture: &&Architecture| {
        let is_of_processors = [
            "x86",
            "arm",
            "power",
            "riscv",
            "gaudi2",
            "gaudi3",
            "wormhole",
            "blackhole",
            "apple-amx",
        ];
        !is_of_processors.contains(&architecture.name.as_str())
    };
    let count = WORDS[architectures().unwrap().iter().filter(is_gpu).count()];
    let capital = format!("{}{}", count[..1].to_uppercase(), &count[1..]);
    says(
        "README.md",
        &format!(
            "{capital} NVIDIA and AMD architectures, from Volta to RTX Blackwell, CDNA1 to CDNA3, RDNA3 and RDNA4"
        ),
    );
}

#[test]
#[ignore = "vectors beside the checkout"]
fn counts_of_shared_vectors_are_those_of_the_files() {
    let (files, vectors, _) = counts("hardware-vectors/index.tsv");
    let vectors = with_commas(vectors);
    says(
        "README.md",
        &format!("({files} files, {vectors} dot-adds), and"),
    );
    let (_, vectors, _) = counts("hardware-vectors/reported/index.tsv");
    says(
        "README.md",
        &format!("and {vectors} results that publications"),
    );
    let (files, vectors, kinds) = counts("mma-sim-vectors/index.tsv");
    let (vectors, kinds) = (with_commas(vectors), WORDS[kinds]);
    let text = format!("({files} files, {vectors} dot-adds, all {kinds} architectures)");
    says("docs/src/trust.md", &text);
    let (files, vectors, _) = counts("mma-sim-2-vectors/index.tsv");
    let vectors = with_commas(vectors);
    says(
        "README.md",
        &format!("of its {vectors} dot-adds ({files} files); the other 20"),
    );
}

#[test]
fn counts_of_vectors_are_those_of_the_repository() {
    let recorded = recorded().unwrap();
    let count = |in_set: &dyn Fn(&Recording) -> bool| {
        let chosen = recorded.iter().filter(|section| in_set(section));
        with_commas(chosen.map(|section| section.lines.lines().count()).sum())
    };
    let all = count(&|_| true);
    says("README.md", &format!("reproduces {all} results"));
    let on_card = |section: &Recording| section.card == "RTX 4060";
    let of_cublas = |section: &Recording| section.model.starts_with("cublas");
    let mma = count(&|section| on_card(section) && !of_cublas(section));
    let cublas = count(&|section| on_card(section) && of_cublas(section));
    says(
        "README.md",
        &format!("{mma} FP8 dot-adds of an RTX 4060, and {cublas} whole dot products of cuBLAS"),
    );
}

#[test]
fn counts_of_clauses_are_those_that_are_written() {
    let model = Model::parse("fda:K=8,products=normalised,carry=4").unwrap();
    let claim = Claim::new("equal=:carry=full", &model, "finite").unwrap();
    let cnf = Question::refuting(&claim).cnf(Simplification::Nothing);
    says(
        "docs/src/trust.md",
        &format!("from {} clauses", with_commas(cnf.clauses())),
    );
}

#[test]
fn counts_of_claims_are_those_of_the_queries() {
    let queries = published().unwrap();
    let claims = queries.iter().flat_map(|query| query.claims().unwrap());
    let claims: Vec<_> = claims.collect();
    // A proof says that there are no operands of a kind: of a claim that there are some it is the refutation.
    let is_proof = |(claim, expected): &&(Claim, ExpectedOutcome)| {
        (*expected == ExpectedOutcome::Proved) != claim.property.is_existential()
    };
    let (all, proofs) = (claims.len(), claims.iter().filter(is_proof).count());
    says(
        "FINDINGS.md",
        &format!("`mmasmt prove --all` asks {all} claims:"),
    );
    says("FINDINGS.md", &format!("{proofs} of them are proofs;"));
    let published = queries
        .iter()
        .filter(|query| query.source.contains("Table 4"))
        .count();
    says(
        "docs/src/trust.md",
        &format!("The {} queries of", WORDS[published]),
    );
    let rows = table(
        "docs/src/trust.md",
        "| query | Z3 4.8.9, published | cvc5 1.0.2, published | here, with twin | through Z3 5.4 | through cvc5 1.0.3 |",
    );
    assert_eq!(rows.len(), published);
}

/// The sums of the table of confirmations, and that it has every proof.
#[test]
fn counts_of_confirmations_are_those_of_their_table() {
    let (mut models, mut given, mut confirmed) = (0, 0, 0);
    for row in table("FINDINGS.md", "| query | models | here | Z3 | cvc5 |") {
        let count: usize = row[1].parse().unwrap();
        let answers = |cell: &str| -> Vec<bool> {
            match cell.starts_with("all") {
                true => vec![true; count],
                false => cell.split(", ").map(|seconds| seconds != "–").collect(),
            }
        };
        let (z3, cvc5) = (answers(&row[3]), answers(&row[4]));
        assert_eq!((z3.len(), cvc5.len()), (count, count), "{}", row[0]);
        models += count;
        given += z3.iter().chain(&cvc5).filter(|answer| **answer).count();
        confirmed += z3
            .iter()
            .zip(&cvc5)
            .filter(|(z3, cvc5)| **z3 || **cvc5)
            .count();
    }
    let both = 2 * models;
    says("FINDINGS.md", &format!("{models} of them are proofs;"));
    let text = format!(
        "{confirmed} are confirmed by one of the two at least, with {given} of the {both} confirmations"
    );
    says("FINDINGS.md", &text);
}

#[test]
fn counts_of_candidates_are_those_of_the_family() {
    let count = |base: &str| {
        let base = Model::parse(base).unwrap();
        family("nvidia", Some(&base)).unwrap().len()
    };
    let [four, eight, sixteen] = ["fda:K=4", "fda:K=8", "fda:K=16"].map(count);
    says(
        "FINDINGS.md",
        &format!("({four} for 4 products, {eight} for 8, {sixteen} for 16, more for FP8)"),
    );
}

/// Every key in which rows differ from the paper stands in the table with its rows, and with what
/// silicon answered.
#[test]
fn differences_from_the_paper_are_those_of_the_rows() {
    let rows = architectures()
        .unwrap()
        .iter()
        .flat_map(|machine| &machine.rows);
    let limits = Limits::default().within(Duration::ZERO);
    let found = variant_differences(rows, "paper", &Options::default(), &limits).unwrap();
    let text = format!("{} rows have a reading", found.rows);
    says("FINDINGS.md", &text);
    says(
        "FINDINGS.md",
        &format!("and {} of them differ", found.differing),
    );
    let rows = table(
        "FINDINGS.md",
        "| key | rows | the row, the paper | instruction | operands other than 0 | row | `@paper` | silicon |",
    );
    assert_eq!(rows.len(), found.keys.len());
    for difference in &found.keys {
        let [own, other] = &difference.values;
        let key = format!("`{}`", difference.key);
        let values = format!("`{own}`, `{other}`");
        let row = rows.iter().find(|row| row[0] == key && row[2] == values);
        let row = row.unwrap_or_else(|| panic!("{key} {values}"));
        assert_eq!(row[1], difference.rows.len().to_string(), "{key} {values}");
        if let KeyEvidence::Inputs(shown) = &difference.found {
            let digits = shown.changed.signature().d.width().div_ceil(4) as usize;
            let silicon = format!("{:0digits$x}", shown.vector.d);
            let card = shown.card.as_ref().unwrap();
            assert_eq!(row[5], silicon, "{key} {values}");
            assert_eq!(
                row[6],
                format!("{:0digits$x}", shown.variant),
                "{key} {values}"
            );
            assert_eq!(row[7], format!("{card}: {silicon}"), "{key} {values}");
        }
    }
}
