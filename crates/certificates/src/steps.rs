//! Steps: what they do, with their options, and what is known of their values.

use crate::amounts::Bound;
use crate::atoms::{Atoms, Row};
use crate::dyadic::Dyadic;
use crate::format::Format;
use crate::fused::Aligned;
use crate::given::{FAR, Numbers};
use crate::json::{Object, word};
use crate::rises::Rises;
use crate::summands::Of;
use crate::{Fails, need};
use serde_json::Value;

/// A rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    Rz,
    Rd,
    Ru,
    Ra,
    Odd,
    Sr,
    Nearest(&'static str),
}

/// All modes.
pub(crate) const MODES: [(&str, Mode); 12] = [
    ("rz", Mode::Rz),
    ("rd", Mode::Rd),
    ("ru", Mode::Ru),
    ("ra", Mode::Ra),
    ("odd", Mode::Odd),
    ("rne", Mode::Nearest("rne")),
    ("rna", Mode::Nearest("rna")),
    ("rnz", Mode::Nearest("rnz")),
    ("rnu", Mode::Nearest("rnu")),
    ("rnd", Mode::Nearest("rnd")),
    ("rno", Mode::Nearest("rno")),
    ("sr", Mode::Sr),
];

/// The modes of alignment, cutting and claims.
pub(crate) const PLAIN_MODES: &[(&str, Mode)] = MODES.split_at(11).0;

impl Mode {
    pub(crate) fn is_nearest(self) -> bool {
        matches!(self, Mode::Nearest(_))
    }
}

/// The exponent of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zeros {
    None,
    Field,
    At(i64),
}

/// When an exact sum takes no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SumZeros {
    None,
    Terms,
    Field,
}

/// The options of a step; the steps that it takes are in `takes`, in the order of the table of the format.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Operand {
        row: Row,
        index: usize,
    },
    Zero,
    /// `None`: an infinity or a NaN.
    Constant {
        value: Option<Dyadic>,
        minus: bool,
    },
    Positive,
    Flush {
        to_plus: bool,
    },
    Term {
        zeros: Zeros,
        widen: bool,
        shift: i64,
        plain_specials: bool,
    },
    Product,
    Differ,
    Normalise,
    Part {
        low: i64,
        bits: i64,
        by: Mode,
    },
    Cap {
        exponent: i64,
    },
    Drop {
        exponent: i64,
    },
    Miscount,
    Sum {
        zeros: SumZeros,
    },
    Fuse {
        least: Option<i64>,
        sticky: bool,
        against_last: bool,
    },
    Cut {
        bits: i64,
        by: Mode,
        least: Option<i64>,
    },
    Special,
    Round(Round),
    Replace,
}

/// What a rounding takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    Number,
    Register,
    Multiply,
    Add,
    Fma,
}

impl Source {
    pub(crate) fn count(self) -> usize {
        match self {
            Source::Number | Source::Register => 1,
            Source::Multiply | Source::Add => 2,
            Source::Fma => 3,
        }
    }
}

/// Results below the normal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tiny {
    Kept,
    Before,
    After,
    Register,
}

/// Results beyond the greatest number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Overflow {
    Infinity,
    Ieee,
    Greatest,
}

/// The sign of a zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ZeroRule {
    Ieee,
    Plus,
    Shared,
    Total,
}

/// The options of a rounding.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) source: Source,
    pub(crate) by: Mode,
    pub(crate) fraction: i64,
    pub(crate) tiny: Tiny,
    pub(crate) overflow: Overflow,
    pub(crate) zero: ZeroRule,
    pub(crate) plain_specials: bool,
    /// True if a NaN stays a NaN.
    pub(crate) keeps_nan: bool,
    /// The registers whose NaNs come first.
    pub(crate) first: Vec<usize>,
}

impl Round {
    pub(crate) fn read(
        object: &Object<'_>,
        source: Source,
        first: Vec<usize>,
        keeps_nan: bool,
    ) -> Fails<Round> {
        object.word_or(
            "integers",
            &[("wrap", ()), ("saturate", ()), ("symmetric", ())],
        )?;
        let mode = object
            .maybe("by")
            .map_or(Ok(Mode::Nearest("rne")), |by| word(by, &MODES, "by"))?;
        let overflow = [
            ("ieee", Overflow::Ieee),
            ("infinity", Overflow::Infinity),
            ("greatest", Overflow::Greatest),
        ];
        let tiny = [
            ("kept", Tiny::Kept),
            ("before", Tiny::Before),
            ("after", Tiny::After),
            ("register", Tiny::Register),
        ];
        let zero = [
            ("ieee", ZeroRule::Ieee),
            ("plus", ZeroRule::Plus),
            ("shared", ZeroRule::Shared),
            ("total", ZeroRule::Total),
        ];
        Ok(Round {
            source,
            by: mode,
            fraction: object.integer("fraction", 0)?,
            tiny: object.word_or("tiny", &tiny)?,
            overflow: object.word_or("overflow", &overflow)?,
            zero: object.word_or("zero", &zero)?,
            plain_specials: object.word_or("specials", &[("format", true), ("none", false)])?,
            keeps_nan,
            first,
        })
    }
}

