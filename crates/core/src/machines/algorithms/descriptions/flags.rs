//! The exception flags of a unit, as IEEE 754 has them: what each step raises, joined by OR.
//!
//! | flag | when |
//! | --- | --- |
//! | `NV` | a signalling NaN is read; infinities of both signs are added; zero is multiplied by an infinity |
//! | `OF` | a result, rounded with any exponent, is beyond the greatest number |
//! | `UF` | a result below the normal numbers is inexact, or is flushed |
//! | `NX` | a result is not the exact number; alignment or a cut loses a one, unless cuts are silent |
//!
//! Registers of flags have the bits of RISC-V's `fflags` and of SoftFloat: NX 1, UF 2, OF 4, DZ 8, NV 16. No step divides.

use super::lost::{is_exact_unless_cut, lost};
use super::number::ExactNumber;
use super::program::{Action, Nan, Program, ProgramNode, Round, RoundSource, Slot, ValueKind};
use super::round::{RoundingInput, RoundingOperands, round};
use super::run::{RunValue, RunValues};
use crate::machines::algorithms::{
    Description, DotAdd, FlushedResults, Operands, Signature, Stages,
};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_numbers::float::{
    Format, NanCode, Overflow, Rounding, SpecialCodes, UnpackedRegister, unpack,
};

/// The exception flags that a unit raises: its operands, and the flags as its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    unit: Description,
    tininess: Tininess,
    cuts: CutFlags,
}

/// The rule for NX where alignment or a cut loses a set bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CutFlags {
    /// NX is raised.
    Raised,
    /// NX is left to the rounding after it.
    Silent,
}

/// When a result counts as below the normal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tininess {
    /// After it is rounded with any exponent (x86, RISC-V).
    After,
    /// Before it is rounded (Arm).
    Before,
}

/// The flags, in the order of their bits.
pub const NAMES: [&str; 5] = ["NX", "UF", "OF", "DZ", "NV"];

impl Flags {
    /// The flags of a unit; where a step does not say when its results are tiny, `tininess` does.
    ///
    /// # Errors
    /// The step whose flags are not defined, in words.
    pub fn of(unit: Description, tininess: Tininess, cuts: CutFlags) -> Result<Flags, String> {
        let program = unit.program();
        let mut nodes = program.nodes.iter();
        match nodes.find_map(|node| undefined(program, node)) {
            None => Ok(Flags {
                unit,
                tininess,
                cuts,
            }),
            Some(found) => Err(found),
        }
    }

    /// The unit.
    pub fn unit(&self) -> &Description {
        &self.unit
    }

    /// When a result counts as below the normal numbers.
    pub fn tininess(&self) -> Tininess {
        self.tininess
    }

    /// The rule for NX of cuts.
    pub fn cuts(&self) -> CutFlags {
        self.cuts
    }
}

/// The action of a step whose flags are not defined, in words.
fn undefined(program: &Program, node: &ProgramNode) -> Option<String> {
    let what = match &node.action {
        Action::Operand(..) | Action::Constant(_) | Action::Flush(..) | Action::Positive(_) => {
            return None;
        }
        Action::Greatest(_) | Action::Inverse(_) | Action::Scaled { .. } => return None,
        Action::Term(_) | Action::Product(_) | Action::Normalise(_) | Action::Sum { .. } => {
            return None;
        }
        Action::Round(round) => {
            let is_number = |slot: &Slot| program.extent(*slot).is_integer();
            let is_float = matches!(node.kind, ValueKind::Register(format) if !format.is_integer());
            match (&round.of, is_float) {
                _ if !round.by.reads_two_bits() => "a stochastic rounding",
                (RoundSource::Number(of), false) if !is_number(of) => "a rounding to integers",
                _ => return None,
            }
        }
        Action::Fuse(step) if is_exact_unless_cut(step) => return None,
        Action::Cut(_) => return None,
        Action::Fuse(_) => "a `fuse` with `carry`, `negate` or `vanish`",
        Action::Part { .. } => "`part`",
        Action::Cap { .. } => "`cap`",
        Action::Drop { .. } => "`drop`",
        Action::Miscount { .. } => "`miscount`",
        Action::Special { .. } => "`special`",
        Action::Replace { .. } => "`replace`",
        Action::Differ(_) => "`differ`",
    };
    let name = node.name;
    Some(format!("{what}, of `{name}`"))
}

