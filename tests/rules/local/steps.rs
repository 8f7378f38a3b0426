//! The steps and options that a test met. A step of the language that is not named here does not compile.

use mmasmt_core::machines::algorithms::descriptions::{
    Action, Nan, NegativeForm, RoundSource, Specials, Zeros,
};
use mmasmt_numbers::float::Rounding;
use std::collections::BTreeMap;

/// The words of the options of a step.
pub fn words(action: &Action) -> Vec<String> {
    let by = |by: Rounding| format!("by {by:?}");
    match action {
        Action::Operand(row, _) => vec![format!("operand {row:?}")],
        Action::Constant(_) => vec!["constant".into()],
        Action::Positive(_) => vec!["positive".into()],
        Action::Greatest(_) => vec!["greatest".into()],
        Action::Inverse(_) => vec!["inverse".into()],
        Action::Scaled { exponent, .. } => vec![format!("scaled {exponent}")],
        Action::Flush(_, to) => vec![format!("flush {to:?}")],
        Action::Term(term) => {
            let zeros = match term.zeros {
                Zeros::None => "none",
                Zeros::Field => "field",
                Zeros::At(_) => "at",
            };
            let mut all = vec![format!("term zeros {zeros}")];
            all.extend(term.widen.then(|| "term widen".into()));
            all.extend((term.shift != 0).then(|| "term shift".into()));
            all.extend((term.room != 0).then(|| "term room".into()));
            all.extend((term.specials == Specials::None).then(|| "term specials".into()));
            all.extend(term.flushed.then(|| "term flushed".into()));
            all
        }
        Action::Product(_) => vec!["product".into()],
        Action::Differ(_) => vec!["differ".into()],
        Action::Normalise(_) => vec!["normalise".into()],
        Action::Part { by: how, .. } => vec![format!("part {}", by(*how))],
        Action::Cap { .. } => vec!["cap".into()],
        Action::Drop { .. } => vec!["drop".into()],
        Action::Miscount { .. } => vec!["miscount".into()],
        Action::Sum { zeros, .. } => vec![format!("sum zeros {zeros:?}")],
        Action::Fuse(fuse) => {
            let mut all = vec!["fuse".into()];
            for term in &fuse.terms {
                all.push(format!("fuse {}", by(term.by)));
                all.extend(term.far.map(|_| "fuse far".into()));
                all.extend(term.again.map(|_| "fuse again".into()));
                all.extend(term.vanish.map(|_| "fuse vanish".into()));
            }
            all.extend(fuse.least.map(|_| "fuse least".into()));
            all.extend(
                fuse.width
                    .map(|(_, beyond)| format!("fuse beyond {beyond:?}")),
            );
            all.extend(fuse.sticky.then(|| "fuse sticky".into()));
            all.extend(
                (fuse.negate != NegativeForm::Twos)
                    .then(|| format!("fuse negate {:?}", fuse.negate)),
            );
            all
        }
        Action::Cut(cut) => {
            let mut all = vec![format!("cut {}", by(cut.by))];
            all.extend(cut.least.map(|_| "cut least".into()));
            all
        }
        Action::Special { .. } => vec!["special".into()],
        Action::Replace { .. } => vec!["replace".into()],
        Action::Round(round) => {
            let of = match round.of {
                RoundSource::Number(_) => "number",
                RoundSource::Register(_) => "register",
                RoundSource::Multiply(_) => "multiply",
                RoundSource::Add(_) => "add",
                RoundSource::Fma(_) => "fma",
            };
            let by = format!("{:?}", round.by);
            let by = by.split('(').next().unwrap_or_default();
            let mut all = vec![
                format!("round {of}"),
                format!("round by {by}"),
                format!("round {of} tiny {:?}", round.tiny),
                format!("round overflow {:?}", round.overflow),
                format!("round integers {:?}", round.integers),
                format!("round zero {:?}", round.zero),
            ];
            all.extend(matches!(round.nan, Nan::First(..)).then(|| "round nan first".into()));
            all.extend((round.specials == Specials::None).then(|| "round specials".into()));
            all
        }
    }
}

