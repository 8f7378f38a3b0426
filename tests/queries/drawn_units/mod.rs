//! Units are drawn, not only models: texts of the whole language over formats of few bits. All inputs of a domain are gone through,
//! and every answer that a rule gives is held against each of them.

mod ask;
mod fault;
mod fixed;
mod group;
mod sentence;

use crate::common::setting::{part_of, setting};
use crate::common::toy::{Header, Text};
use ask::{Ask, ask, properties};
use fault::Fault;
use group::Group;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use sentence::{Subject, Unit};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The most inputs of a domain.
const MOST_INPUTS: usize = 1500;

/// Units with the same operands, each beside units that differ from it in one option.
const BASES: usize = 3;
const CHANGED: usize = 2;

/// Counts of one group of units, or of all.
#[derive(Default)]
struct Counts {
    units: usize,
    complete: usize,
    inputs: usize,
    /// How many answers there are of each kind.
    answers: BTreeMap<String, usize>,
    /// How long questions of each kind took.
    times: BTreeMap<&'static str, Duration>,
    faults: Vec<Fault>,
}

impl Counts {
    fn and(mut self, other: Counts) -> Counts {
        self.units += other.units;
        self.complete += other.complete;
        self.inputs += other.inputs;
        for (kind, count) in other.answers {
            *self.answers.entry(kind).or_default() += count;
        }
        for (kind, time) in other.times {
            *self.times.entry(kind).or_default() += time;
        }
        self.faults.extend(other.faults);
        self
    }

    fn add(&mut self, question: &Ask, seed: u64, group: &Group, subject: &Subject) {
        self.add_pair(question, seed, group, [subject, subject]);
    }

    /// The second unit is asked about where a question is about two.
    fn add_pair(
        &mut self,
        question: &Ask,
        seed: u64,
        group: &Group,
        [subject, other]: [&Subject; 2],
    ) {
        let start = Instant::now();
        let answer = ask(question, group, subject, Some(other));
        *self.times.entry(fault::sort(question)).or_default() += start.elapsed();
        let Some(answer) = answer else { return };
        let kind = fault::kind(question, &answer.basis);
        *self.answers.entry(kind.clone()).or_default() += 1;
        if let Some(found) = answer.found {
            let fault = Fault::new(question, kind, seed, group, subject, found);
            // Long runs may be stopped.
            if !fault.kind.contains("panic") {
                println!("{fault}");
            }
            self.faults.push(fault);
        }
    }
}

/// All questions to the units of one seed.
fn group(seed: u64) -> Counts {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut counts = Counts::default();
    let start = Instant::now();
    let header = Header::draw(&mut rng);
    let Some(group) = Group::draw(&mut rng, &header, MOST_INPUTS) else {
        return counts;
    };
    let mut subjects: Vec<Subject> = Vec::new();
    for _ in 0..BASES {
        let base = Text::draw(&mut rng, &header);
        let changed: Vec<Text> = (0..CHANGED).map(|_| base.changed(&mut rng)).collect();
        let all = [vec![base], changed].concat();
        for text in all {
            match Subject::new(text.clone(), &group) {
                Ok(subject) => subjects.extend(subject),
                Err(place) => {
                    let fault = Fault::of_panic(&place, seed, text, &group.domain);
                    *counts.answers.entry(fault.kind.clone()).or_default() += 1;
                    counts.faults.push(fault);
                }
            }
        }
    }
    counts.times.insert("drawn", start.elapsed());
    counts.units = subjects.len();
    counts.inputs = subjects.len() * group.inputs.len();
    counts.complete = subjects.len() * usize::from(group.is_complete);
    for subject in &subjects {
        let all = properties(&mut rng, &group);
        let solved = rng.random_range(0..all.len());
        for (index, (text, sentence)) in all.into_iter().enumerate() {
            if index == solved && rng.random_ratio(1, 64) {
                let question = Ask::Prove(text.clone(), sentence.clone());
                counts.add(&question, seed, &group, subject);
            }
            counts.add(&Ask::Property(text, sentence), seed, &group, subject);
        }
        for unit in [Unit::Ulp, Unit::Max, Unit::One, Unit::Sum, Unit::Magnitudes] {
            counts.add(&Ask::Greatest(unit), seed, &group, subject);
        }
        for question in [Ask::Bound(true), Ask::Bound(false), Ask::Worst] {
            counts.add(&question, seed, &group, subject);
        }
        let [factors, c] = [(); 2].map(|()| 2f64.powi(rng.random_range(-1..=3)));
        counts.add(&Ask::Within(factors, c), seed, &group, subject);
        if rng.random_ratio(1, 8) {
            counts.add(&Ask::Interpreters, seed, &group, subject);
        }
    }
    for (index, left) in subjects.iter().enumerate() {
        for right in &subjects[index + 1..] {
            for is_finite in [true, false] {
                let question = Ask::Equal(Box::new(right.text.clone()), is_finite);
                counts.add_pair(&question, seed, &group, [left, right]);
            }
        }
    }
    counts
}

/// Goes through groups of units until there are so many; prints counts and faults, and fails if there are any of these.
fn units(count: usize) {
    // One group alone, to look at.
    let seeds = match setting("MMASMT_SEED", u64::MAX) {
        u64::MAX => 0..(count / (BASES * (1 + CHANGED))) as u64,
        seed => seed..seed + 1,
    };
    let counts = seeds
        .into_par_iter()
        .map(group)
        .reduce(Counts::default, Counts::and);
    println!(
        "{} units, {} of them on all inputs of a domain, {} inputs",
        counts.units, counts.complete, counts.inputs
    );
    for (kind, count) in &counts.answers {
        let wrong = counts
            .faults
            .iter()
            .filter(|fault| fault.kind == *kind)
            .count();
        let wrong = match wrong {
            0 => String::new(),
            wrong => format!(", {wrong} wrong"),
        };
        println!("  {count:7} {kind}{wrong}");
    }
    println!("  {:.1?}", counts.times);
    let shown = fault::report(&counts.faults);
    assert!(
        counts.faults.is_empty(),
        "{} wrong answers\n{shown}",
        counts.faults.len()
    );
}

#[test]
fn answers_about_drawn_units_are_right_on_every_input() {
    units(part_of(setting("MMASMT_UNITS", 2_000)));
}

#[test]
#[ignore = "an hour: a million units"]
fn answers_about_a_million_units_are_right_on_every_input() {
    units(part_of(setting("MMASMT_UNITS", 1_000_000)));
}
