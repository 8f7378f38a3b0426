//! Inputs that were checked against a signature, so that a simulator can accept them from outside
//! the crate.

use super::{Inputs, Operand, Registers, Signature};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::Format;
use thiserror::Error;

/// Why operands do not fit a dot-add.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Misfit {
    /// There are too few or too many operands of one kind.
    #[error(
        "expected {expected} {what}, found {found}: `Inputs::padded` adds those that are missing"
    )]
    Count {
        /// `factors a`, `factors b`, `scales of a` or `scales of b`.
        what: &'static str,
        /// The number in the signature.
        expected: usize,
        /// The number of operands that was found.
        found: usize,
    },
    /// A register has bits above those of its format, or the width of a bit-vector is not that of
    /// its format.
    #[error("expected {width} bits ({format}) in {what}, found {found}")]
    Width {
        /// The operand: `a[3]`, `c`.
        what: String,
        /// The format of the operand.
        format: Format,
        /// The width of the format.
        width: u32,
        /// The width or the register that was found.
        found: String,
    },
    /// The inputs were checked for another signature.
    #[error("expected inputs that were checked for {expected}, found those for {found}")]
    Signature {
        /// The signature of the model.
        expected: Box<Signature>,
        /// The signature that the inputs were checked for.
        found: Box<Signature>,
    },
}

/// Inputs with as many operands as a signature has, each no wider than its format. Only
/// [`Inputs::checked`] makes them:
///
/// ```
/// use mmasmt_core::machines::model::Model;
/// use mmasmt_core::machines::algorithms::Inputs;
///
/// let model = Model::parse("fda:K=2")?;
/// let inputs = Inputs::new(vec![0x3c00, 0x3c00], vec![0x3c00, 0x4000], 0);
/// let checked = inputs.checked(&model.signature())?;
/// assert_eq!(model.simulator().evaluate_checked(&checked)?, 0x4040_0000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A struct literal of the type does not compile:
///
/// ```compile_fail,E0451
/// use mmasmt_core::machines::model::Model;
/// use mmasmt_core::machines::algorithms::{CheckedInputs, Inputs};
///
/// let signature = Model::parse("fda:K=2").unwrap().signature();
/// let inputs = Inputs::new(vec![0x1_0000], vec![], 0);
/// let checked = CheckedInputs { inputs: &inputs, signature };
/// ```
///
/// A simulator does not accept unchecked inputs in place of checked ones either:
///
/// ```compile_fail,E0308
/// use mmasmt_core::machines::model::Model;
/// use mmasmt_core::machines::algorithms::Inputs;
///
/// let model = Model::parse("fda:K=2").unwrap();
/// let inputs = Inputs::new(vec![0x1_0000], vec![], 0);
/// let _ = model.simulator().evaluate_checked(&inputs);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CheckedInputs<'x> {
    inputs: &'x Inputs,
    signature: Signature,
}

impl<'x> CheckedInputs<'x> {
    /// The inputs.
    pub fn inputs(&self) -> &'x Inputs {
        self.inputs
    }

    /// The signature that the inputs were checked for.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The inputs, if they were checked for the signature `expected`.
    pub fn for_signature(&self, expected: &Signature) -> Result<&'x Inputs, Misfit> {
        if self.signature == *expected {
            return Ok(self.inputs);
        }
        Err(Misfit::Signature {
            expected: Box::new(*expected),
            found: Box::new(self.signature),
        })
    }
}

impl Inputs {
    /// The inputs, filled up with +0 for missing factors and with 1 for missing scales; `None` if
    /// they do not fit the signature. They fit if they have no more products and scales than the
    /// signature, as many for `a` as for `b`, and no register wider than its format.
    #[must_use]
    pub fn padded(mut self, signature: &Signature) -> Option<Inputs> {
        let fits = |operand| self.row(operand).len() <= signature.length(operand);
        let as_many = |left: &[u64], right: &[u64]| left.len() == right.len();
        let are_pairs = as_many(&self.a, &self.b) && as_many(&self.a_scales, &self.b_scales);
        let right = (signature.is_conversion() || are_pairs)
            && Operand::ALL.into_iter().all(fits)
            && widths_fit(&self, signature);
        self.fill_up(signature);
        right.then_some(self)
    }

