//! Compilation of a model to its programs: one program for any operands, and one for finite
//! operands.

use crate::machines::algorithms::{Inputs, Operand, Registers, Signature};
use crate::machines::model::Model;
use mmasmt_columns::tape::{Purpose, Tape};
use mmasmt_numbers::bits::ranged::{self, CAPACITY, RangedBits, RangedNodeId};
use mmasmt_numbers::bits::{Bv, HostOperations};
use mmasmt_numbers::float::{FlushedZero, Format, SpecialCodes, flush, unpack};

/// The operands that a program is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperandClass {
    /// All operands, including infinities and NaNs.
    Any,
    /// Operands that are neither infinities nor NaNs. For infinities and NaNs the result has no
    /// meaning.
    Finite,
    /// Finite operands whose factors are so small that no product overflows binary32. The tape has
    /// guards that say where a factor is larger.
    Ordinary,
}

/// The bits of the exponent of a format in which products may overflow binary32.
const EXPONENT_BITS: u32 = 8;

/// The greatest exponent of factors whose products are below the infinity of binary32.
const MOST_EXPONENT: i32 = f32::MAX_EXP / 2 - 1;

/// The most products that a program may have: a program with more products takes longer to make
/// than most users can wait.
pub(super) const MOST_PRODUCTS: u32 = 4096;

/// The tape of a model's result; `None` if the model needs wider words than a tape has, or has more
/// than [`MOST_PRODUCTS`] products.
pub(super) fn tape(
    model: &Model,
    operands: OperandClass,
    host: HostOperations,
    purpose: Purpose<'_>,
) -> Option<Tape> {
    let signature = model.signature();
    if model.widest() > CAPACITY || signature.products > MOST_PRODUCTS {
        return None;
    }
    let inputs = ranged::RangedInputs::with_host(host);
    let registers = registers(&signature, &inputs);
    if operands != OperandClass::Any {
        for (format, bits) in registers.each(&signature) {
            assume_finite(&inputs, &format, bits);
        }
    }
    let guards = match operands {
        OperandClass::Ordinary => assume_ordinary(&inputs, &signature, &registers),
        OperandClass::Any | OperandClass::Finite => Vec::new(),
    };
    let d = model.result_alone(&registers);
    let results = [&[inputs.node_of(&d)], &guards[..]].concat();
    let mut tape = Tape::made_for(purpose, &inputs.graph(), &results)?;
    tape.guards.extend(tape.results.split_off(1));
    Some(tape)
}

/// The tape that computes the model's result from any operands, for a processor with all operations
/// of IEEE 754. Its inputs are the registers in the order of
/// [`Registers::each`](crate::machines::algorithms::Registers::each). `None` if the model needs wider
/// words than a tape has, or has too many products.
pub fn tape_of_any_operands(model: &Model) -> Option<Tape> {
    let whole = tape(
        model,
        OperandClass::Any,
        HostOperations::All,
        Purpose::Whole,
    )?;
    Some(whole.fused())
}

/// A graph input for every register.
pub(super) fn registers(
    signature: &Signature,
    inputs: &ranged::RangedInputs,
) -> Registers<RangedBits> {
    let make = |format: &Format, _: &u64| inputs.input(format.width());
    Inputs::zero(signature).map(signature, make)
}

/// Tells the graph to assume that factors have no exponents above [`MOST_EXPONENT`]; the nodes that say
/// where one has.
fn assume_ordinary(
    inputs: &ranged::RangedInputs,
    signature: &Signature,
    registers: &Registers<RangedBits>,
) -> Vec<RangedNodeId> {
    let operands = signature.rows();
    let operands = operands.flat_map(|row| std::iter::repeat_n(row.operand, row.length));
    let mut guards = Vec::new();
    for ((format, bits), operand) in registers.each(signature).zip(operands) {
        let is_factor = matches!(operand, Operand::A | Operand::B);
        if is_factor && format.exponent_bits == EXPONENT_BITS {
            let most = (MOST_EXPONENT + format.bias()) as u64;
            let is_large = RangedBits::lit(EXPONENT_BITS, most).ult(&exponent_field(&format, bits));
            guards.push(inputs.node_of_truth(&is_large));
            inputs.assume(&is_large, false);
        }
    }
    guards
}

/// The exponent field of a register.
fn exponent_field(format: &Format, bits: &RangedBits) -> RangedBits {
    let low = format.dropped_bits + format.fraction_bits;
    bits.extract(low + format.exponent_bits - 1, low)
}

/// Tells the graph to assume that the register is neither an infinity nor a NaN: every condition by
/// which the algorithms test for an infinity or a NaN is assumed to be false.
fn assume_finite(inputs: &ranged::RangedInputs, format: &Format, bits: &RangedBits) {
    let mut registers = vec![bits.clone()];
    if format.specials == SpecialCodes::Ieee {
        let field = exponent_field(format, bits);
        let top = RangedBits::lit(format.exponent_bits, (1 << format.exponent_bits) - 1);
        inputs.assume(&field.equals(&top), false);
        // Units may ask that of a register once its subnormal numbers are zeros.
        let zeros = [FlushedZero::SameSign, FlushedZero::Plus].into_iter();
        registers.extend(zeros.map(|to| flush(format, to, bits)));
    }
    for register in registers {
        let unpacked = unpack(format, &register);
        inputs.assume(&unpacked.nan, false);
        inputs.assume(&unpacked.infinite, false);
    }
}
