//! Steps: what they do, and what is known of their values. They are read once.

use crate::amounts::Bound;
use crate::domain::{Domain, Row, Sum};
use crate::dyadic::Dyadic;
use crate::json::{LIMIT, Object, integer, list};
use crate::numbers::{FAR, Format, Numbers};
use crate::{Fails, need};
use num_bigint::BigUint;
use serde_json::Value;

/// A rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Toward zero.
    Rz,
    /// Another one of those that are not to nearest.
    Directed(&'static str),
    Nearest(&'static str),
}

impl Mode {
    pub(crate) fn named(name: &Value) -> Option<Mode> {
        let is = |own: &&&str| name.as_str() == Some(own);
        let directed = ["rd", "ru", "ra", "odd"].iter().find(is);
        let nearest = ["rne", "rna", "rnz", "rnu", "rnd", "rno"].iter().find(is);
        match name.as_str() {
            Some("rz") => Some(Mode::Rz),
            _ => (directed.map(|name| Mode::Directed(name)))
                .or(nearest.map(|name| Mode::Nearest(name))),
        }
    }

    pub(crate) fn is_nearest(self) -> bool {
        matches!(self, Mode::Nearest(_))
    }
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

/// What a rounding rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Number,
    Register,
    Multiply,
    Add,
    Fma,
}

impl Source {
    pub(crate) const ALL: [(&'static str, Source, usize); 5] = [
        ("number", Source::Number, 1),
        ("register", Source::Register, 1),
        ("multiply", Source::Multiply, 2),
        ("add", Source::Add, 2),
        ("fma", Source::Fma, 3),
    ];

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

/// What a value does where an operand rises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rises {
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
    pub(crate) rises: Option<Rises>,
    pub(crate) bound: Option<Bound>,
}

impl Step {
    fn new(action: Action, form: Option<Format>, takes: Vec<usize>) -> Step {
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
        takes.get(..self.source_count()).unwrap_or(takes)
    }

    pub(crate) fn source_count(&self) -> usize {
        let Action::Round(round) = &self.action else {
            return self.takes.len();
        };
        let own = Source::ALL.iter().find(|(_, one, _)| *one == round.source);
        own.map_or(0, |(_, _, count)| *count)
    }

    /// The format of a register.
    pub(crate) fn register(&self) -> Fails<&Format> {
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
pub(crate) fn nth<'s>(takes: &[&'s Step], n: usize) -> Fails<&'s Step> {
    let step = takes.get(n).copied();
    step.ok_or_else(|| "expected a step that is taken".into())
}

/// The options of each step; below are those without rules.
const OPTIONS: [(&str, &str); 18] = [
    ("operand", "row index"),
    ("constant", "value minus"),
    ("flush", "of to"),
    ("term", "of zeros widen shift room specials"),
    ("product", "x y"),
    ("cap", "of exponent"),
    ("sum", "terms zeros"),
    ("fuse", "terms least width sticky negate"),
    ("cut", "of bits by least"),
    ("replace", "of from register"),
    (
        "round",
        "from by fraction tiny overflow integers zero nan specials",
    ),
    ("positive", "of"),
    ("differ", "x y"),
    ("normalise", "of"),
    ("part", "of low bits by"),
    ("drop", "of exponent"),
    ("miscount", "of bits"),
    ("special", "of from"),
];

/// True if there are rules for this value of an option.
fn is_known(option: &str, value: &Value) -> bool {
    match option {
        "zeros" => matches!(value.as_str(), Some("none" | "field")),
        "widen" | "sticky" => value == &Value::Bool(false),
        "specials" => value == "format",
        "width" | "again" => value.is_null(),
        "negate" => value == "twos",
        "by" => Mode::named(value).is_some(),
        "overflow" => matches!(value.as_str(), Some("infinity" | "ieee" | "greatest")),
        _ => true,
    }
}

/// Reads a step that may take the steps before it.
pub(crate) fn read(text: &Value, domain: &Domain, steps: &[Step]) -> Fails<Step> {
    let name = text.get("do").and_then(Value::as_str).unwrap_or_default();
    let options = OPTIONS.iter().find(|(own, _)| *own == name);
    let (_, options) = options.ok_or_else(|| format!("unknown step `{name}`"))?;
    let options: Vec<&str> = options.split(' ').collect();
    let known = [&["do", "kind", "facts", "name"], &options[..]].concat();
    let object = Object::of(text, &known, "a step")?;
    for key in ["kind", "facts"].iter().chain(&options) {
        object.get(key)?;
    }
    let kind = Object::of(object.get("kind")?, &["register", "number"], "kind")?;
    let is_register = matches!(
        name,
        "operand" | "constant" | "flush" | "round" | "replace" | "positive"
    );
    let (register, number) = (kind.maybe("register"), kind.maybe("number"));
    let is_kind = register.is_some() == is_register && number.is_none() == is_register;
    need(is_kind, || format!("a step `{name}` has another kind"))?;
    let form = register.map(|name| {
        let form = name.as_str().and_then(|name| domain.formats.get(name));
        form.cloned().ok_or("unknown format in `kind`")
    });
    let form = form.transpose()?;
    let (source, slots) = slots(name, &object)?;
    let takes = slots.into_iter().map(|slot| earlier(slot, steps));
    let takes = takes.collect::<Fails<Vec<usize>>>()?;
    let count = source.map_or(takes.len(), |(_, _, count)| count);
    let source = source.map(|(_, source, _)| source);
    let of_registers = matches!(name, "flush" | "term" | "round") && source != Some(Source::Number);
    let mut of = takes.iter().take(count).filter_map(|slot| steps.get(*slot));
    let has_kinds = name == "replace"
        || of.all(|of| match of_registers {
            true => of.form.is_some(),
            false => of.form.is_none() && !matches!(of.action, Action::Other),
        });
    let terms = text.get("terms").and_then(Value::as_array);
    let terms = terms.filter(|_| name == "fuse").into_iter().flatten();
    let mut maps = terms.chain([text]).filter_map(Value::as_object);
    let is_known = maps.all(|map| map.iter().all(|(key, value)| is_known(key, value)));
    let action = match is_known && has_kinds {
        true => action(name, &object, number, source)?,
        false => Action::Other,
    };
    Ok(Step::new(action, form, takes))
}

fn earlier(slot: &Value, steps: &[Step]) -> Fails<usize> {
    let found = slot.as_u64().map(|slot| slot as usize);
    let found = found.filter(|found| *found < steps.len());
    found.ok_or_else(|| format!("expected an earlier step, found {slot}"))
}

type Slots<'j> = (Option<(&'static str, Source, usize)>, Vec<&'j Value>);