    /// The checked inputs, which a simulator accepts.
    ///
    /// # Errors
    /// If the numbers of products and scales differ from those of the signature, or a register has
    /// bits above those of its format.
    pub fn checked(&self, signature: &Signature) -> Result<CheckedInputs<'_>, Misfit> {
        check_counts(self, signature)?;
        if !widths_fit(self, signature) {
            let found = |bits: &u64| format!("{bits:#x}");
            return Err(first_misfit(self, signature, too_wide, found));
        }
        Ok(CheckedInputs {
            inputs: self,
            signature: *signature,
        })
    }

    /// Whether [`checked`](Self::checked) would return no error.
    pub fn fit(&self, signature: &Signature) -> bool {
        check_counts(self, signature).is_ok() && widths_fit(self, signature)
    }
}

/// Whether no register has bits above those of its format.
pub fn widths_fit(inputs: &Inputs, signature: &Signature) -> bool {
    signature.every_row(|row| {
        let all = inputs
            .row(row.operand)
            .iter()
            .fold(0, |all, bits| all | bits);
        !too_wide(&row.format, &all)
    })
}

pub fn too_wide(format: &Format, bits: &u64) -> bool {
    format.width() < u64::BITS && bits >> format.width() != 0
}

/// Checks whether bit-vectors fit a signature.
///
/// # Errors
/// If the numbers of operands differ from those of the signature, or a bit-vector does not have the
/// width of its format.
pub fn check_bit_vectors<B: Bv>(
    registers: &Registers<B>,
    signature: &Signature,
) -> Result<(), Misfit> {
    check_counts(registers, signature)?;
    let differs = |format: &Format, bits: &B| bits.width() != format.width();
    let wrong = registers
        .each(signature)
        .any(|(format, bits)| differs(&format, bits));
    if wrong {
        let found = |bits: &B| format!("{} bits", bits.width());
        return Err(first_misfit(registers, signature, differs, found));
    }
    Ok(())
}

fn check_counts<B>(registers: &Registers<B>, signature: &Signature) -> Result<(), Misfit> {
    let is_wrong = |operand| registers.row(operand).len() != signature.length(operand);
    // There is no loop, for speed: simulators make this check for all inputs.
    let [a, b, c, sa, sb] = Operand::ALL.map(is_wrong);
    if !(a || b || c || sa || sb) {
        return Ok(());
    }
    let wrong = Operand::ALL.into_iter().find(|operand| is_wrong(*operand));
    let operand = wrong.unwrap_or(Operand::C);
    Err(Misfit::Count {
        what: operand.what(),
        expected: signature.length(operand),
        found: registers.row(operand).len(),
    })
}

/// The error about the first operand for which `is_wrong` holds; there must be such an operand.
fn first_misfit<B>(
    registers: &Registers<B>,
    signature: &Signature,
    is_wrong: impl Fn(&Format, &B) -> bool,
    found: impl Fn(&B) -> String,
) -> Misfit {
    let wrong = registers
        .each(signature)
        .position(|(format, bits)| is_wrong(&format, bits))
        .unwrap_or_default();
    let (format, bits) = registers
        .each(signature)
        .nth(wrong)
        .unwrap_or((signature.c, &registers.c));
    Misfit::Width {
        what: operand_name(registers, wrong),
        format,
        width: format.width(),
        found: found(bits),
    }
}

/// The name of the operand at position `number` in the order of [`Registers::each`].
fn operand_name<B>(registers: &Registers<B>, number: usize) -> String {
    let mut before = number;
    for operand in Operand::ALL {
        let length = registers.row(operand).len();
        match (before < length, operand) {
            (true, Operand::C) => return operand.name().into(),
            (true, _) => return format!("{}[{before}]", operand.name()),
            (false, _) => before -= length,
        }
    }
    format!("operand {number}")
}