/// How often steps were met, and how often their rules said something.
#[derive(Default)]
pub struct Met {
    all: BTreeMap<String, [u64; 2]>,
    /// The values that were compared with what a rule says.
    pub cases: u64,
}

impl Met {
    pub fn note(&mut self, action: &Action, is_known: bool, cases: u64) {
        for word in words(action) {
            let counts = self.all.entry(word).or_default();
            counts[0] += 1;
            counts[1] += u64::from(is_known);
        }
        self.cases += if is_known { cases } else { 0 };
    }

    /// Asserts that every step and option was drawn, and that a rule spoke of each but those of which it
    /// never does.
    pub fn assert_all(&self, silent: &[&str]) {
        let all = EVERY.iter().flat_map(|line| line.split(", "));
        let missed: Vec<&str> = all
            .filter(|word| {
                let [drawn, known] = self.all.get(*word).copied().unwrap_or_default();
                (drawn == 0 || known == 0) && !silent.contains(word)
            })
            .collect();
        assert!(missed.is_empty(), "not met: {missed:?}");
        let unlisted: Vec<_> = self
            .all
            .keys()
            .filter(|word| {
                !EVERY
                    .iter()
                    .any(|line| line.split(", ").any(|one| one == *word))
            })
            .collect();
        assert!(unlisted.is_empty(), "not listed: {unlisted:?}");
    }

    pub fn show(&self) {
        for (word, [drawn, known]) in &self.all {
            println!("{word}: {known} of {drawn}");
        }
    }
}

const EVERY: [&str; 17] = [
    "operand A, operand B, operand C, operand AScales, operand BScales",
    "constant",
    "flush SameSign, flush Plus",
    "term zeros none, term zeros field, term zeros at, term widen, term shift, term room, term specials",
    "product",
    "differ",
    "normalise",
    "part by Rz, part by Odd, part by Rne, part by Rd, part by Ru, part by Ra, part by Rna, part by Rnz, part by Rnu, part by Rnd, part by Rno",
    "cap",
    "drop",
    "miscount",
    "sum zeros None, sum zeros Terms, sum zeros Field",
    "fuse, fuse by Rz, fuse by Odd, fuse by Rne, fuse by Rd, fuse by Ru, fuse by Ra, fuse by Rna, fuse by Rnz, fuse by Rnu, fuse by Rnd, fuse by Rno, fuse far, fuse again, fuse vanish, fuse least, fuse beyond Wrap, fuse beyond Saturate, fuse sticky, fuse negate Ones, fuse negate OnesOfNonzero, fuse negate AgainstLast",
    "cut by Rz, cut by Odd, cut by Rne, cut by Rd, cut by Ru, cut by Ra, cut by Rna, cut by Rnz, cut by Rnu, cut by Rnd, cut by Rno, cut least",
    "special, replace",
    "round number, round register, round multiply, round add, round fma, round by Rz, round by Rne, round by Rd, round by Ru, round by Ra, round by Odd, round by Rna, round by Rnz, round by Rnu, round by Rnd, round by Rno, round by Sr, round overflow Infinity, round overflow Ieee, round integers Wrap, round integers Saturate, round integers Symmetric, round zero Ieee, round zero Plus, round zero Shared, round zero Total, round nan first, round specials",
    "round number tiny Kept, round number tiny BeforeRounding, round number tiny AfterRounding, round number tiny Register, round register tiny Kept, round register tiny BeforeRounding, round register tiny AfterRounding, round register tiny Register, round multiply tiny Kept, round multiply tiny BeforeRounding, round multiply tiny AfterRounding, round multiply tiny Register, round add tiny Kept, round add tiny BeforeRounding, round add tiny AfterRounding, round add tiny Register, round fma tiny Kept, round fma tiny BeforeRounding, round fma tiny AfterRounding, round fma tiny Register",
];
