//! Two fused sums, one of each model, as wires of one netlist.

use mmasmt_core::machines::algorithms::FusedStages;
use mmasmt_numbers::bits::blast::{SignalBits, Wire};
use mmasmt_numbers::bits::{Bv, Prop};

/// The width in bits of a difference of exponents.
const DIFFERENCE_BITS: u32 = 16;

/// The wires of one of the two sums.
pub(super) struct CertificateSide {
    /// The exponent that the terms are aligned to.
    pub largest: Vec<Wire>,
    /// The maxima of the first exponent, of the first two, of the first three, and so on.
    pub maxima: Vec<Vec<Wire>>,
    /// The exponent of each term.
    pub exponents: Vec<Vec<Wire>>,
    /// The aligned terms in two's complement, lowest bit first.
    pub aligned: Vec<Vec<Wire>>,
    /// The sums of the first term, of the first two, of the first three, and so on.
    pub partial: Vec<Vec<Wire>>,
    /// The result, or the exact sum if the sum is not rounded.
    pub result: Vec<Wire>,
}

/// Two fused sums with the same number of terms.
pub(super) struct CertificateStage {
    /// Whether all terms are zero.
    pub empty: Wire,
    /// The exponent that the left sum is aligned to, minus that of the right sum.
    pub difference: Vec<Wire>,
    pub sides: [CertificateSide; 2],
}

impl CertificateStage {
    /// The two sums as a stage; `None` if they have different numbers of terms.
    pub fn of(
        left: &FusedStages<SignalBits>,
        right: &FusedStages<SignalBits>,
    ) -> Option<CertificateStage> {
        if left.terms.len() != right.terms.len() {
            return None;
        }
        let counted = |stage: &FusedStages<SignalBits>| {
            let largest = stage.max_exponent.zext(DIFFERENCE_BITS);
            largest.add_const(stage.grid.exponent_offset.into())
        };
        let empty = Prop::all(left.terms.iter().map(|term| term.zero));
        Some(CertificateStage {
            empty: empty.wire(),
            difference: counted(left).sub(&counted(right)).wires(),
            sides: [left, right].map(CertificateSide::of),
        })
    }
}

impl CertificateSide {
    fn of(stage: &FusedStages<SignalBits>) -> CertificateSide {
        let result = match stage.grid.result {
            Some(_) => &stage.result,
            None => &stage.sum,
        };
        let wires = |numbers: &[SignalBits]| numbers.iter().map(SignalBits::wires).collect();
        let up_to = |numbers: &[SignalBits], op: &dyn Fn(&[SignalBits]) -> SignalBits| {
            let lengths = 1..=numbers.len();
            lengths
                .map(|length| op(&numbers[..length]).wires())
                .collect()
        };
        CertificateSide {
            largest: stage.max_exponent.wires(),
            maxima: up_to(&stage.exponents, &SignalBits::umax),
            exponents: wires(&stage.exponents),
            aligned: wires(&stage.aligned),
            partial: up_to(&stage.aligned, &SignalBits::sum),
            result: result.wires(),
        }
    }
}