/// The form of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) width: i64,
    pub(crate) fraction: i64,
    pub(crate) highest: i64,
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Register(Format),
    Number(Extent),
}

/// A factor or a scale: its row and index, and how far the value may be from it.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub(crate) row: Row,
    pub(crate) index: usize,
    pub(crate) lost: Dyadic,
}

/// A step, and what is known of its value.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) action: Action,
    pub(crate) kind: Kind,
    pub(crate) takes: Vec<usize>,
    // A number x with the exponent e. From the options alone:
    /// x is a multiple of 2^(e - fraction).
    pub(crate) fraction: i64,
    /// |x| is at most size * 2^e.
    pub(crate) size: Option<Dyadic>,
    /// It takes no part where it is zero.
    pub(crate) hides: bool,
    /// It may be nonzero and take no part; nothing of the three above is known then.
    pub(crate) is_odd: bool,
    /// A bit below it may say that something was lost.
    pub(crate) sticky: bool,
    /// The losses and the growth of the terms of a fused sum by alignment.
    pub(crate) aligned: Option<Aligned>,
    // Facts:
    pub(crate) value: Option<Numbers>,
    pub(crate) exponent: i64,
    /// The value is the exact sum of these.
    pub(crate) atoms: Option<Atoms>,
    /// The value is the sum of these, rounded once.
    pub(crate) rounded: Option<Atoms>,
    pub(crate) may_overflow: bool,
    pub(crate) rises: Option<Rises>,
    pub(crate) bound: Option<Bound>,
    pub(crate) of: Option<Of>,
    // What a rule finds besides:
    /// A zero is +0.
    pub(crate) plus_zero: bool,
    /// The sign of a zero follows from the signs of its atoms; of a rounding, before it.
    pub(crate) is_signed_sum: bool,
    pub(crate) is_signed_source: bool,
    /// A rounding changes nothing; never gives a tiny result; stays finite; has a code for each result.
    pub(crate) is_exact: bool,
    pub(crate) is_never_tiny: bool,
    pub(crate) is_finite: bool,
    /// A rounding never gives more than the greatest number.
    pub(crate) stays: bool,
    pub(crate) is_safe: bool,
    /// The factor or scale that it is, the least normal exponent of its number, and the exponent of zero.
    pub(crate) factor: Option<Factor>,
    pub(crate) lowest: Option<i64>,
    pub(crate) of_zero: i64,
}

impl Step {
    pub(crate) fn new(action: Action, kind: Kind, takes: Vec<usize>) -> Step {
        Step {
            action,
            kind,
            takes,
            fraction: FAR,
            size: None,
            hides: false,
            is_odd: false,
            sticky: false,
            aligned: None,
            value: None,
            exponent: FAR,
            atoms: None,
            rounded: None,
            may_overflow: false,
            rises: None,
            bound: None,
            of: None,
            plus_zero: false,
            is_signed_sum: false,
            is_signed_source: false,
            is_exact: false,
            is_never_tiny: false,
            is_finite: false,
            stays: false,
            is_safe: false,
            factor: None,
            lowest: None,
            of_zero: 0,
        }
    }

    /// The format of a register.
    pub(crate) fn form(&self) -> Option<&Format> {
        match &self.kind {
            Kind::Register(format) => Some(format),
            Kind::Number(_) => None,
        }
    }

    /// The format of a step that makes a register.
    pub(crate) fn register(&self) -> Fails<&Format> {
        self.form().ok_or_else(|| "expected a register".into())
    }

    /// The form of a step that makes a number.
    pub(crate) fn extent(&self) -> Fails<Extent> {
        match &self.kind {
            Kind::Number(extent) => Ok(*extent),
            Kind::Register(_) => Err("expected a number".into()),
        }
    }

    /// Whether zero may be one of the values.
    pub(crate) fn may_be_zero(&self) -> bool {
        self.value.as_ref().is_none_or(|value| value.zero)
    }

    /// Whether the value is known to be always zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.value.as_ref().is_some_and(Numbers::is_zero)
    }

    /// l where all values but zero are known to be at least 2^l.
    pub(crate) fn floor(&self) -> i64 {
        self.value.as_ref().map_or(-FAR, Numbers::floor)
    }

    /// All that is known of the number of another step, which stays the same.
    pub(crate) fn same(&mut self, of: &Step) {
        self.value = of.value.clone();
        self.atoms = of.atoms.clone();
        self.fraction = of.fraction;
        self.size = of.size.clone();
        self.hides = of.hides;
        self.sticky = of.sticky;
        self.exponent = of.exponent;
        self.plus_zero = of.plus_zero;
        self.is_signed_sum = of.is_signed_sum;
    }
}

/// The registers whose NaNs come first, and whether a NaN stays one.
pub(crate) fn read_nan(nan: Option<&Value>) -> Fails<(&[Value], bool)> {
    match nan {
        Some(Value::Object(_)) => {
            let object = Object::of(nan.unwrap_or(&Value::Null), &["first", "else_nan"], "nan")?;
            Ok((object.list("first")?, object.flag("else_nan")?))
        }
        other => {
            need(
                other.is_none_or(|code| code.is_string() || code.is_i64() || code.is_u64()),
                || "expected a code for nan".into(),
            )?;
            Ok((&[], true))
        }
    }
}
