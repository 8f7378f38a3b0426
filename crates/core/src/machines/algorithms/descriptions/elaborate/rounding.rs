//! The function `round`: from a number, or from an operation of IEEE 754 on registers.

use super::options::Options;
use super::{Elaborated, Elaborator, Value, not_of_factors, wrong};
use crate::machines::algorithms::FlushedResults;
use crate::machines::algorithms::descriptions::program::{
    Action, Integers, Kind, Nan, Round, Slot, Source, Specials, SumZeros, ZeroRule,
};
use crate::machines::algorithms::descriptions::tree::{Call, Expression, Function, Keyword, Place};
use crate::numbers::float::{Format, NanCode, Overflow, SpecialCodes};

/// The options of a call of `round`, with the format of its result.
#[derive(Clone)]
struct Rule {
    format: Format,
    round: Round,
}

impl Rule {
    /// Whether an operation of IEEE 754 gives the result: the rounded exact one.
    fn is_ieee(&self) -> bool {
        let round = &self.round;
        (round.overflow, round.zero) == (Overflow::Ieee, ZeroRule::Ieee)
            && !self.format.is_integer()
            && round.by.reads_two_bits()
    }
}

impl Elaborator<'_> {
    pub(super) fn round(&mut self, call: &Call, options: &Options<'_>) -> Elaborated<Value> {
        let at = call.place;
        let rule = self.rule(options)?;
        let [argument] = &call.arguments[..] else {
            return wrong(
                at,
                format!("one value in `round`, found {}", call.arguments.len()),
            );
        };
        match argument {
            Expression::Product(factors) => {
                let [left, right] = [
                    self.expression(at, &factors[0])?,
                    self.expression(at, &factors[1])?,
                ];
                self.pairwise(at, &left, &right, |this, pair| {
                    if rule.is_ieee() && this.are_floats(&pair) {
                        return this.rounded(at, Source::Multiply(pair), &rule);
                    }
                    let product = this.product(at, pair)?;
                    this.rounded(at, Source::Number(product), &rule)
                })
            }
            Expression::Call(inner)
                if inner.function == Function::Sum && inner.options.is_empty() =>
            {
                self.rounded_sum(inner, &rule).map(Value::One)
            }
            other => {
                let value = self.expression(at, other)?;
                self.each(at, &value, |this, slot| {
                    let of = match rule.is_ieee() && this.are_floats(&[slot]) {
                        true => Source::Register(slot),
                        false => Source::Number(this.as_number(at, slot)?),
                    };
                    this.rounded(at, of, &rule)
                })
            }
        }
    }

    /// The rounded sum of the arguments: of two registers, or of a product of two and a third, an
    /// operation of IEEE 754; else of numbers.
    fn rounded_sum(&mut self, sum: &Call, rule: &Rule) -> Elaborated<Slot> {
        let at = sum.place;
        // Factors of products stay apart for a moment.
        let mut arguments: Vec<Vec<Value>> = Vec::new();
        for argument in &sum.arguments {
            arguments.push(match argument {
                Expression::Product(factors) => {
                    vec![
                        self.expression(at, &factors[0])?,
                        self.expression(at, &factors[1])?,
                    ]
                }
                other => vec![self.expression(at, other)?],
            });
        }
        let one = |value: &Value| match value {
            Value::One(slot) => Some(*slot),
            Value::Row(_) => None,
        };
        let ones: Vec<Option<Vec<Slot>>> = arguments
            .iter()
            .map(|values| values.iter().map(one).collect())
            .collect();
        let source = match &ones[..] {
            [Some(x), Some(y)] => match (&x[..], &y[..]) {
                ([x], [y]) => Some(Source::Add([*x, *y])),
                ([x, y], [z]) | ([z], [x, y]) => Some(Source::Fma([*x, *y, *z])),
                _ => None,
            },
            _ => None,
        };
        let slots: Vec<Slot> = ones.iter().flatten().flatten().copied().collect();
        if let Some(source) = source.filter(|_| rule.is_ieee() && self.are_floats(&slots)) {
            return self.rounded(at, source, rule);
        }
        let mut terms = Vec::new();
        for values in arguments {
            let value = match &values[..] {
                [left, right] => {
                    self.pairwise(at, left, right, |this, pair| this.product(at, pair))?
                }
                _ => values[0].clone(),
            };
            for slot in value.slots() {
                terms.push(self.as_number(at, *slot)?);
            }
        }
        let number = self.exact_sum(at, terms, SumZeros::None)?;
        self.rounded(at, Source::Number(number), rule)
    }

    /// Whether all are registers of floating-point formats with a zero.
    fn are_floats(&self, slots: &[Slot]) -> bool {
        slots.iter().all(|slot| match self.kind(*slot) {
            Kind::Register(format) => !format.is_integer() && format.has_zero(),
            Kind::Number(_) => false,
        })
    }

    fn rounded(&mut self, at: Place, of: Source, rule: &Rule) -> Elaborated<Slot> {
        if let (Source::Number(slot), true) = (of, rule.format.is_integer()) {
            let extent = self.extent(at, slot)?;
            if (extent.fraction, extent.lowest, extent.highest) != (0, 0, 0) {
                return wrong(at, format!("integers for a result in {}", rule.format));
            }
            if self.specials[slot as usize] {
                let expected = format!(
                    "a number that is never an infinity or a NaN for a result in {}",
                    rule.format
                );
                return wrong(at, expected);
            }
        }
        let round = Round {
            of,
            ..rule.round.clone()
        };
        self.add(at, Action::Round(round), Kind::Register(rule.format))
    }

    fn rule(&mut self, options: &Options<'_>) -> Elaborated<Rule> {
        let at = options.at;
        let to = options.needed(Keyword::To)?;
        let format = self.scope.format(at, &to.to_string())?;
        not_of_factors(at, &format, "results")?;
        if !format.is_integer() && !format.has_zero() {
            return wrong(at, format!("a format with a zero, found {format}"));
        }
        let tiny = [
            ("kept", FlushedResults::Kept),
            ("before", FlushedResults::BeforeRounding),
            ("after", FlushedResults::AfterRounding),
            ("register", FlushedResults::Register),
        ];
        if format.is_integer() {
            no_option_of_floats(options, &format)?;
        }
        let zero = [
            ("ieee", ZeroRule::Ieee),
            ("plus", ZeroRule::Plus),
            ("shared", ZeroRule::Shared),
            ("total", ZeroRule::Total),
        ];
        let (overflow, integers) = self.overflow(options, &format)?;
        let nan = self.nan(options, &format)?;
        let most = i64::from(format.fraction_bits);
        let fraction = self
            .scope
            .number_of(options, Keyword::Fraction, most.min(1), most)?
            .unwrap_or(most);
        if fraction < most && format.specials == SpecialCodes::NanOnly {
            let expected = format!("all {most} fraction bits of {format}, whose NaN needs them");
            return wrong(options.place(Keyword::Fraction), expected);
        }
        let specials = self.specials(options, &format)?;
        if specials == Specials::None && matches!(nan, Nan::First(..)) {
            let expected = format!("a format with NaNs for `nan`, found {format} without specials");
            return wrong(options.place(Keyword::Nan), expected);
        }
        let round = Round {
            of: Source::Number(0),
            by: self.scope.rounding(options)?,
            fraction: fraction as u32,
            tiny: self.scope.meaning(options, Keyword::Tiny, &tiny)?,
            overflow,
            integers,
            zero: self.scope.meaning(options, Keyword::Sign, &zero)?,
            nan,
            specials,
        };
        Ok(Rule { format, round })
    }

    /// The rule for the code of a NaN.
    pub(super) fn nan(&mut self, options: &Options<'_>, format: &Format) -> Elaborated<Nan> {
        let at = options.at;
        let quiet = format.nan(NanCode::Quiet);
        let Some((registers, otherwise)) = self.first(options)? else {
            let word = options.value(Keyword::Nan)?;
            let word = word.and_then(|index| self.scope.word(index));
            if word.as_deref() == Some("negative") {
                return Ok(Nan::First(Vec::new(), quiet | format.sign_mask()));
            }
            let codes = [
                ("quiet", NanCode::Quiet),
                ("ones", NanCode::Ones),
                ("any", NanCode::Any),
            ];
            return Ok(Nan::Code(self.scope.meaning(
                options,
                Keyword::Nan,
                &codes,
            )?));
        };
        let register = match self.scope.word(otherwise).as_deref() {
            Some("quiet") if registers.is_empty() => return Ok(Nan::Code(NanCode::Quiet)),
            Some("quiet") => quiet,
            Some("negative") => quiet | format.sign_mask(),
            _ => self.scope.number(at, otherwise)? as u64,
        };
        if format.width() < 64 && register >> format.width() != 0 {
            return wrong(at, format!("a register of {format}, found {register:#x}"));
        }
        Ok(Nan::First(registers, register))
    }

    /// The rule for results beyond the numbers of the format.
    fn overflow(&self, options: &Options<'_>, format: &Format) -> Elaborated<(Overflow, Integers)> {
        if !format.is_integer() {
            let words = [
                ("ieee", Overflow::Ieee),
                ("infinity", Overflow::Infinity),
                ("saturate", Overflow::Greatest),
            ];
            let overflow = self.scope.meaning(options, Keyword::Overflow, &words)?;
            return Ok((overflow, Integers::Wrap));
        }
        let words = [
            ("wrap", Integers::Wrap),
            ("saturate", Integers::Saturate),
            ("symmetric", Integers::Symmetric),
        ];
        let integers = self.scope.meaning(options, Keyword::Overflow, &words)?;
        if integers == Integers::Symmetric && !format.is_signed() {
            let expected =
                format!("a format with negative numbers for `symmetric`, found {format}");
            return wrong(options.place(Keyword::Overflow), expected);
        }
        Ok((Overflow::Ieee, integers))
    }
}

/// Refuses options that integers have no use for: they have one zero, and neither results below the
/// normal numbers nor NaNs.
fn no_option_of_floats(options: &Options<'_>, format: &Format) -> Elaborated<()> {
    let floats = [
        Keyword::Fraction,
        Keyword::Tiny,
        Keyword::Sign,
        Keyword::Nan,
        Keyword::Specials,
    ];
    for keyword in floats {
        if options.get(keyword).is_some() {
            let word = keyword.word();
            let expected = format!("a floating-point result with `{word}`, found one in {format}");
            return wrong(options.place(keyword), expected);
        }
    }
    Ok(())
}
