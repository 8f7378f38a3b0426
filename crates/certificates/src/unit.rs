//! A unit: its steps are read and checked one after another.

use crate::atoms::Row;
use crate::domain::Domain;
use crate::facts;
use crate::fused;
use crate::json::{LIMIT, Object, dyadic, integer, word};
use crate::read::{Document, Todo};
use crate::rises::Moving;
use crate::steps::{
    Action, Extent, Kind, PLAIN_MODES, Round, Source, Step, SumZeros, Zeros, read_nan,
};
use crate::{Fails, need, values};
use serde_json::Value;

/// The steps of a unit that were checked.
pub(crate) struct Unit<'d> {
    pub(crate) domain: &'d Domain,
    pub(crate) moving: Option<Moving>,
    pub(crate) steps: Vec<Step>,
    pub(crate) result: usize,
    /// The steps as they stand in the text.
    pub(crate) texts: &'d [Value],
}

impl Todo {
    /// The unit with all steps checked, or the number of the step that fails, and why.
    pub(crate) fn checked<'d>(
        &'d self,
        document: &'d Document,
    ) -> Result<Unit<'d>, (usize, String)> {
        let domain = &document.domain;
        let mut unit = Unit {
            domain,
            moving: document.moving,
            steps: Vec::new(),
            result: 0,
            texts: &self.steps,
        };
        for (number, text) in self.steps.iter().enumerate() {
            let step = unit.step(number, text).map_err(|reason| (number, reason))?;
            unit.steps.push(step);
        }
        let last = self.steps.len().saturating_sub(1);
        let result = self
            .result
            .as_u64()
            .map(|result| result as usize)
            .filter(|result| *result < unit.steps.len());
        unit.result = result.ok_or((last, "the result is no step".into()))?;
        match unit.steps.get(unit.result).and_then(Step::form) == Some(&domain.result) {
            true => Ok(unit),
            false => Err((unit.result, "the result has not the format of d".into())),
        }
    }
}

/// The slots of a step, in order.
struct Slots<'u, 'd> {
    unit: &'u Unit<'d>,
    all: Vec<usize>,
}

impl Slots<'_, '_> {
    /// An earlier step that makes a register, a number, or either.
    fn take(&mut self, value: &Value, is_register: Option<bool>) -> Fails<usize> {
        let slot = value
            .as_u64()
            .map(|slot| slot as usize)
            .filter(|slot| *slot < self.unit.steps.len());
        let slot = slot.ok_or_else(|| format!("expected an earlier step, found {value}"))?;
        let is_right =
            is_register.is_none_or(|expected| self.unit.at(slot).form().is_some() == expected);
        need(is_right, || {
            format!("step {slot} makes a value of the other kind")
        })?;
        self.all.push(slot);
        Ok(slot)
    }

    fn each(&mut self, values: &[Value], is_register: Option<bool>) -> Fails<()> {
        values
            .iter()
            .try_for_each(|value| self.take(value, is_register).map(|_| ()))
    }
}

impl<'d> Unit<'d> {
    /// A step that was checked; all slots are those of such.
    pub(crate) fn at(&self, slot: usize) -> &Step {
        &self.steps[slot]
    }

    /// The steps that a rounding rounds.
    pub(crate) fn rounded_by(&self, step: &Step, round: &Round) -> Vec<&Step> {
        let mut all = self.taken(step);
        all.truncate(round.source.count());
        all
    }

    /// The steps that a step takes.
    pub(crate) fn taken(&self, step: &Step) -> Vec<&Step> {
        step.takes.iter().map(|slot| self.at(*slot)).collect()
    }

    /// The n-th step that a step takes.
    pub(crate) fn nth(&self, step: &Step, n: usize) -> Fails<&Step> {
        let slot = step.takes.get(n);
        slot.map(|slot| self.at(*slot))
            .ok_or_else(|| "expected a step that is taken".into())
    }

