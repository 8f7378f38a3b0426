//! The function `round`: from a number, or from an operation of IEEE 754 on registers.

use super::options::CallOptions;
use super::{ElaborationResult, Elaborator, Value, wrong};
use crate::machines::algorithms::FlushedResults;
use crate::machines::algorithms::descriptions::program::{
    Action, Integers, KeptNan, Nan, Round, RoundSource, Slot, Specials, SumZeros, ValueKind,
    ZeroSign,
};
use crate::machines::algorithms::descriptions::tree::{
    Call, Choice, Expression, Function, Index, Keyword, Place,
};
use mmasmt_numbers::float::{Format, NanCode, Overflow, Rounding, SpecialCodes, Stochastic};

/// The options of a call of `round`, with the format of its result.
#[derive(Clone)]
struct Rule {
    format: Format,
    round: Round,
    /// What of a NaN is kept.
    kept: Option<KeptNan>,
    /// The place of the option that says the code of a NaN, if it is given.
    nan: Option<Place>,
}

impl Rule {
    /// Whether an operation of IEEE 754 gives the result: the rounded exact one.
    fn is_ieee(&self) -> bool {
        let round = &self.round;
        (round.overflow, round.zero) == (Overflow::Ieee, ZeroSign::Ieee)
            && !self.format.is_integer()
            && round.by.reads_two_bits()
    }
}

