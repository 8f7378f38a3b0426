//! Reading a step: its options, and the steps that it takes.

use crate::domain::{Domain, Row};
use crate::json::{CheckResult, LIMIT, Object, integer, list, need};
use crate::numbers::Format;
use crate::steps::{Action, Round, Source, Step, Term, mode};
use serde_json::Value;

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
        "by" => mode(value).is_ok(),
        "overflow" => matches!(value.as_str(), Some("infinity" | "ieee" | "greatest")),
        _ => true,
    }
}

/// Reads a step that may take the steps before it.
pub(crate) fn read(text: &Value, domain: &Domain, steps: &[Step]) -> CheckResult<Step> {
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
    let takes = takes.collect::<CheckResult<Vec<usize>>>()?;
    let terms = text.get("terms").and_then(Value::as_array);
    let terms = terms.filter(|_| name == "fuse").into_iter().flatten();
    let mut maps = terms.chain([text]).filter_map(Value::as_object);
    let is_known = maps.all(|map| map.iter().all(|(key, value)| is_known(key, value)));
    let of_registers = matches!(name, "flush" | "term" | "round") && source != Some(Source::Number);
    let count = source.map_or(takes.len(), Source::count);
    let mut of = takes.iter().take(count).filter_map(|slot| steps.get(*slot));
    let has_kinds = name == "replace"
        || of.all(|of| match of_registers {
            true => of.form.is_some(),
            false => of.form.is_none() && !matches!(of.action, Action::Other),
        });
    let has_codes = source.is_none() || form.as_ref().is_some_and(Format::can_hold_results);
    let action = match is_known && has_kinds && has_codes {
        true => action(name, &object, number, source)?,
        false => Action::Other,
    };
    Ok(Step::new(action, form, takes))
}

fn earlier(slot: &Value, steps: &[Step]) -> CheckResult<usize> {
    let found = slot.as_u64().map(|slot| slot as usize);
    let found = found.filter(|found| *found < steps.len());
    found.ok_or_else(|| format!("expected an earlier step, found {slot}"))
}

/// The numbers of the steps that a step takes, and what a rounding rounds.
fn slots<'j>(name: &str, object: &Object<'j>) -> CheckResult<(Option<Source>, Vec<&'j Value>)> {
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
    let source = Source::named(how)?;
    match source.count() {
        1 => slots.push(of),
        _ => slots.extend(list(of, how)?),
    }
    need(slots.len() == source.count(), || {
        format!("expected {} steps for `{how}`", source.count())
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
) -> CheckResult<Action> {
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
                    by: mode(term.get("by")?)?,
                })
            });
            let terms = terms.collect::<CheckResult<Vec<Term>>>()?;
            need(!terms.is_empty(), || "expected a term".into())?;
            Action::Fuse { terms, least }
        }
        ("cut", _) => Action::Cut {
            bits: object.integer("bits", 1)?,
            by: mode(object.get("by")?)?,
            least: object.maybe_integer("least", -LIMIT)?,
        },
        ("replace", _) => Action::Replace,
        ("round", Some(source)) => {
            let nan = object.get("nan")?.get("else_nan");
            Action::Round(Round {
                source,
                by: mode(object.get("by")?)?,
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