    fn step(&self, number: usize, text: &Value) -> Fails<Step> {
        let mut step = self.read(text)?;
        values::derive(self, &mut step, text)?;
        facts::check(
            self,
            &mut step,
            number,
            text.get("facts").unwrap_or(&Value::Null),
        )?;
        Ok(step)
    }

    fn kind(&self, value: &Value) -> Fails<Kind> {
        match Object::single(value, "`kind`")? {
            ("register", name) => {
                let format = name.as_str().and_then(|name| self.domain.formats.get(name));
                Ok(Kind::Register(
                    format.cloned().ok_or("unknown format in `kind`")?,
                ))
            }
            ("number", form) => {
                let form = Object::of(form, &["width", "fraction", "lowest", "highest"], "kind")?;
                form.integer("lowest", -LIMIT)?;
                Ok(Kind::Number(Extent {
                    width: form.integer("width", 0)?,
                    fraction: form.integer("fraction", -LIMIT)?,
                    highest: form.integer("highest", -LIMIT)?,
                }))
            }
            (other, _) => Err(format!("unknown key `{other}` in kind")),
        }
    }

    /// A step with its options.
    fn read(&self, text: &Value) -> Fails<Step> {
        let name = text
            .get("do")
            .and_then(Value::as_str)
            .ok_or("expected a step with `do`")?;
        let options: &[&str] = match name {
            "operand" => &["row", "index"],
            "zero" => &[],
            "constant" => &["value", "minus"],
            "positive" => &["of"],
            "flush" => &["of", "to"],
            "term" => &["of", "zeros", "widen", "shift", "room", "specials"],
            "product" | "differ" => &["x", "y"],
            "normalise" => &["of"],
            "part" => &["of", "low", "bits", "by"],
            "cap" | "drop" => &["of", "exponent"],
            "miscount" => &["of", "bits"],
            "sum" => &["terms", "zeros"],
            "fuse" => &["terms", "least", "width", "sticky", "negate"],
            "cut" => &["of", "bits", "by", "least"],
            "special" => &["of", "from"],
            "round" => &[
                "from", "by", "fraction", "tiny", "overflow", "integers", "zero", "nan", "specials",
            ],
            "replace" => &["of", "from", "register"],
            other => return Err(format!("unknown step `{other}`")),
        };
        let known: Vec<&str> = ["do", "kind", "facts", "name"]
            .iter()
            .chain(options)
            .copied()
            .collect();
        let object = Object::of(text, &known, "a step")?;
        object.get("facts")?;
        let kind = self.kind(object.get("kind")?)?;
        let is_register = matches!(
            name,
            "operand" | "zero" | "constant" | "positive" | "flush" | "round" | "replace"
        );
        need(is_register == matches!(kind, Kind::Register(_)), || {
            format!("a step `{name}` has another kind")
        })?;
        let mut slots = Slots {
            unit: self,
            all: Vec::new(),
        };
        let action = self.action(name, &object, &mut slots)?;
        Ok(Step::new(action, kind, slots.all))
    }