impl DotAdd for Flags {
    fn signature(&self) -> Signature {
        Signature {
            d: Format::FLAGS,
            ..self.unit.signature()
        }
    }

    fn nan(&self) -> NanCode {
        NanCode::Quiet
    }

    fn reads_c(&self) -> bool {
        self.unit.reads_c()
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, _: &mut Stages<B>) -> B {
        let program = self.unit.program();
        let mut values = RunValues::of(program);
        let mut raised = RaisedFlags::default();
        let mut unseen = Stages::forgotten();
        for (slot, node) in program.nodes.iter().enumerate() {
            let value = program.step(&mut values, slot, node, operands, &mut unseen);
            raised.by_step(&values, node, &value, self.tininess);
            if let (CutFlags::Raised, RunValue::Number(made)) = (self.cuts, &value) {
                raised.inexact.extend(lost(&values, node, made));
            }
            values.all.push(value);
        }
        raised.register()
    }
}

/// The conditions under which each flag is raised.
struct RaisedFlags<B: Bv> {
    invalid: Vec<B::Bool>,
    overflow: Vec<B::Bool>,
    underflow: Vec<B::Bool>,
    inexact: Vec<B::Bool>,
}

impl<B: Bv> Default for RaisedFlags<B> {
    fn default() -> Self {
        let none = Vec::new;
        RaisedFlags {
            invalid: none(),
            overflow: none(),
            underflow: none(),
            inexact: none(),
        }
    }
}

impl<B: Bv> RaisedFlags<B> {
    fn register(self) -> B {
        let flag = |conditions: Vec<B::Bool>| B::from_prop(1, &B::Bool::any(conditions));
        let division_by_zero = B::lit(1, 0);
        flag(self.invalid)
            .concat(&division_by_zero)
            .concat(&flag(self.overflow))
            .concat(&flag(self.underflow))
            .concat(&flag(self.inexact))
    }

    fn by_step(
        &mut self,
        values: &RunValues<'_, B>,
        node: &ProgramNode,
        value: &RunValue<B>,
        tininess: Tininess,
    ) {
        match (&node.action, value) {
            (Action::Term(term), _) => {
                if let RunValue::Register(_) = &values.all[term.of as usize] {
                    let (bits, format) = values.register(term.of);
                    self.invalid.push(is_signalling(&format, bits));
                }
            }
            (Action::Product(slots), RunValue::Number(made)) => self.new_nan(values, slots, made),
            (Action::Sum { terms, .. }, RunValue::Number(made)) => {
                self.new_nan(values, terms, made)
            }
            (Action::Fuse(step), RunValue::Number(made)) => {
                let terms: Vec<Slot> = step.terms.iter().map(|term| term.of).collect();
                self.new_nan(values, &terms, made);
            }
            (Action::Round(step), RunValue::Register(register)) => {
                if let ValueKind::Register(format) = node.kind
                    && !format.is_integer()
                {
                    self.by_rounding(values, step, (&format, register), tininess);
                }
            }
            _ => {}
        }
    }

    /// A number that is a NaN although none of those that it is made of is one.
    fn new_nan(&mut self, values: &RunValues<'_, B>, of: &[Slot], made: &ExactNumber<B>) {
        let is_nan = of.iter().map(|slot| match &values.all[*slot as usize] {
            RunValue::Number(number) => number.special.nan.clone(),
            RunValue::Register(_) => {
                let (bits, format) = values.register(*slot);
                unpack(&format, bits).nan
            }
        });
        let had_one = B::Bool::any(is_nan.collect::<Vec<_>>());
        self.invalid.push(made.special.nan.and(&had_one.not()));
    }

