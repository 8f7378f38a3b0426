//! Steps: what they do, and what is known of their values.

use crate::amounts::Bound;
use crate::domain::{Row, Sum};
use crate::dyadic::Dyadic;
use crate::json::CheckResult;
use crate::numbers::{FAR, Format, Numbers};
use num_bigint::BigUint;
use serde_json::Value;

/// A rounding mode.
pub(crate) type Mode = &'static str;

const MODES: [Mode; 11] = [
    "rz", "rd", "ru", "ra", "odd", "rne", "rna", "rnz", "rnu", "rnd", "rno",
];

pub(crate) fn mode(name: &Value) -> CheckResult<Mode> {
    let found = MODES.into_iter().find(|own| name == own);
    found.ok_or_else(|| format!("unknown rounding mode {name}"))
}

pub(crate) fn is_nearest(by: Mode) -> bool {
    by.starts_with("rn")
}

/// How a fused sum takes a term.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// The bits that stay below the exponent of the sum.
    pub(crate) keep: i64,
    pub(crate) by: Mode,
    /// True if it is cut in another way where it is far below, or small.
    pub(crate) is_special: bool,
}

/// The operation before a rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Number,
    Register,
    Multiply,
    Add,
    Fma,
}

impl Source {
    pub(crate) fn named(name: &str) -> CheckResult<Source> {
        match name {
            "number" => Ok(Source::Number),
            "register" => Ok(Source::Register),
            "multiply" => Ok(Source::Multiply),
            "add" => Ok(Source::Add),
            "fma" => Ok(Source::Fma),
            other => Err(format!("unknown source `{other}`")),
        }
    }

    /// The number of steps.
    pub(crate) fn count(self) -> usize {
        match self {
            Source::Number | Source::Register => 1,
            Source::Multiply | Source::Add => 2,
            Source::Fma => 3,
        }
    }

    /// True if it starts with a product.
    pub(crate) fn is_product(self) -> bool {
        matches!(self, Source::Multiply | Source::Fma)
    }
}

/// The options of a rounding.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) source: Source,
    pub(crate) by: Mode,
    pub(crate) fraction: i64,
    /// True if results below the normal numbers are kept.
    pub(crate) keeps_tiny: bool,
    pub(crate) overflow: String,
    /// True if a zero is +0.
    pub(crate) plus: bool,
    /// True if a NaN stays a NaN.
    pub(crate) keeps_nan: bool,
}

/// The options of a step.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Operand {
        row: Row,
        index: usize,
    },
    /// `None`: an infinity or a NaN.
    Constant {
        value: Option<Dyadic>,
        minus: bool,
    },
    Flush,
    Term {
        hides: bool,
        shift: i64,
    },
    Product,
    Cap {
        exponent: i64,
    },
    Sum {
        hides: bool,
        fraction: i64,
    },
    Fuse {
        terms: Vec<Term>,
        least: Option<i64>,
    },
    Cut {
        bits: i64,
        by: Mode,
        least: Option<i64>,
    },
    Round(Round),
    Replace,
    /// There is no rule for it.
    Other,
}

/// A factor: its row and index, and how far a value may be from it.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub(crate) row: Row,
    pub(crate) index: usize,
    pub(crate) lost: Dyadic,
}

/// The move of a value where an operand rises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Movement {
    Fixed,
    /// It moves with a factor.
    Factor,
    /// It does not fall; with the least step where its exponent changes.
    Rising(Option<Dyadic>),
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) action: Action,
    /// The format of a register.
    pub(crate) form: Option<Format>,
    pub(crate) takes: Vec<usize>,
    /// True if it is no infinity and no NaN, as long as nothing overflows.
    pub(crate) is_number: bool,
    /// A bit for each product of which it reads a factor, and the next one for c.
    pub(crate) depends: BigUint,
    /// A number is a multiple of 2^(its exponent - fraction).
    pub(crate) fraction: i64,
    /// True if it takes no part where it is zero.
    pub(crate) hides: bool,
    /// The factor that it is.
    pub(crate) factor: Option<Factor>,
    /// True if its sign bit is never 1.
    pub(crate) nonnegative: bool,
    // Facts:
    pub(crate) value: Option<Numbers>,
    /// The greatest exponent with which it takes part.
    pub(crate) exponent: i64,
    /// The exact sum that it is.
    pub(crate) sum: Option<Sum>,
    /// The sum that it is, rounded once.
    pub(crate) rounds: Option<Sum>,
    pub(crate) may_overflow: bool,
    pub(crate) rises: Option<Movement>,
    pub(crate) bound: Option<Bound>,
}

impl Step {
    pub(crate) fn new(action: Action, form: Option<Format>, takes: Vec<usize>) -> Step {
        Step {
            action,
            form,
            takes,
            is_number: true,
            depends: BigUint::default(),
            fraction: FAR,
            hides: false,
            factor: None,
            nonnegative: false,
            value: None,
            exponent: FAR,
            sum: None,
            rounds: None,
            may_overflow: false,
            rises: None,
            bound: None,
        }
    }

    /// The steps that it rounds, if it is a rounding; else all that it takes.
    pub(crate) fn sources<'s>(&self, takes: &'s [&'s Step]) -> &'s [&'s Step] {
        match &self.action {
            Action::Round(round) => takes.get(..round.source.count()).unwrap_or(takes),
            _ => takes,
        }
    }

    /// The format of a register.
    pub(crate) fn register(&self) -> CheckResult<&Format> {
        self.form
            .as_ref()
            .ok_or_else(|| "expected a register".into())
    }
}

/// The place of the product of two factors.
pub(crate) fn pair(x: &Step, y: &Step) -> Option<usize> {
    let (one, other) = (x.factor.as_ref()?, y.factor.as_ref()?);
    (one.row != other.row && one.index == other.index).then_some(one.index)
}

/// The n-th step that a step takes.
pub(crate) fn nth<'s>(takes: &[&'s Step], n: usize) -> CheckResult<&'s Step> {
    let step = takes.get(n).copied();
    step.ok_or_else(|| "expected a step that is taken".into())
}
