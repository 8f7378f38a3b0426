//! Units as data over formats of few bits: texts of the language of descriptions that are drawn, changed in one option, and made simpler.

mod draw;
mod options;
mod simpler;

use super::quiet::caught;
use mmasmt_core::machines::algorithms::descriptions::Description;
use mmasmt_core::machines::model::Model;
use std::fmt;

/// A value of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Name(String),
    /// An element of a row.
    At(String, String),
    /// A part of a row.
    Part(String, String),
    Product(Box<[Value; 2]>),
    Call(Call),
}

/// A function of values with options.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub function: &'static str,
    pub arguments: Vec<Value>,
    /// A keyword and its value, which is empty where the keyword says it all.
    pub options: Vec<(&'static str, String)>,
}

/// A name or an element of a row is given a value, once or in each turn of a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub name: String,
    pub element: Option<String>,
    pub value: Value,
    pub turns: Option<usize>,
}

/// What the operands and the result are.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub a: &'static str,
    pub b: &'static str,
    pub c: Option<&'static str>,
    pub d: &'static str,
    pub products: usize,
    /// The format of scales, and the number of products of a block.
    pub scales: Option<(&'static str, usize)>,
}

/// A unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub header: Header,
    pub steps: Vec<Step>,
}

impl Text {
    /// The model of the text, if the language takes it; where it panicked, if it did.
    pub fn built(&self) -> Result<Option<Model>, String> {
        let description = || Description::parse(&self.to_string()).ok();
        caught(|| description().map(Model::of_description))
    }

    /// The model of the text, if the language takes it.
    pub fn model(&self) -> Option<Model> {
        self.built().ok().flatten()
    }

    /// The formats that results and values on the way are rounded to.
    pub fn rounded_to(&self) -> Vec<String> {
        let mut formats = Vec::new();
        self.clone().each(&mut |value| {
            if let Value::Call(call) = value
                && call.function == "round"
            {
                let to = call.options.iter().filter(|(word, _)| *word == "to");
                formats.extend(to.map(|(_, format)| format.clone()));
            }
        });
        formats
    }

    /// Calls `visit` for every value, outer ones first.
    pub fn each(&mut self, visit: &mut impl FnMut(&mut Value)) {
        self.steps
            .iter_mut()
            .for_each(|step| step.value.each(visit));
    }
}

impl Value {
    fn each(&mut self, visit: &mut impl FnMut(&mut Value)) {
        visit(self);
        match self {
            Value::Name(_) | Value::At(..) | Value::Part(..) => {}
            Value::Product(pair) => pair.iter_mut().for_each(|value| value.each(visit)),
            Value::Call(call) => {
                let arguments = call.arguments.iter_mut();
                arguments.for_each(|value| value.each(visit));
            }
        }
    }

    pub fn call(function: &'static str, arguments: Vec<Value>) -> Value {
        Value::Call(Call {
            function,
            arguments,
            options: Vec::new(),
        })
    }

    pub fn product(left: Value, right: Value) -> Value {
        Value::Product(Box::new([left, right]))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Header {
            a,
            b,
            c,
            d,
            products,
            scales,
        } = &self.header;
        write!(f, "unit u {{ a: {a}[{products}] b: {b}[{products}]")?;
        if let Some((format, block)) = scales {
            write!(f, " sa, sb: {format} of {block}")?;
        }
        if let Some(c) = c {
            write!(f, " c: {c}")?;
        }
        write!(f, " d: {d}")?;
        for step in &self.steps {
            write!(f, " {step}")?;
        }
        write!(f, " }}")
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(turns) = self.turns {
            write!(f, "for k in 0..{turns} {{ ")?;
        }
        write!(f, "{}", self.name)?;
        if let Some(element) = &self.element {
            write!(f, "[{element}]")?;
        }
        write!(f, " = {}", self.value)?;
        if self.turns.is_some() {
            write!(f, " }}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Name(name) => write!(f, "{name}"),
            Value::At(of, index) => write!(f, "{of}[{index}]"),
            Value::Part(of, range) => write!(f, "{of}[{range}]"),
            Value::Product(pair) => write!(f, "{} * {}", pair[0], pair[1]),
            Value::Call(call) => {
                let arguments: Vec<_> = call.arguments.iter().map(Value::to_string).collect();
                write!(f, "{}({})", call.function, arguments.join(", "))?;
                for (word, value) in &call.options {
                    write!(f, " {word}")?;
                    if !value.is_empty() {
                        write!(f, " {value}")?;
                    }
                }
                Ok(())
            }
        }
    }
}