    fn by_rounding(
        &mut self,
        values: &RunValues<'_, B>,
        step: &Round,
        (format, register): (&Format, &B),
        tininess: Tininess,
    ) {
        let of = values.rounded(step);
        self.of_operation(&of);
        let rounded = |by: Rounding, format: &Format| {
            let plain = Round {
                by,
                tiny: FlushedResults::Kept,
                overflow: Overflow::Ieee,
                nan: Nan::Code(NanCode::Quiet),
                kept_nan: None,
                random: None,
                ..step.clone()
            };
            round(&plain, &of, format, &RoundingOperands::nothing())
        };
        let target = format.with_fraction(step.fraction);
        let [below, above] = [Rounding::Rz, Rounding::Ra].map(|by| rounded(by, format));
        let is_inexact = below.equals(&above).not();
        // Exponents that no number here exceeds.
        let wide = format.with_more_range();
        let unlimited = rounded(step.by, &wide);
        let x = unpack(&target, &below);
        let magnitude = magnitude(&wide, &unlimited);
        let place = |field: i64| {
            let field = field + i64::from(wide.bias() - format.bias());
            B::lit(magnitude.width(), (field as u64) << format.fraction_bits)
        };
        let greatest = place(0).add(&B::lit(magnitude.width(), format.max_finite()));
        let is_number = x.nan.or(&x.infinite).not();
        let is_beyond = greatest.ult(&magnitude).and(&is_number);
        let tininess = match step.tiny {
            FlushedResults::BeforeRounding => Tininess::Before,
            FlushedResults::AfterRounding => Tininess::After,
            FlushedResults::Kept | FlushedResults::Register => tininess,
        };
        let is_tiny = match tininess {
            Tininess::After => magnitude.ult(&place(1)),
            Tininess::Before => {
                let least_normal = B::lit(format.code_bits(), 1 << format.fraction_bits);
                code(format, &below).ult(&least_normal)
            }
        };
        // A flushed result is inexact, unless it was a zero.
        let is_flushed = match step.tiny {
            FlushedResults::Kept => B::Bool::constant(false),
            _ => {
                let became_zero = code(format, register).is_zero();
                became_zero.and(&code(format, &above).is_zero().not())
            }
        };
        let is_tiny = is_tiny.and(&is_number);
        let is_lost = is_inexact.or(&is_flushed.and(&is_tiny));
        self.overflow.push(is_beyond.clone());
        self.underflow.push(is_tiny.and(&is_lost));
        self.inexact.push(is_lost.or(&is_beyond));
    }

    /// The flags that an operation of IEEE 754 on registers raises before it rounds.
    fn of_operation(&mut self, of: &RoundingInput<'_, B>) {
        let read = |(bits, format): &(&B, Format)| unpack(format, *bits);
        let mut signalling = |registers: &[(&B, Format)]| {
            let each = registers
                .iter()
                .map(|(bits, format)| is_signalling(format, *bits));
            self.invalid.extend(each);
        };
        match of {
            RoundingInput::Number(..) => {}
            RoundingInput::Register(bits, format) => signalling(&[(*bits, *format)]),
            RoundingInput::Add(pair) => {
                signalling(pair);
                let [x, y] = pair.each_ref().map(read);
                let opposite = x.infinite.and(&y.infinite).and(&x.sign.xor(&y.sign));
                self.invalid.push(opposite);
            }
            RoundingInput::Multiply(pair) => {
                signalling(pair);
                let [x, y] = pair.each_ref().map(read);
                self.invalid.push(is_undefined(&x, &y));
            }
            RoundingInput::Fma(all) => {
                signalling(all);
                let [x, y, z] = all.each_ref().map(read);
                let product = x.infinite.or(&y.infinite);
                let is_nan = x.nan.or(&y.nan).or(&z.nan);
                let opposite = x.sign.xor(&y.sign).xor(&z.sign);
                let cancels = product.and(&z.infinite).and(&opposite);
                // A NaN that is quiet comes before the undefined product.
                self.invalid.push(is_undefined(&x, &y).and(&z.nan.not()));
                self.invalid.push(cancels.and(&is_nan.not()));
            }
        }
    }
}

/// Zero times infinity.
fn is_undefined<B: Bv>(x: &UnpackedRegister<B>, y: &UnpackedRegister<B>) -> B::Bool {
    x.infinite.and(&y.zero).or(&x.zero.and(&y.infinite))
}

/// True for a NaN whose quiet bit is not set.
fn is_signalling<B: Bv>(format: &Format, bits: &B) -> B::Bool {
    if format.is_integer() || format.specials != SpecialCodes::Ieee {
        return B::Bool::constant(false);
    }
    let quiet = bits.bit(format.bits_below_field() - 1);
    unpack(format, bits).nan.and(&quiet.not())
}

/// Exponent field and fraction of a register, without bits that nothing reads.
fn magnitude<B: Bv>(format: &Format, bits: &B) -> B {
    bits.extract(format.width_below_sign() - 1, format.unread_bits())
}

/// The same, as wide as the codes of the format are.
fn code<B: Bv>(format: &Format, bits: &B) -> B {
    let magnitude = magnitude(format, bits);
    let width = format.code_bits();
    match width > magnitude.width() {
        true => magnitude.zext(width),
        false => magnitude,
    }
}
