//! Wrong answers: the simplest unit of each kind, in a few lines with the commands that show them.

use super::ask::{Ask, ask};
use super::group::Group;
use super::sentence::{Found, Subject};
use crate::common::setting::setting;
use crate::common::toy::Text;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A wrong answer about a unit.
pub struct Fault {
    pub kind: String,
    question: Ask,
    seed: u64,
    text: Text,
    domain: String,
    shown: String,
}

/// The question and what its answer rests on, without numbers.
pub fn kind(question: &Ask, basis: &str) -> String {
    let name = match question {
        Ask::Property(text, _) | Ask::Prove(text, _) => {
            let name: String = text.chars().take_while(|letter| *letter != '=').collect();
            let suffix = ["ulp", "max", "rel", "sum"]
                .into_iter()
                .find(|suffix| text.ends_with(suffix));
            match suffix {
                Some(suffix) if name == "error" => format!("error in {suffix}"),
                _ => name,
            }
        }
        Ask::Equal(_, true) => "equal on finite operands".into(),
        Ask::Equal(_, false) => "equal".into(),
        Ask::Greatest(unit) => format!("{unit:?}"),
        Ask::Bound(true) => "normal factors".into(),
        Ask::Bound(false) => "finite factors".into(),
        Ask::Worst | Ask::Within(..) | Ask::Interpreters | Ask::Runs => "unit".into(),
    };
    format!("{name} by {basis}")
}

/// The sort of a question, to count its time.
pub fn sort(question: &Ask) -> &'static str {
    match question {
        Ask::Property(..) => "properties",
        Ask::Prove(..) => "solver",
        Ask::Equal(..) => "pairs",
        Ask::Greatest(_) | Ask::Bound(_) | Ask::Worst | Ask::Within(..) => "bounds",
        Ask::Interpreters => "interpreters",
        Ask::Runs => "runs",
    }
}

impl Fault {
    pub fn new(
        question: &Ask,
        kind: String,
        seed: u64,
        group: &Group,
        subject: &Subject,
        found: Found,
    ) -> Fault {
        let inputs = &group.inputs[found.input];
        let line = inputs.to_line(&group.signature);
        Fault {
            kind,
            question: question.clone(),
            seed,
            text: subject.text.clone(),
            domain: group.domain.clone(),
            shown: format!(
                "{line} gives {:x}: {}",
                subject.results[found.input], found.shown
            ),
        }
    }

    /// A unit that panics before anything is asked of it.
    pub fn of_panic(place: &str, seed: u64, text: Text, domain: &str) -> Fault {
        Fault {
            kind: format!("runs by a panic at {place}"),
            question: Ask::Runs,
            seed,
            text,
            domain: domain.into(),
            shown: "a panic".into(),
        }
    }

    /// The same fault of another unit or of another pair of units, if it is there.
    fn of(&self, text: &Text, question: &Ask, domain: &str, end: Instant) -> Option<Fault> {
        if Instant::now() > end {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let group = Group::parse(&mut rng, &text.header, domain, super::MOST_INPUTS)?;
        let subject = match Subject::new(text.clone(), &group) {
            Ok(subject) => subject?,
            Err(place) => {
                let fault = Fault::of_panic(&place, self.seed, text.clone(), domain);
                return (fault.kind == self.kind).then_some(fault);
            }
        };
        let answer = ask(question, &group, &subject, None)?;
        let found = answer.found?;
        let kind = kind(question, &answer.basis);
        (kind == self.kind).then(|| Fault::new(question, kind, self.seed, &group, &subject, found))
    }

    /// The simplest fault of the same kind that is found by leaving out parts.
    fn simplest(self) -> Fault {
        let mut fault = self;
        let end = Instant::now() + Duration::from_secs(setting("MMASMT_SIMPLER_SECONDS", 5));
        while Instant::now() < end {
            match fault.simpler(end) {
                Some(simpler) => fault = simpler,
                None => break,
            }
        }
        fault
    }

    fn simpler(&self, end: Instant) -> Option<Fault> {
        let texts = self.text.simpler();
        let of_domain = || {
            let clauses: Vec<&str> = self.domain.split(", ").collect();
            (0..clauses.len()).rev().find_map(|left_out| {
                let mut less = clauses.clone();
                less.remove(left_out);
                self.of(&self.text, &self.question, &less.join(", "), end)
            })
        };
        let other = match &self.question {
            Ask::Equal(other, is_finite) => Some((other, *is_finite)),
            _ => None,
        };
        let Some((other, is_finite)) = other else {
            let of_text = texts
                .iter()
                .find_map(|text| self.of(text, &self.question, &self.domain, end));
            return of_text.or_else(of_domain);
        };
        // Both units, each alone where that helps.
        let asked = |other: &Text| Ask::Equal(Box::new(other.clone()), is_finite);
        let others = other.simpler();
        let both = texts.iter().zip(&others);
        let of_both = both
            .clone()
            .find_map(|(text, other)| self.of(text, &asked(other), &self.domain, end));
        let of_left = || {
            texts
                .iter()
                .find_map(|text| self.of(text, &self.question, &self.domain, end))
        };
        let of_right = || {
            others
                .iter()
                .find_map(|other| self.of(&self.text, &asked(other), &self.domain, end))
        };
        of_both
            .or_else(of_left)
            .or_else(of_right)
            .or_else(of_domain)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "[{}] MMASMT_SEED={}", self.kind, self.seed)?;
        writeln!(f, "  'unit:{{{}}}'", self.text)?;
        match &self.question {
            Ask::Equal(other, _) => writeln!(f, "  'unit:{{{other}}}'")?,
            Ask::Property(text, _) | Ask::Prove(text, _) => writeln!(f, "  prove {text}")?,
            other => writeln!(f, "  {other:?}")?,
        }
        writeln!(f, "  --where '{}'", self.domain)?;
        writeln!(f, "  {}", self.shown)
    }
}

/// The simplest faults of each kind.
pub fn report(faults: &[Fault]) -> String {
    let most = setting("MMASMT_SHOWN", 3);
    let mut kinds: BTreeMap<&str, Vec<&Fault>> = BTreeMap::new();
    for fault in faults {
        let of_kind = kinds.entry(&fault.kind).or_default();
        if of_kind.len() < most {
            of_kind.push(fault);
        }
    }
    let chosen: Vec<&Fault> = kinds.into_values().flatten().collect();
    let far = Instant::now() + Duration::from_secs(3600);
    let simplest = chosen.into_par_iter().map(|fault| {
        let again = fault.of(&fault.text, &fault.question, &fault.domain, far);
        match again {
            Some(again) => again.simplest().to_string(),
            // Drawn inputs of a domain that is too large showed it.
            None => fault.to_string(),
        }
    });
    let mut simplest: Vec<String> = simplest.collect();
    simplest.dedup();
    simplest.join("\n")
}
