//! Changes of a hypothesis: of one choice, of one choice in all parts that have it, of choices that
//! make up for each other.

use super::choices::{sum, unit};
use super::hypothesis::Hypothesis;

/// The words of a choice that are tried with those of others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WordReach {
    All,
    /// Those at most so many places from the one that is chosen.
    Near(usize),
}

/// All changes of one choice, choice by choice, and those of one choice in all parts that have it;
/// only of choices in `open`, unless that is empty.
pub(super) fn moves(hypothesis: &Hypothesis, open: &[usize]) -> Vec<Vec<Hypothesis>> {
    let choices = &hypothesis.space.choices;
    let is_open = |choice: &usize| open.is_empty() || open.contains(choice);
    let mut all = Vec::new();
    for (choice, about) in choices.iter().enumerate() {
        if !is_open(&choice) {
            continue;
        }
        let words = 0..about.words.len();
        let others = words.filter(|word| *word != usize::from(hypothesis.chosen[choice]));
        all.push(others.map(|word| hypothesis.with(choice, word)).collect());
        let alike =
            |at: &usize| choices[*at].about == about.about && choices[*at].words == about.words;
        let same: Vec<usize> = (0..choices.len()).filter(is_open).filter(alike).collect();
        if same.len() > 1 && same[0] == choice {
            let everywhere = (0..about.words.len()).map(|word| {
                let mut other = hypothesis.clone();
                same.iter().for_each(|at| other.chosen[*at] = word as u16);
                other
            });
            all.push(everywhere.collect());
        }
    }
    all.push(other_roundings(hypothesis));
    all
}

/// Choices that make up for each other, such as the bits that a sum keeps and how it cuts.
pub(super) fn groups(hypothesis: &Hypothesis) -> Vec<Vec<(usize, WordReach)>> {
    use WordReach::{All, Near};
    let mut all = vec![vec![
        (unit::FACTORS, All),
        (unit::ADDEND, All),
        (unit::PRODUCT_TINY, All),
        (unit::TINY, All),
    ]];
    let mut add = |group: &[(usize, WordReach)]| all.push(group.to_vec());
    for class in 0..hypothesis.space.layout.classes.len() {
        let at = |choice: usize| unit::COUNT + class * sum::COUNT + choice;
        add(&[(at(sum::KEEP), All), (at(sum::BY), All)]);
        let cutting = [
            (at(sum::BY), All),
            (at(sum::NEGATE), All),
            (at(sum::STICKY), All),
        ];
        add(&[&[(at(sum::KEEP), Near(2))], &cutting[..]].concat());
        add(&[&[(unit::BY, All)], &cutting[..]].concat());
        add(&[
            (at(sum::KEEP), Near(2)),
            (at(sum::STICKY), All),
            (unit::VIA, All),
        ]);
        add(&[
            (unit::FACTOR_ZEROS, All),
            (unit::ADDEND_ZEROS, All),
            (at(sum::LEAST), All),
        ]);
        add(&[(at(sum::KEEP), Near(3)), (at(sum::CARRY), All)]);
        add(&[(at(sum::KEEP), All), (at(sum::OF_SUMS), Near(8))]);
        add(&[(at(sum::KEEP), All), (unit::PRODUCTS, Near(1))]);
        add(&[(at(sum::OUT), All), (at(sum::FRACTION), All)]);
        add(&[(at(sum::BY), All), (at(sum::FAR), All)]);
    }
    all
}

/// The hypotheses in which choices that may make up for each other have other words.
pub(super) fn compensations(hypothesis: &Hypothesis) -> Vec<Hypothesis> {
    use WordReach::{All, Near};
    let mut all = groups(hypothesis);
    for class in 0..hypothesis.space.layout.classes.len() {
        let at = |choice: usize| unit::COUNT + class * sum::COUNT + choice;
        all.push(vec![(at(sum::KEEP), Near(2)), (at(sum::OUT), All)]);
        all.push(vec![(at(sum::OF_SUMS), Near(2)), (unit::VIA, All)]);
    }
    all.iter()
        .flat_map(|group| combinations(hypothesis, group))
        .collect()
}

/// The hypothesis with every combination of words for some choices.
pub(super) fn combinations(
    hypothesis: &Hypothesis,
    choices: &[(usize, WordReach)],
) -> Vec<Hypothesis> {
    let mut all = vec![hypothesis.clone()];
    for &(choice, tried) in choices {
        let chosen = usize::from(hypothesis.chosen[choice]);
        let words = 0..hypothesis.space.choices[choice].words.len();
        let words: Vec<usize> = match tried {
            WordReach::All => words.collect(),
            WordReach::Near(far) => words.filter(|word| word.abs_diff(chosen) <= far).collect(),
        };
        let with_each = |one: &Hypothesis| -> Vec<Hypothesis> {
            words.iter().map(|word| one.with(choice, *word)).collect()
        };
        all = all.iter().flat_map(with_each).collect();
    }
    all
}

/// The hypothesis with one rounding wherever it rounds.
fn other_roundings(hypothesis: &Hypothesis) -> Vec<Hypothesis> {
    let choices = &hypothesis.space.choices;
    ["rne", "rz", "rd", "ru", "ra", "odd"]
        .into_iter()
        .map(|by| {
            let mut other = hypothesis.clone();
            for (choice, about) in choices.iter().enumerate() {
                let Some((before, _)) = hypothesis.word(choice).rsplit_once("by ") else {
                    continue;
                };
                let word = format!("{before}by {by}");
                if let Some(at) = about.words.iter().position(|known| *known == word) {
                    other.chosen[choice] = at as u16;
                }
            }
            other
        })
        .collect()
}
