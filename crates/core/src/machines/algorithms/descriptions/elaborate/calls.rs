//! Values of expressions: names, rows, products, and functions other than `round`.

use super::options::CallOptions;
use super::{ElaborationResult, Elaborator, FARTHEST, MOST_STEPS, Value, wrong};
use crate::machines::algorithms::descriptions::program::{Action, Nan, Slot, SumZeros, ValueKind};
use crate::machines::algorithms::descriptions::tree::{
    Call, Choice, Expression, Function, Index, Keyword, Place, Setting,
};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::near::did_you_mean;
use mmasmt_numbers::float::FlushedZero;
use std::rc::Rc;

impl Elaborator<'_> {
    pub(super) fn expression(
        &mut self,
        at: Place,
        expression: &Expression,
    ) -> ElaborationResult<Value> {
        match expression {
            Expression::Name(place, name) => match self.values.get(name.as_str()) {
                Some(value) => Ok(value.clone()),
                None => {
                    let near = did_you_mean(name, self.values.keys().map(|name| &**name));
                    wrong(*place, format!("a value with a name, found `{name}`{near}"))
                }
            },
            Expression::Element(of, index) => {
                let row = self.expression(at, of)?;
                let index = self.scope.number(at, index)?;
                let slots = row.slots();
                let found = usize::try_from(index)
                    .ok()
                    .and_then(|index| slots.get(index));
                found.map_or_else(
                    || {
                        wrong(
                            at,
                            format!(
                                "an element from 0 to {}, found {index}",
                                slots.len() as i64 - 1
                            ),
                        )
                    },
                    |slot| Ok(Value::One(*slot)),
                )
            }
            Expression::Slice { of, from, to, step } => {
                let row = self.expression(at, of)?;
                self.slice(at, &row, [from.as_ref(), to.as_ref()], step.as_ref())
            }
            Expression::Product(factors) => {
                let [left, right] = [
                    self.expression(at, &factors[0])?,
                    self.expression(at, &factors[1])?,
                ];
                self.pairwise(at, &left, &right, |this, pair| this.product(at, pair))
            }
            Expression::Call(call) => self.call(call),
        }
    }

    fn slice(
        &mut self,
        at: Place,
        row: &Value,
        ends: [Option<&Index>; 2],
        step: Option<&Index>,
    ) -> ElaborationResult<Value> {
        let slots = row.slots();
        let count = slots.len() as i64;
        let end = |index: Option<&Index>, plain| {
            index.map_or(Ok(plain), |index| {
                self.scope.number_within(at, index, 0, count)
            })
        };
        let [from, to] = [end(ends[0], 0)?, end(ends[1], count)?];
        let step = step.map_or(Ok(1), |step| {
            self.scope.number_within(at, step, 1, MOST_STEPS as i64)
        })?;
        if from >= to {
            return wrong(at, format!("a range with an element, found {from}..{to}"));
        }
        let chosen = slots[from as usize..to as usize]
            .iter()
            .step_by(step as usize);
        let chosen = chosen.copied().collect();
        self.row_of(at, chosen)
    }

    /// One value for each pair of elements; one value meets each element of a row.
    pub(super) fn pairwise(
        &mut self,
        at: Place,
        left: &Value,
        right: &Value,
        mut make: impl FnMut(&mut Self, [Slot; 2]) -> ElaborationResult<Slot>,
    ) -> ElaborationResult<Value> {
        let pairs: Vec<[Slot; 2]> = match (left, right) {
            (Value::One(x), Value::One(y)) => return make(self, [*x, *y]).map(Value::One),
            (Value::One(x), Value::Row(row)) => row.iter().map(|y| [*x, *y]).collect(),
            (Value::Row(row), Value::One(y)) => row.iter().map(|x| [*x, *y]).collect(),
            (Value::Row(x), Value::Row(y)) if x.len() == y.len() => {
                x.iter().zip(y.iter()).map(|(x, y)| [*x, *y]).collect()
            }
            (Value::Row(x), Value::Row(y)) => {
                return wrong(
                    at,
                    format!("rows of one length, found {} and {}", x.len(), y.len()),
                );
            }
        };
        self.row(at, pairs.into_iter(), |this, pair| make(this, pair))
    }

    /// A row with what `make` returns for each element.
    pub(super) fn row<T>(
        &mut self,
        at: Place,
        elements: impl Iterator<Item = T>,
        mut make: impl FnMut(&mut Self, T) -> ElaborationResult<Slot>,
    ) -> ElaborationResult<Value> {
        let label = self.label;
        let mut row = Vec::new();
        for (index, element) in elements.enumerate() {
            self.label.1 = label.1.or(Some(index));
            row.push(make(self, element)?);
        }
        self.label = label;
        self.row_of(at, row)
    }

    /// The value that `make` returns for each element of `value`.
    pub(super) fn each(
        &mut self,
        at: Place,
        value: &Value,
        mut make: impl FnMut(&mut Self, Slot) -> ElaborationResult<Slot>,
    ) -> ElaborationResult<Value> {
        match value {
            Value::One(slot) => make(self, *slot).map(Value::One),
            Value::Row(row) => self.row(at, row.iter(), |this, slot| make(this, *slot)),
        }
    }

    /// The elements of all arguments, one after the other.
    pub(super) fn all(&mut self, call: &Call) -> ElaborationResult<Vec<Slot>> {
        let mut all = Vec::new();
        for argument in &call.arguments {
            let value = self.expression(call.place, argument)?;
            self.count_values(call.place, value.slots().len())?;
            all.extend_from_slice(value.slots());
        }
        if all.is_empty() {
            return wrong(
                call.place,
                format!("a value in `{}()`", call.function.word()),
            );
        }
        Ok(all)
    }

    /// The only argument.
    pub(super) fn only(&mut self, call: &Call) -> ElaborationResult<Value> {
        match &call.arguments[..] {
            [only] => self.expression(call.place, only),
            all => wrong(
                call.place,
                format!(
                    "one value in `{}`, found {}",
                    call.function.word(),
                    all.len()
                ),
            ),
        }
    }

    fn call(&mut self, call: &Call) -> ElaborationResult<Value> {
        let options = CallOptions::of(call)?;
        let at = call.place;
        match call.function {
            Function::Row if call.arguments.is_empty() => Ok(Value::Row(Rc::default())),
            Function::Row => Ok(Value::Row(Rc::new(self.all(call)?))),
            Function::Term => {
                let value = self.only(call)?;
                self.each(at, &value, |this, of| {
                    let term = this.options_of_term(of, &options)?;
                    this.term(at, term)
                })
            }
            Function::Flush => {
                let words = [("same", FlushedZero::SameSign), ("plus", FlushedZero::Plus)];
                let to = self.scope.meaning(&options, Keyword::Sign, &words)?;
                let value = self.only(call)?;
                self.each(at, &value, |this, of| {
                    let format = this.register(at, of)?;
                    if format.is_integer() {
                        let expected = format!("a floating-point register, found one of {format}");
                        return wrong(at, expected);
                    }
                    this.add(at, Action::Flush(of, to), ValueKind::Register(format))
                })
            }
            Function::Relu => {
                let value = self.only(call)?;
                self.each(at, &value, |this, of| {
                    let format = this.register(at, of)?;
                    this.needs_conversion(at, "`relu`");
                    this.add(at, Action::Positive(of), ValueKind::Register(format))
                })
            }
            Function::Greatest => self.greatest(call).map(Value::One),
            Function::Inverse => {
                let value = self.only(call)?;
                self.each(at, &value, |this, of| this.inverse(at, of))
            }
            Function::Zero => {
                let index = options.needed(Keyword::To)?;
                let format = self.scope.format(at, &index.to_string())?;
                if !format.is_integer() && !format.has_zero() {
                    return wrong(at, format!("a format with a zero, found {format}"));
                }
                self.add(at, Action::Constant(0), ValueKind::Register(format))
                    .map(Value::One)
            }
            Function::Normalise => {
                let value = self.only(call)?;
                self.each(at, &value, |this, of| this.normalised(at, of))
            }
            Function::Part => self.part(call, &options),
            Function::Differ => {
                let [left, right] = &call.arguments[..] else {
                    let found = call.arguments.len();
                    return wrong(at, format!("two values in `differ`, found {found}"));
                };
                let [left, right] = [self.expression(at, left)?, self.expression(at, right)?];
                self.pairwise(at, &left, &right, |this, pair| this.differ(at, pair))
            }
            Function::Cap | Function::Drop | Function::Scale => {
                let index = options.needed(Keyword::Exponent)?;
                let exponent = self.scope.number_within(at, index, -FARTHEST, FARTHEST)?;
                let value = self.only(call)?;
                self.each(at, &value, |this, of| {
                    let of = this.as_number(at, of)?;
                    let mut extent = this.extent(at, of)?;
                    let action = match call.function {
                        Function::Cap => Action::Cap { of, exponent },
                        Function::Scale => {
                            this.needs_conversion(at, "`scale`");
                            extent.lowest += exponent;
                            extent.highest += exponent;
                            Action::Scaled { of, exponent }
                        }
                        _ => Action::Drop { of, exponent },
                    };
                    this.add(at, action, ValueKind::Number(extent))
                })
            }
            Function::Miscount => self.miscount(call, &options),
            Function::Sum => {
                let words = [
                    ("none", SumZeros::None),
                    ("terms", SumZeros::Terms),
                    ("field", SumZeros::Field),
                ];
                let zeros = self.scope.meaning(&options, Keyword::Zeros, &words)?;
                let terms = self.numbers(call)?;
                self.exact_sum(at, terms, zeros).map(Value::One)
            }
            Function::Fuse => self.fuse(call, &options),
            Function::Align => wrong(at, "`align` within `fuse` alone"),
            Function::Replace => self.replace(call, &options).map(Value::One),
            Function::Run | Function::Split => {
                let word = call.function.word();
                wrong(at, format!("`{word}` in a composition alone"))
            }
            Function::Cut => self.cut(call, &options),
            Function::Round => self.round(call, &options),
            Function::Special => {
                let [of, rest @ ..] = &self.numbers(call)?[..] else {
                    return wrong(at, "a number in `special`");
                };
                let extent = self.extent(at, *of)?;
                let action = Action::Special {
                    of: *of,
                    from: rest.to_vec(),
                };
                self.add(at, action, ValueKind::Number(extent))
                    .map(Value::One)
            }
        }
    }

    /// `replace(d, x, y) nan CODE`.
    fn replace(&mut self, call: &Call, options: &CallOptions<'_>) -> ElaborationResult<Slot> {
        let at = call.place;
        let [of, from @ ..] = &self.all(call)?[..] else {
            return wrong(at, "a register in `replace`");
        };
        let format = self.register(at, *of)?;
        options.needed(Keyword::Nan)?;
        if self.kept_nan(options, &format)?.is_some() {
            return wrong(at, "a code behind `nan` of `replace`");
        }
        let register = match self.nan(options, &format)? {
            Nan::Code(code) => format.nan(code),
            Nan::First(_, register) => register,
        };
        let replace = Action::Replace {
            of: *of,
            from: from.to_vec(),
            register,
        };
        self.add(at, replace, ValueKind::Register(format))
    }

    /// The arguments as numbers.
    fn numbers(&mut self, call: &Call) -> ElaborationResult<Vec<Slot>> {
        let all = self.all(call)?;
        all.into_iter()
            .map(|slot| self.as_number(call.place, slot))
            .collect()
    }

    /// The registers of `first(x, y)`.
    pub(super) fn registers(
        &mut self,
        at: Place,
        choice: &[Expression],
    ) -> ElaborationResult<Vec<Slot>> {
        let mut all = Vec::new();
        for expression in choice {
            let value = self.expression(at, expression)?;
            self.count_values(at, value.slots().len())?;
            for slot in value.slots() {
                self.register(at, *slot)?;
                all.push(*slot);
            }
        }
        Ok(all)
    }

    /// The registers of which the first NaN is the NaN of a result, and the word or the number for any other code.
    pub(super) fn first<'t>(
        &mut self,
        options: &CallOptions<'t>,
    ) -> ElaborationResult<Option<(Vec<Slot>, &'t Index)>> {
        let at = options.place(Keyword::Nan);
        match options.get(Keyword::Nan) {
            Some(Choice::First {
                rule,
                registers,
                otherwise,
            }) => match self.scope.word(rule).as_deref() {
                Some("first") => Ok(Some((self.registers(options.at, registers)?, otherwise))),
                Some("none") => Ok(Some((Vec::new(), otherwise))),
                found => {
                    let found = found.map_or_else(|| rule.to_string(), str::to_owned);
                    wrong(
                        at,
                        format!("`nan` first or none, found `{}`", excerpt(&found)),
                    )
                }
            },
            // One code for every NaN.
            Some(Choice::Value(code))
                if matches!(self.scope.setting(at, code)?, Setting::Number(_)) =>
            {
                Ok(Some((Vec::new(), code)))
            }
            _ => Ok(None),
        }
    }
}
