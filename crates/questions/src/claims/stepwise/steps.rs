//! The steps of a model and its formats, as objects of a certificate.

use mmasmt_core::machines::algorithms::descriptions::{
    Action, FusedTerm, Integers, Nan, NegativeForm, Program, ProgramNode, Round, RoundSource,
    Specials, SumOverflow, SumZeros, TermStep, ValueKind, ZeroSign, Zeros,
};
use mmasmt_core::machines::algorithms::{FlushedResults, Operand};
use mmasmt_numbers::float::{Dyadic, FlushedZero, Format, Overflow, Rounding};
use serde_json::{Map, Value, json};

/// A fraction `n * 2^e` as `[n, e]`, with `n` in decimal digits.
pub(in crate::claims) fn dyadic(number: &Dyadic) -> Value {
    json!([number.mantissa().to_string(), number.exponent()])
}

/// The formats of the registers, by their names. Two formats of one name get different ones.
#[derive(Default)]
pub(super) struct RegisterFormats {
    all: Vec<(Format, String)>,
}

impl RegisterFormats {
    pub(super) fn name(&mut self, format: &Format) -> String {
        if let Some((_, name)) = self.all.iter().find(|(known, _)| known == format) {
            return name.clone();
        }
        let own = format.name();
        let same = self.all.iter().filter(|(known, _)| known.name() == own);
        let name = match same.count() {
            0 => own.to_owned(),
            before => format!("{own}~{before}"),
        };
        self.all.push((*format, name.clone()));
        name
    }

    pub(super) fn as_json(&self) -> Value {
        let all = self.all.iter();
        let objects = all.map(|(format, name)| (name.clone(), object(format)));
        Value::Object(objects.collect())
    }
}

fn object(format: &Format) -> Value {
    if format.is_integer() {
        return json!({"kind": "integer", "bits": format.width(), "signed": format.is_signed()});
    }
    let greatest = Dyadic::of(format, format.greatest());
    json!({
        "kind": "float",
        "precision": format.precision(),
        "emin": format.min_exponent(),
        "emax": format.max_exponent(),
        "greatest": greatest.as_ref().map(dyadic),
        "signed": format.is_signed(),
        "zero": format.has_zero(),
        "negative_zero": format.has_negative_zero(),
        "infinity": format.has_infinity(),
        "nan": format.has_nan(),
        "subnormals": format.has_subnormals(),
    })
}

/// The steps, each with its facts.
pub(super) fn steps(
    program: &Program,
    facts: Vec<Map<String, Value>>,
    formats: &mut RegisterFormats,
) -> Value {
    let nodes = program.nodes.iter().zip(facts);
    let all = nodes.map(|(node, facts)| {
        let mut step = action(node);
        step.insert("kind".into(), kind(&node.kind, formats));
        step.insert("facts".into(), facts.into());
        Value::Object(step)
    });
    all.collect()
}

fn kind(kind: &ValueKind, formats: &mut RegisterFormats) -> Value {
    match kind {
        ValueKind::Register(format) => json!({"register": formats.name(format)}),
        ValueKind::Number(extent) => json!({"number": {
            "width": extent.width,
            "fraction": extent.fraction,
            "lowest": extent.lowest,
            "highest": extent.highest,
        }}),
    }
}

fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn action(node: &ProgramNode) -> Map<String, Value> {
    fields(match &node.action {
        Action::Operand(row, index) => {
            json!({"do": "operand", "row": row_name(*row), "index": index})
        }
        Action::Constant(code) => constant(&node.kind, *code),
        Action::Greatest(terms) => json!({"do": "greatest", "terms": terms}),
        Action::Inverse(of) => json!({"do": "inverse", "of": of}),
        Action::Scaled { of, exponent } => json!({"do": "scaled", "of": of, "exponent": exponent}),
        Action::Positive(of) => json!({"do": "positive", "of": of}),
        Action::Flush(of, to) => {
            let to = match to {
                FlushedZero::Plus => "plus",
                FlushedZero::SameSign => "same",
            };
            json!({"do": "flush", "of": of, "to": to})
        }
        Action::Term(of) => term(of),
        Action::Product([x, y]) => json!({"do": "product", "x": x, "y": y}),
        Action::Differ([x, y]) => json!({"do": "differ", "x": x, "y": y}),
        Action::Normalise(of) => json!({"do": "normalise", "of": of}),
        Action::Part { of, low, bits, by } => {
            json!({"do": "part", "of": of, "low": low, "bits": bits, "by": mode(*by)})
        }
        Action::Cap { of, exponent } => json!({"do": "cap", "of": of, "exponent": exponent}),
        Action::Drop { of, exponent } => json!({"do": "drop", "of": of, "exponent": exponent}),
        Action::Miscount { of, bits } => json!({"do": "miscount", "of": of, "bits": bits}),
        Action::Sum { terms, zeros } => {
            let zeros = match zeros {
                SumZeros::None => "none",
                SumZeros::Terms => "terms",
                SumZeros::Field => "field",
            };
            json!({"do": "sum", "terms": terms, "zeros": zeros})
        }
        Action::Fuse(fuse) => {
            let terms: Vec<Value> = fuse.terms.iter().map(aligned).collect();
            let width = fuse.width.map(|(width, beyond)| {
                let beyond = match beyond {
                    SumOverflow::Wrap => "wrap",
                    SumOverflow::Saturate => "saturate",
                };
                json!([width, beyond])
            });
            let negate = match fuse.negate {
                NegativeForm::Twos => "twos",
                NegativeForm::Ones => "ones",
                NegativeForm::OnesOfNonzero => "ones_of_nonzero",
                NegativeForm::AgainstLast => "against_last",
            };
            json!({"do": "fuse", "terms": terms, "least": fuse.least, "width": width, "sticky": fuse.sticky, "negate": negate})
        }
        Action::Cut(cut) => {
            json!({"do": "cut", "of": cut.of, "bits": cut.bits, "by": mode(cut.by), "least": cut.least})
        }
        Action::Special { of, from } => json!({"do": "special", "of": of, "from": from}),
        Action::Round(of) => round(&node.kind, of),
        Action::Replace { of, from, register } => {
            json!({"do": "replace", "of": of, "from": from, "register": register})
        }
    })
}

