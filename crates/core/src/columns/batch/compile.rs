//! Compilation of a model to its programs: one program for any operands, and one for finite
//! operands.

use crate::columns::tape::{Purpose, Tape};
use crate::machines::algorithms::{Inputs, Registers, Signature};
use crate::machines::model::Model;
use crate::numbers::bits::ranged::{self, CAPACITY, Ranged};
use crate::numbers::bits::{Bv, HostOperations};
use crate::numbers::float::{Format, SpecialCodes, unpack};

/// The operands that a program is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// All operands, including infinities and NaNs.
    Any,
    /// Operands that are neither infinities nor NaNs. For infinities and NaNs the result has no
    /// meaning.
    Finite,
}

/// The most products that a program may have: a program with more products takes longer to make
/// than most users can wait.
pub(super) const MOST_PRODUCTS: u32 = 4096;

/// The tape of a model's result; `None` if the model needs wider words than a tape has, or has more
/// than [`MOST_PRODUCTS`] products.
pub(super) fn tape(
    model: &Model,
    operands: Operands,
    host: HostOperations,
    purpose: Purpose<'_>,
) -> Option<Tape> {
    let signature = model.signature();
    if model.widest() > CAPACITY || signature.products > MOST_PRODUCTS {
        return None;
    }
    let inputs = ranged::Inputs::with_host(host);
    let registers = registers(&signature, &inputs);
    if operands == Operands::Finite {
        for (format, bits) in registers.each(&signature) {
            assume_finite(&inputs, &format, bits);
        }
    }
    let d = model.result_alone(&registers);
    let result = inputs.node_of(&d);
    Tape::made_for(purpose, &inputs.graph(), &[result])
}

/// The tape that computes the model's result from any operands, for a processor with all operations
/// of IEEE 754. Its inputs are the registers in the order of
/// [`Registers::each`](crate::machines::algorithms::Registers::each). `None` if the model needs wider
/// words than a tape has, or has too many products.
pub fn tape_of_any_operands(model: &Model) -> Option<Tape> {
    let whole = tape(model, Operands::Any, HostOperations::All, Purpose::Whole)?;
    Some(whole.fused())
}

/// A graph input for every register.
pub(super) fn registers(signature: &Signature, inputs: &ranged::Inputs) -> Registers<Ranged> {
    let make = |format: &Format, _: &u64| inputs.input(format.width());
    Inputs::zero(signature).map(signature, make)
}

/// Tells the graph to assume that the register is neither an infinity nor a NaN: every condition by
/// which the algorithms test for an infinity or a NaN is assumed to be false.
fn assume_finite(inputs: &ranged::Inputs, format: &Format, bits: &Ranged) {
    if format.specials == SpecialCodes::Ieee {
        let low = format.dropped_bits + format.fraction_bits;
        let field = bits.extract(low + format.exponent_bits - 1, low);
        let top = Ranged::lit(format.exponent_bits, (1 << format.exponent_bits) - 1);
        inputs.assume(&field.equals(&top), false);
    }
    let unpacked = unpack(format, bits);
    inputs.assume(&unpacked.nan, false);
    inputs.assume(&unpacked.infinite, false);
}
