//! Runs of the unit, parts of factors, and calculations of the processor.

use super::super::program::{Parts, RecipeAction, RecipeRows, calculation};
use super::{Elaborator, Factors, Value};
use crate::machines::algorithms::descriptions::{
    Call, CallOption, CallOptions, Choice, ElaborationResult, Expression, Function, Index, Keyword,
    Place, Slot, Steps, wrong,
};
use crate::machines::sums::{Operator, PartRounding};
use mmasmt_numbers::float::{Format, Rounding};

/// The most products of all runs together.
const MOST_PRODUCTS: usize = 1 << 24;
/// The greatest exponent of the power of two by which a rest is scaled.
const FARTHEST: i64 = 126;

impl Elaborator<'_> {
    pub(super) fn call(&mut self, call: &Call) -> ElaborationResult<Value> {
        let at = call.place;
        let options = CallOptions::of(call)?;
        match call.function {
            Function::Run => self.run(call).map(Value::One),
            Function::Split => self.split(call, &options).map(Value::Factors),
            Function::Round => self.round(call, &options).map(Value::One),
            Function::Zero => {
                let to = options.needed(Keyword::To)?;
                let format = self.scope.format(at, &to.to_string())?;
                self.add(at, format, RecipeAction::Constant(0))
                    .map(Value::One)
            }
            Function::Scale => self.scaled(call, &options).map(Value::One),
            Function::Row => {
                let mut all = Vec::new();
                for argument in &call.arguments {
                    all.extend(self.row(at, argument)?);
                }
                Ok(Value::Row(all))
            }
            other => {
                let word = other.word();
                wrong(
                    at,
                    format!(
                        "run, round, split, scale, zero or row, found `{word}`, which is of units"
                    ),
                )
            }
        }
    }

    /// `run(a[0..8] * b[0..8], c)`: the unit sums products, from +0 if no sum is given.
    fn run(&mut self, call: &Call) -> ElaborationResult<Slot> {
        let at = call.place;
        let (products, from) = match &call.arguments[..] {
            [products] => (products, None),
            [products, from] => (products, Some(from)),
            all => {
                return wrong(
                    at,
                    format!("products and perhaps a sum, found {} values", all.len()),
                );
            }
        };
        let Value::Products([a, b]) = self.expression(at, products)? else {
            return wrong(at, "products such as `a[0..8] * b[0..8]`");
        };
        let from = match from {
            Some(from) => self.sum_of(at, from)?,
            None => self.add(at, self.unit.d, RecipeAction::Constant(0))?,
        };
        if self.format(from) != self.unit.c {
            let found = self.format(from);
            return wrong(
                at,
                format!("a sum in {}, found one in {found}", self.unit.c),
            );
        }
        self.products += a.places.len();
        if self.products > MOST_PRODUCTS {
            return wrong(at, format!("at most {MOST_PRODUCTS} products in all runs"));
        }
        let rows = match (a.part, b.part) {
            (Some(a), Some(b)) => RecipeRows::Parts([(a, 0), (b, 0)]),
            _ if self.chains.is_empty() => RecipeRows::Factors,
            _ => return wrong(at, "parts of `a` and `b`, as one of them is split"),
        };
        let places = a.places;
        let is_range = places.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if rows != RecipeRows::Factors && !is_range {
            return wrong(at, "neighbouring products of parts");
        }
        let run = RecipeAction::Run {
            rows,
            products: places,
            from,
        };
        self.add(at, self.unit.d, run)
    }

    /// `split(a) to f16 by rz`, and `split(a, high) to f16 shift 11`: what is left beside the parts before.
    fn split(&mut self, call: &Call, options: &CallOptions<'_>) -> ElaborationResult<Factors> {
        let at = call.place;
        let [of, before @ ..] = &call.arguments[..] else {
            return wrong(at, "`a` or `b` to split");
        };
        let Value::Factors(of) = self.expression(at, of)? else {
            return wrong(at, "`a` or `b` to split");
        };
        let before = match before {
            [] => None,
            [.., last] => Some(self.expression(at, last)?),
        };
        let format = self
            .scope
            .format(at, &options.needed(Keyword::To)?.to_string())?;
        let words = [
            ("rne", PartRounding::Rne),
            ("rna", PartRounding::Rna),
            ("rz", PartRounding::Rz),
            ("finite", PartRounding::RneFinite),
            ("none", PartRounding::None),
        ];
        let by = self.scope.meaning(options, Keyword::By, &words)?;
        if !by.is_known(&format) || !Format::F32.has_all_of(&format) {
            return wrong(
                at,
                format!("a format that f32 is rounded to so, found {format}"),
            );
        }
        let scale = self
            .scope
            .number_of(options, Keyword::Shift, -FARTHEST, FARTHEST)?;
        let mut chain = Parts {
            side: of.side,
            format,
            parts: Vec::new(),
            scale: scale.unwrap_or(0) as i32,
        };
        if let Some(before) = before {
            let known = match &before {
                Value::Factors(own) => own.part.map(|part| &self.chains[part]),
                _ => None,
            };
            let known = known.filter(|known| (known.side, known.format) == (of.side, format));
            let Some(known) = known else {
                return wrong(
                    at,
                    "parts of the same factors in the same format before this part",
                );
            };
            chain.parts.clone_from(&known.parts);
            // Every part leaves a rest that is scaled alike.
            if known.parts.len() > 1 {
                if scale.is_some_and(|scale| scale != i64::from(known.scale)) {
                    return wrong(at, format!("shift {}, as of the part before", known.scale));
                }
                chain.scale = known.scale;
            }
        }
        chain.parts.push((self.label.0, by));
        self.chains.push(chain);
        Ok(Factors {
            part: Some(self.chains.len() - 1),
            ..of
        })
    }

    /// An operation of IEEE 754 on sums, or a conversion.
    fn round(&mut self, call: &Call, options: &CallOptions<'_>) -> ElaborationResult<Slot> {
        let at = call.place;
        for CallOption { keyword, place, .. } in &call.options {
            if !matches!(keyword, Keyword::To | Keyword::By | Keyword::Overflow) {
                return wrong(
                    *place,
                    format!("to, by or overflow, found `{}`", keyword.word()),
                );
            }
        }
        let [argument] = &call.arguments[..] else {
            return wrong(
                at,
                format!("one value in `round`, found {}", call.arguments.len()),
            );
        };
        let by = self.scope.rounding(options)?;
        let (operation, operands) = match argument {
            Expression::Product(factors) => {
                let [x, y] = [self.sum_of(at, &factors[0])?, self.sum_of(at, &factors[1])?];
                (Operator::Multiply(by), vec![x, y])
            }
            Expression::Call(sum) if sum.function == Function::Sum => match &sum.arguments[..] {
                [Expression::Product(factors), z] | [z, Expression::Product(factors)] => {
                    let [x, y] = [self.sum_of(at, &factors[0])?, self.sum_of(at, &factors[1])?];
                    (Operator::Fma(by), vec![x, y, self.sum_of(at, z)?])
                }
                [x, y] => {
                    let operands = vec![self.sum_of(at, x)?, self.sum_of(at, y)?];
                    (Operator::Add(by), operands)
                }
                all => return wrong(at, format!("two summands, found {}", all.len())),
            },
            other => return self.converted(at, options, by, other),
        };
        let format = self.format(operands[0]);
        if let Some(other) = operands.iter().find(|slot| self.format(**slot) != format) {
            let found = self.format(*other);
            return wrong(
                at,
                format!("sums of one format, found {format} and {found}"),
            );
        }
        if let Some(to) = options.value(Keyword::To)? {
            let to = self.scope.format(at, &to.to_string())?;
            if to != format {
                return wrong(
                    at,
                    format!("the format of the operands, {format}, found {to}"),
                );
            }
        }
        self.add(
            at,
            format,
            RecipeAction::Calculate(calculation(format, operation), operands),
        )
    }

    fn converted(
        &mut self,
        at: Place,
        options: &CallOptions<'_>,
        by: Rounding,
        of: &Expression,
    ) -> ElaborationResult<Slot> {
        let to = self
            .scope
            .format(at, &options.needed(Keyword::To)?.to_string())?;
        if by != Rounding::Rne {
            return wrong(at, format!("a conversion by rne, found {by}"));
        }
        let operation = match options.get(Keyword::Overflow) {
            None => Operator::Convert(to),
            Some(Choice::Value(Index::Name(word))) if word == "saturate" => Operator::Saturate(to),
            Some(_) => return wrong(at, "`overflow saturate`, or none"),
        };
        let slot = self.sum_of(at, of)?;
        let calculation = calculation(self.format(slot), operation);
        self.add(at, to, RecipeAction::Calculate(calculation, vec![slot]))
    }

    /// `scale(x) exponent -11`: times a power of two.
    fn scaled(&mut self, call: &Call, options: &CallOptions<'_>) -> ElaborationResult<Slot> {
        let at = call.place;
        let [of] = &call.arguments[..] else {
            return wrong(at, "one sum in `scale`");
        };
        let slot = self.sum_of(at, of)?;
        let format = self.format(slot);
        let exponent = options.needed(Keyword::Exponent)?;
        let [least, most] = [format.min_exponent(), format.max_exponent()].map(i64::from);
        let exponent = self.scope.number_within(at, exponent, least, most)?;
        let power = format.register(exponent as i32, 0, false);
        let power = self.add(at, format, RecipeAction::Constant(power))?;
        let multiply = calculation(format, Operator::Multiply(Rounding::Rne));
        self.add(
            at,
            format,
            RecipeAction::Calculate(multiply, vec![slot, power]),
        )
    }
}