impl Elaborator<'_> {
    pub(super) fn round(
        &mut self,
        call: &Call,
        options: &CallOptions<'_>,
    ) -> ElaborationResult<Value> {
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
                        return this.rounded(at, RoundSource::Multiply(pair), &rule, None);
                    }
                    let product = this.product(at, pair)?;
                    this.rounded(at, RoundSource::Number(product), &rule, None)
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
                        true => RoundSource::Register(slot),
                        false => RoundSource::Number(this.as_number(at, slot)?),
                    };
                    let is_register = matches!(this.kind(slot), ValueKind::Register(_));
                    this.rounded(at, of, &rule, is_register.then_some(slot))
                })
            }
        }
    }

    /// The rounded sum of the arguments: of two registers, or of a product of two and a third, an
    /// operation of IEEE 754; else of numbers.
    fn rounded_sum(&mut self, sum: &Call, rule: &Rule) -> ElaborationResult<Slot> {
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
                ([x], [y]) => Some(RoundSource::Add([*x, *y])),
                ([x, y], [z]) | ([z], [x, y]) => Some(RoundSource::Fma([*x, *y, *z])),
                _ => None,
            },
            _ => None,
        };
        let slots: Vec<Slot> = ones.iter().flatten().flatten().copied().collect();
        if let Some(source) = source.filter(|_| rule.is_ieee() && self.are_floats(&slots)) {
            return self.rounded(at, source, rule, None);
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
        self.rounded(at, RoundSource::Number(number), rule, None)
    }

    /// Whether all are registers of floating-point formats with a zero.
    fn are_floats(&self, slots: &[Slot]) -> bool {
        slots.iter().all(|slot| match self.kind(*slot) {
            ValueKind::Register(format) => !format.is_integer() && format.has_zero(),
            ValueKind::Number(_) => false,
        })
    }

    /// The step that rounds; `register` is the register that is rounded, if it is one.
    fn rounded(
        &mut self,
        at: Place,
        of: RoundSource,
        rule: &Rule,
        register: Option<Slot>,
    ) -> ElaborationResult<Slot> {
        if let (RoundSource::Number(slot), true) = (of, rule.format.is_integer()) {
            self.rounded_to_integer(at, slot, rule)?;
        }
        if !rule.format.is_integer() && !rule.format.has_zero() || rule.format.is_element() {
            self.needs_conversion(at, &format!("a result in {}", rule.format));
        }
        let kept_nan = match (rule.kept, register) {
            (None, _) => None,
            (Some(kept), Some(slot)) => Some((slot, kept)),
            (Some(_), None) => {
                return wrong(
                    at,
                    "a register that is rounded, for `nan kept` and `signed`",
                );
            }
        };
        let round = Round {
            of,
            kept_nan,
            ..rule.round.clone()
        };
        self.add(at, Action::Round(round), ValueKind::Register(rule.format))
    }

    /// Checks a number that is rounded to an integer: what is no integer needs words for what becomes of it.
    fn rounded_to_integer(&mut self, at: Place, slot: Slot, rule: &Rule) -> ElaborationResult<()> {
        let Rule { format, round, .. } = rule;
        let is_special = self.specials[slot as usize];
        if self.extent(at, slot)?.is_integer() && !is_special {
            return match rule.nan {
                None => Ok(()),
                Some(at) => {
                    let expected =
                        format!("a floating-point result with `nan`, found one in {format}");
                    wrong(at, expected)
                }
            };
        }
        if round.integers == Integers::Wrap {
            let expected = format!(
                "`overflow saturate` or `symmetric` where numbers that are no integers, or an infinity, become {format}"
            );
            return wrong(at, expected);
        }
        if is_special && !matches!(&round.nan, Nan::First(registers, _) if registers.is_empty()) {
            let expected =
                format!("`nan` with the code in {format} that a NaN becomes, such as `nan 0`");
            return wrong(at, expected);
        }
        if format.width() > MOST_INTEGER_BITS {
            let expected =
                format!("an integer of at most {MOST_INTEGER_BITS} bits, found {format}");
            return wrong(at, expected);
        }
        self.needs_conversion(at, "a number that is rounded to an integer");
        Ok(())
    }

    /// The register or number with the random bits of a stochastic rounding, if these are a value.
    fn random(&mut self, options: &CallOptions<'_>) -> ElaborationResult<Option<(Slot, Rounding)>> {
        let Some(Index::Name(name)) = options.value(Keyword::Random)? else {
            return Ok(None);
        };
        let Some(Value::One(slot)) = self.values.get(name) else {
            return Ok(None);
        };
        let slot = *slot;
        let at = options.place(Keyword::Random);
        let most = i64::from(Stochastic::MOST_BITS);
        let bits = self.scope.needed_number(options, Keyword::Bits, 1, most)? as u32;
        let width = match self.kind(slot) {
            ValueKind::Register(format) if format.is_integer() => format.width(),
            ValueKind::Register(format) => {
                return wrong(
                    at,
                    format!("random bits of integers, found `{name}` in {format}"),
                );
            }
            ValueKind::Number(extent) => extent.width,
        };
        if width < bits {
            return wrong(at, format!("{bits} random bits, found `{name}` of {width}"));
        }
        self.needs_conversion(at, "random bits that are an operand");
        Ok(Some((slot, Rounding::Sr(Stochastic { bits, random: 0 }))))
    }

    fn rule(&mut self, options: &CallOptions<'_>) -> ElaborationResult<Rule> {
        let at = options.at;
        let to = options.needed(Keyword::To)?;
        let format = self.scope.format(at, &to.to_string())?;
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
            ("ieee", ZeroSign::Ieee),
            ("plus", ZeroSign::Plus),
            ("shared", ZeroSign::Shared),
            ("total", ZeroSign::Total),
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
        if matches!(nan, Nan::First(..)) && !format.has_nan() && !format.is_integer() {
            self.needs_conversion(options.place(Keyword::Nan), "a number in place of a NaN");
        }
        let specials = self.specials(options, &format)?;
        if specials == Specials::None && matches!(nan, Nan::First(..)) {
            let expected = format!("a format with NaNs for `nan`, found {format} without specials");
            return wrong(options.place(Keyword::Nan), expected);
        }
        let (random, by) = match self.random(options)? {
            Some((slot, by)) => (Some(slot), by),
            None => (None, self.scope.rounding(options)?),
        };
        let round = Round {
            of: RoundSource::Number(0),
            by,
            fraction: fraction as u32,
            tiny: self.scope.meaning(options, Keyword::Tiny, &tiny)?,
            overflow,
            integers,
            zero: self.scope.meaning(options, Keyword::Sign, &zero)?,
            nan,
            specials,
            random,
            kept_nan: None,
        };
        let kept = self.kept_nan(options, &format)?;
        Ok(Rule {
            format,
            round,
            kept,
            nan: options
                .get(Keyword::Nan)
                .map(|_| options.place(Keyword::Nan)),
        })
    }

    /// What the result keeps of a NaN, where a word says so.
    pub(super) fn kept_nan(
        &mut self,
        options: &CallOptions<'_>,
        format: &Format,
    ) -> ElaborationResult<Option<KeptNan>> {
        let Some(Choice::Value(index)) = options.get(Keyword::Nan) else {
            return Ok(None);
        };
        let word = self.scope.word(index);
        let known = KEPT.iter().find(|(name, _)| word.as_deref() == Some(name));
        let Some((name, kept)) = known else {
            return Ok(None);
        };
        let at = options.place(Keyword::Nan);
        if format.has_nan() == (*kept == KeptNan::OppositeZero) {
            let which = if format.has_nan() { "without" } else { "with" };
            return wrong(
                at,
                format!("a format {which} NaNs for `nan {name}`, found {format}"),
            );
        }
        self.needs_conversion(at, &format!("`nan {name}`"));
        Ok(Some(*kept))
    }

    /// The rule for the code of a NaN.
    pub(super) fn nan(
        &mut self,
        options: &CallOptions<'_>,
        format: &Format,
    ) -> ElaborationResult<Nan> {
        let at = options.at;
        let quiet = format.nan(NanCode::Quiet);
        let Some((registers, otherwise)) = self.first(options)? else {
            let word = options.value(Keyword::Nan)?;
            let word = word.and_then(|index| self.scope.word(index));
            if KEPT.iter().any(|(name, _)| word.as_deref() == Some(name)) {
                return Ok(Nan::Code(NanCode::Quiet));
            }
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
    fn overflow(
        &mut self,
        options: &CallOptions<'_>,
        format: &Format,
    ) -> ElaborationResult<(Overflow, Integers)> {
        if !format.is_integer() {
            let words = [
                ("ieee", Overflow::Ieee),
                ("infinity", Overflow::Infinity),
                ("saturate", Overflow::Greatest),
                ("clamp", Overflow::Clamp),
            ];
            let overflow = self.scope.meaning(options, Keyword::Overflow, &words)?;
            if overflow == Overflow::Clamp {
                self.needs_conversion(options.place(Keyword::Overflow), "`overflow clamp`");
            }
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

/// What of a NaN is kept, in words.
const KEPT: [(&str, KeptNan); 4] = [
    ("opposite_zero", KeptNan::OppositeZero),
    ("kept", KeptNan::Payload),
    ("signed", KeptNan::Sign(NanCode::Quiet)),
    ("signed_ones", KeptNan::Sign(NanCode::Ones)),
];

/// The most bits of an integer that other numbers are rounded to.
const MOST_INTEGER_BITS: u32 = 32;

/// Refuses options that integers have no use for: they have one zero, and no results below the normal numbers.
fn no_option_of_floats(options: &CallOptions<'_>, format: &Format) -> ElaborationResult<()> {
    let floats = [
        Keyword::Fraction,
        Keyword::Tiny,
        Keyword::Sign,
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
