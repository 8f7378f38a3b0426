//! README and the guide as a reader runs them: every page's commands in an empty folder, in their order, with what they print.
//!
//! `PAGES=overwrite cargo test --test cli pages` writes what is printed now; read the difference. Only times may differ from what a
//! page shows: `PAGES=times cargo test --release --test cli pages`, on a quiet machine, writes them too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// What a page prints takes minutes to compute; those are run with the long tests.
const LONG: [&str; 12] = [
    "34-bits.md",
    "3xtf32-or-bf16x9.md",
    "agree.md",
    "compositions.md",
    "int8.md",
    "many-machines.md",
    "promotion.md",
    "pytorch.md",
    "shape.md",
    "tolerance.md",
    "units.md",
    "what-is-my-unit.md",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// README and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let folder = fs::read_dir(root().join("docs/src")).unwrap();
    let pages = folder.map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = pages
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    pages.sort();
    pages.insert(0, root().join("README.md"));
    pages
}

/// Standard output and standard error of a line of the shell. `MMASMT_PROGRAM` says which program runs it, if not the one
/// of the tests, for which long pages take minutes.
fn printed(line: &str, folder: &Path) -> String {
    let program = std::env::var("MMASMT_PROGRAM");
    let program = program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_mmasmt").to_owned());
    let program = Path::new(&program).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{{ {line}\n}} 2>&1"));
    shell
        .current_dir(folder)
        .env("PATH", path)
        .env("COLUMNS", "100")
        .env("MMASMT_QUIET", "1");
    let output = shell.output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The text without times: each number before ` s` is a `T`, and lines end at their last letter.
fn without_times(text: &str) -> String {
    let number =
        |word: &str| !word.is_empty() && word.chars().all(|x| x.is_ascii_digit() || x == '.');
    let lines = text.lines().map(|line| {
        let words: Vec<_> = line.split(' ').collect();
        let timed = words.iter().enumerate().map(|(at, word)| {
            let unit = words
                .get(at + 1)
                .map(|next| next.trim_end_matches([',', ';', ':']));
            if number(word) && unit == Some("s") {
                "T"
            } else {
                word
            }
        });
        timed.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// Whether `PAGES` says that pages are written anew: `overwrite` where anything but times differs, `times` with their times.
fn overwrites(what: &str) -> bool {
    std::env::var("PAGES").is_ok_and(|found| found == what)
}

/// The page with what its commands print now, and whether that differs in anything but times.
fn run(page: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(page).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (mut new, mut wrong) = (String::new(), Vec::new());
    let mut lines = text.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        new += line;
        new.push('\n');
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ => {}
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else {
            continue;
        };
        let mut command = command.to_owned();
        // What a shell asks for behind its second prompt.
        while let Some(more) = lines.next_if(|line| line.starts_with('>')) {
            new += more;
            new.push('\n');
            command = format!("{command}\n{}", more.strip_prefix("> ").unwrap_or(""));
        }
        let mut expected = Vec::new();
        while let Some(shown) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
            expected.push(shown);
        }
        let expected = expected.join("\n");
        let found = printed(&command, folder.path());
        let is_same = without_times(&expected) == without_times(&found);
        if is_same && !overwrites("times") {
            new += &expected;
            new.push('\n');
        } else {
            if !is_same {
                wrong.push(format!(
                    "$ {command}\nexpected:\n{expected}\nfound:\n{found}"
                ));
            }
            new += found.trim_end_matches('\n');
            new += "\n\n";
        }
        if new.ends_with("\n\n\n") {
            new.pop();
        }
    }
    (new, wrong)
}

fn check(pages: impl Iterator<Item = PathBuf>) {
    let mut all = Vec::new();
    for page in pages {
        let start = Instant::now();
        let (new, wrong) = run(&page);
        println!(
            "{:6.2} s  {}",
            start.elapsed().as_secs_f64(),
            page.display()
        );
        if overwrites("times") || overwrites("overwrite") && !wrong.is_empty() {
            fs::write(&page, new).unwrap();
        }
        all.extend(
            wrong
                .into_iter()
                .map(|wrong| format!("{}: {wrong}", page.display())),
        );
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}

fn is_long(page: &Path) -> bool {
    LONG.iter().any(|name| page.ends_with(name))
}

#[test]
fn pages_run_as_printed() {
    check(pages().into_iter().filter(|page| !is_long(page)));
}

#[test]
#[ignore = "a minute: searches for operands with large errors"]
fn long_pages_run_as_printed() {
    check(pages().into_iter().filter(|page| is_long(page)));
}

/// The numbers of a text in scientific notation, each as its digits and its power of ten.
fn scientific(text: &str) -> Vec<(&str, f64)> {
    let words =
        text.split(|letter: char| !letter.is_ascii_alphanumeric() && !".-".contains(letter));
    let words = words.map(|word| word.trim_matches('.'));
    let numbers = words.filter(|word| {
        let digit = |letter: char| letter.is_ascii_digit();
        let (mantissa, exponent) = word.split_once('e').unwrap_or_default();
        let exponent = exponent.strip_prefix('-').unwrap_or_default();
        mantissa.contains('.')
            && mantissa
                .chars()
                .all(|letter| digit(letter) || letter == '.')
            && !exponent.is_empty()
            && exponent.chars().all(digit)
    });
    numbers
        .filter_map(|word| Some((word, word.parse().ok()?)))
        .collect()
}

/// Sentences of a page say the numbers that its commands print, all digits of them or rounded.
#[test]
fn numbers_of_sentences_are_printed_on_their_page() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        // What Python prints is not on the page.
        if text.contains("```python") {
            continue;
        }
        let blocks: Vec<&str> = text.split("```").collect();
        let part = |first: usize| blocks.iter().skip(first).step_by(2);
        let printed: Vec<(&str, f64)> = part(1).flat_map(|block| scientific(block)).collect();
        for sentence in part(0).flat_map(|block| block.lines()) {
            for (word, number) in scientific(sentence) {
                let digits = word.split('e').next().unwrap().len() - 1;
                let step = 10f64.powi(number.log10().floor() as i32 + 1 - digits as i32);
                let is_printed = printed
                    .iter()
                    .any(|(_, other)| (number - other).abs() < step);
                if !is_printed && !sentence.starts_with("    ") {
                    wrong.push(format!("{}: {word}", page.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_page_is_in_the_summary_and_has_no_mark_of_a_test() {
    let summary = fs::read_to_string(root().join("docs/src/SUMMARY.md")).unwrap();
    for page in pages() {
        let name = page.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&page).unwrap();
        assert!(!text.contains("[..]"), "{name}");
        if name != "SUMMARY.md" && name != "README.md" {
            assert!(summary.contains(&format!("({name})")), "{name}");
        }
    }
}