    fn action(&self, name: &str, object: &Object<'_>, slots: &mut Slots<'_, 'd>) -> Fails<Action> {
        let (register, number) = (Some(true), Some(false));
        match name {
            "flush" | "positive" | "replace" => slots.take(object.get("of")?, register)?,
            "term" => slots.take(object.get("of")?, None)?,
            "normalise" | "part" | "cap" | "drop" | "miscount" | "cut" | "special" => {
                slots.take(object.get("of")?, number)?
            }
            _ => 0,
        };
        Ok(match name {
            "operand" => {
                let index = object.integer_or("index", 0, 0)? as usize;
                Action::Operand {
                    row: word(object.get("row")?, &Row::NAMES, "row")?,
                    index,
                }
            }
            "zero" => Action::Zero,
            "constant" => {
                let value = object.maybe("value").map(|value| dyadic(value, "value"));
                Action::Constant {
                    value: value.transpose()?,
                    minus: object.flag_or("minus", false)?,
                }
            }
            "positive" => Action::Positive,
            "flush" => Action::Flush {
                to_plus: object.word_or("to", &[("same", false), ("plus", true)])?,
            },
            "term" => {
                object.integer_or("room", 0, 0)?;
                let zeros = match object.maybe("zeros").map(|zeros| (zeros, zeros.as_str())) {
                    None | Some((_, Some("none"))) => Zeros::None,
                    Some((_, Some("field"))) => Zeros::Field,
                    Some((value, _)) => Zeros::At(integer(value, "zeros", -LIMIT)?),
                };
                Action::Term {
                    zeros,
                    widen: object.flag_or("widen", false)?,
                    shift: object.integer_or("shift", -LIMIT, 0)?,
                    plain_specials: object
                        .word_or("specials", &[("format", true), ("none", false)])?,
                }
            }
            "product" | "differ" => {
                let is_register = if name == "product" { number } else { register };
                slots.take(object.get("x")?, is_register)?;
                slots.take(object.get("y")?, is_register)?;
                if name == "product" {
                    Action::Product
                } else {
                    Action::Differ
                }
            }
            "normalise" => Action::Normalise,
            "part" => Action::Part {
                low: object.integer("low", 0)?,
                bits: object.integer("bits", 1)?,
                by: object.word_or("by", PLAIN_MODES)?,
            },
            "cap" => Action::Cap {
                exponent: object.integer("exponent", -LIMIT)?,
            },
            "drop" => Action::Drop {
                exponent: object.integer("exponent", -LIMIT)?,
            },
            "miscount" => {
                object.integer("bits", 0)?;
                Action::Miscount
            }
            "sum" => {
                slots.each(object.list("terms")?, number)?;
                let zeros = [
                    ("none", SumZeros::None),
                    ("terms", SumZeros::Terms),
                    ("field", SumZeros::Field),
                ];
                Action::Sum {
                    zeros: object.word_or("zeros", &zeros)?,
                }
            }
            "fuse" => {
                for term in object.list("terms")? {
                    slots.take(term.get("of").unwrap_or(&Value::Null), number)?;
                }
                fused::read(object)?
            }
            "cut" => Action::Cut {
                bits: object.integer("bits", 1)?,
                by: object.word_or("by", PLAIN_MODES)?,
                least: object.maybe_integer("least", -LIMIT)?,
            },
            "special" => {
                slots.each(object.list("from")?, number)?;
                Action::Special
            }
            "replace" => {
                let code = object.get("register")?;
                need(code.is_u64() || code.is_string(), || {
                    "expected a code for register".into()
                })?;
                slots.each(object.list("from")?, None)?;
                Action::Replace
            }
            _ => Action::Round(Self::rounding(object, slots)?),
        })
    }

    fn rounding(object: &Object<'_>, slots: &mut Slots<'_, 'd>) -> Fails<Round> {
        let (how, of) = Object::single(object.get("from")?, "`from`")?;
        let source = match how {
            "number" => Source::Number,
            "register" => Source::Register,
            "multiply" => Source::Multiply,
            "add" => Source::Add,
            "fma" => Source::Fma,
            other => return Err(format!("unknown source `{other}`")),
        };
        match source.count() {
            1 => slots.each(std::slice::from_ref(of), Some(source == Source::Register))?,
            _ => slots.each(
                of.as_array()
                    .ok_or_else(|| format!("expected a list for {how}"))?,
                Some(true),
            )?,
        }
        need(slots.all.len() == source.count(), || {
            format!("expected {} steps for `{how}`", source.count())
        })?;
        let (first, keeps_nan) = read_nan(object.maybe("nan"))?;
        slots.each(first, Some(true))?;
        let first = slots.all.get(source.count()..).unwrap_or_default().to_vec();
        Round::read(object, source, first, keeps_nan)
    }
}