/// The numbers of the steps that a step takes, and what a rounding rounds.
fn slots<'j>(name: &str, object: &Object<'j>) -> Fails<Slots<'j>> {
    let mut slots: Vec<&Value> = Vec::new();
    let keys = ["of", "x", "y"].iter();
    slots.extend(keys.filter_map(|key| object.get(key).ok()));
    if let Ok(terms) = object.get("terms") {
        for term in list(terms, "terms")? {
            slots.push(match name {
                "fuse" => Object::open(term, "a term")?.get("of")?,
                _ => term,
            });
        }
    }
    if name != "round" {
        if let Ok(from) = object.get("from") {
            slots.extend(list(from, "from")?);
        }
        return Ok((None, slots));
    }
    let (how, of) = Object::single(object.get("from")?, "`from`")?;
    let source = Source::ALL.into_iter().find(|(own, _, _)| *own == how);
    let source = source.ok_or_else(|| format!("unknown source `{how}`"))?;
    match source.2 {
        1 => slots.push(of),
        _ => slots.extend(list(of, how)?),
    }
    need(slots.len() == source.2, || {
        format!("expected {} steps for `{how}`", source.2)
    })?;
    if let Some(nan) = object.maybe("nan").filter(|nan| nan.is_object()) {
        let nan = Object::of(nan, &["first", "else_nan"], "nan")?;
        nan.flag("else_nan")?;
        slots.extend(nan.list("first")?);
    }
    Ok((Some(source), slots))
}

/// The options of a step of which all values are known.
fn action(
    name: &str,
    object: &Object<'_>,
    number: Option<&Value>,
    source: Option<Source>,
) -> Fails<Action> {
    let mode = |object: &Object<'_>| {
        Mode::named(object.get("by")?).ok_or_else(|| "unknown rounding mode".to_owned())
    };
    let hides = || object.get("zeros").map(|zeros| zeros == "none");
    Ok(match (name, source) {
        ("operand", _) => Action::Operand {
            row: Row::named(object.get("row")?).ok_or("there is no such row")?,
            index: object.integer("index", 0)? as usize,
        },
        ("constant", _) => {
            let value = object.maybe("value").map(|_| object.dyadic("value"));
            Action::Constant {
                value: value.transpose()?,
                minus: object.flag("minus")?,
            }
        }
        ("flush", _) => Action::Flush,
        ("term", _) => Action::Term {
            hides: hides()?,
            shift: object.integer("shift", -LIMIT)?,
        },
        ("product", _) => Action::Product,
        ("cap", _) => Action::Cap {
            exponent: object.integer("exponent", -LIMIT)?,
        },
        ("sum", _) => Action::Sum {
            hides: hides()?,
            fraction: Object::open(number.unwrap_or(&Value::Null), "kind")?
                .integer("fraction", -LIMIT)?,
        },
        ("fuse", _) => {
            let least = object.maybe_integer("least", -LIMIT)?;
            let terms = object.list("terms")?.iter().map(|term| {
                let known = ["of", "keep", "by", "far", "again", "vanish"];
                let term = Object::of(term, &known, "a term")?;
                let far = term.maybe("far").map(|far| integer(far, "far", -LIMIT));
                let vanish = term.maybe_integer("vanish", -LIMIT)?;
                Ok(Term {
                    is_special: far.transpose()?.is_some() || vanish.is_some(),
                    keep: term.integer("keep", 0)?,
                    by: mode(&term)?,
                })
            });
            let terms = terms.collect::<Fails<Vec<Term>>>()?;
            need(!terms.is_empty(), || "expected a term".into())?;
            Action::Fuse { terms, least }
        }
        ("cut", _) => Action::Cut {
            bits: object.integer("bits", 1)?,
            by: mode(object)?,
            least: object.maybe_integer("least", -LIMIT)?,
        },
        ("replace", _) => Action::Replace,
        ("round", Some(source)) => {
            let nan = object.get("nan")?.get("else_nan");
            Action::Round(Round {
                source,
                by: mode(object)?,
                fraction: object.integer("fraction", 0)?,
                keeps_tiny: object.get("tiny")? == "kept",
                overflow: object.get("overflow")?.as_str().unwrap_or_default().into(),
                plus: object.get("zero")? == "plus",
                keeps_nan: nan.is_none_or(|nan| nan == &Value::Bool(true)),
            })
        }
        _ => Action::Other,
    })
}