/// A constant register: its magnitude and its sign bit. An infinity and a NaN have no value.
fn constant(kind: &ValueKind, code: u64) -> Value {
    let ValueKind::Register(format) = kind else {
        return Value::Null;
    };
    let minus = format.is_signed() && code & format.sign_mask() != 0;
    let value = Dyadic::of(format, code).map(|value| match value.is_negative() {
        true => value.negated(),
        false => value,
    });
    json!({"do": "constant", "value": value.as_ref().map(dyadic), "minus": minus})
}

fn row_name(row: Operand) -> &'static str {
    match row {
        Operand::A => "a",
        Operand::B => "b",
        Operand::C => "c",
        Operand::AScales => "a_scales",
        Operand::BScales => "b_scales",
    }
}

fn term(term: &TermStep) -> Value {
    let zeros = match term.zeros {
        Zeros::None => json!("none"),
        Zeros::Field => json!("field"),
        Zeros::At(exponent) => json!(exponent),
    };
    json!({
        "do": "term", "of": term.of, "zeros": zeros, "widen": term.widen, "shift": term.shift, "room": term.room,
        "specials": specials(term.specials),
    })
}

fn specials(specials: Specials) -> &'static str {
    match specials {
        Specials::Format => "format",
        Specials::None => "none",
    }
}

fn aligned(term: &FusedTerm) -> Value {
    json!({
        "of": term.of, "keep": term.keep, "by": mode(term.by), "far": term.far, "again": term.again, "vanish": term.vanish,
    })
}

fn round(kind: &ValueKind, round: &Round) -> Value {
    let from = match round.of {
        RoundSource::Number(of) => json!({"number": of}),
        RoundSource::Register(of) => json!({"register": of}),
        RoundSource::Multiply(of) => json!({"multiply": of}),
        RoundSource::Add(of) => json!({"add": of}),
        RoundSource::Fma(of) => json!({"fma": of}),
    };
    let tiny = match round.tiny {
        FlushedResults::Kept => "kept",
        FlushedResults::BeforeRounding => "before",
        FlushedResults::AfterRounding => "after",
        FlushedResults::Register => "register",
    };
    let overflow = match round.overflow {
        Overflow::Infinity => "infinity",
        Overflow::Ieee => "ieee",
        Overflow::Greatest => "greatest",
        Overflow::Clamp => "clamp",
    };
    let integers = match round.integers {
        Integers::Wrap => "wrap",
        Integers::Saturate => "saturate",
        Integers::Symmetric => "symmetric",
    };
    let zero = match round.zero {
        ZeroSign::Ieee => "ieee",
        ZeroSign::Plus => "plus",
        ZeroSign::Shared => "shared",
        ZeroSign::Total => "total",
    };
    let nan = match &round.nan {
        Nan::Code(code) => json!(format!("{code:?}").to_lowercase()),
        Nan::First(slots, otherwise) => {
            let is_nan = matches!(kind, ValueKind::Register(format) if format.is_nan(*otherwise));
            json!({"first": slots, "else_nan": is_nan})
        }
    };
    // An integer has no fraction.
    let fraction = match kind {
        ValueKind::Register(format) if format.is_integer() => 0,
        _ => round.fraction,
    };
    json!({
        "do": "round", "from": from, "by": mode(round.by), "fraction": fraction, "tiny": tiny, "overflow": overflow,
        "integers": integers, "zero": zero, "nan": nan, "specials": specials(round.specials),
    })
}

/// The name of a rounding.
pub(super) fn mode(by: Rounding) -> String {
    by.to_string()
}
