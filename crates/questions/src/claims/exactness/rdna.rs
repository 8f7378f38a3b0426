//! RDNA's dot instructions, whose grids have rules of their own here: the steps of a text that are theirs.

use mmasmt_core::machines::algorithms::descriptions::{Action, Negate};
use mmasmt_core::machines::algorithms::{DotAdd, Operation, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::Format;

/// The distance of the grid below the nominal exponent of a product, which is the sum of the
/// exponents of its factors.
pub(super) const BELOW_PRODUCT: u32 = 24;
/// The distance of the grid below the exponent of `c`.
pub(super) const BELOW_C: u32 = 26;

/// The generation of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Generation {
    Rdna3,
    Rdna4,
}

/// A dot instruction of RDNA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rdna {
    pub(super) generation: Generation,
    pub(super) a: Format,
    pub(super) b: Format,
    /// Format of `c` and of the result of every step.
    pub(super) out: Format,
    products: u32,
    /// Products of one step.
    pub(super) step: u32,
    /// Whether steps over the first half of the products alternate with steps over the second half.
    in_halves: bool,
}

impl Rdna {
    /// The instruction whose steps are those of the operation, if there is one.
    pub(super) fn of(operation: &Operation) -> Option<Rdna> {
        let program = operation.description()?.program();
        let mut nodes = program.nodes.iter();
        let generation = nodes.find_map(|node| match &node.action {
            Action::Fuse(fuse) if fuse.negate == Negate::AgainstLast => Some(Generation::Rdna3),
            Action::Fuse(fuse) if fuse.terms.iter().any(|term| term.vanish.is_some()) => {
                Some(Generation::Rdna4)
            }
            _ => None,
        })?;
        let Signature {
            a,
            b,
            d: out,
            products,
            ..
        } = operation.signature();
        let steps = match generation {
            Generation::Rdna3 => &[2][..],
            Generation::Rdna4 => &[2, 4],
        };
        let all = steps
            .iter()
            .flat_map(|step| [false, true].map(|halves| (*step, halves)));
        let all = all.map(|(step, in_halves)| Rdna {
            generation,
            a,
            b,
            out,
            products,
            step,
            in_halves,
        });
        let mut all = all.filter(|rdna| {
            Model::parse(&rdna.spec()).is_ok_and(|model| {
                let own = model.algorithm().operation();
                own.is_some_and(|(own, _)| own == operation)
            })
        });
        all.next()
    }

    fn spec(&self) -> String {
        let unit = match self.generation {
            Generation::Rdna3 => "rdna3",
            Generation::Rdna4 => "rdna4",
        };
        let order = match self.in_halves {
            true => "halves",
            false => "straight",
        };
        let Rdna {
            a,
            b,
            out,
            products,
            step,
            ..
        } = self;
        format!("rdna:K={products},a={a},b={b},out={out},unit={unit},step={step},order={order}")
    }

    /// The index of the first product of each step, in the order of the steps.
    pub(super) fn starts(&self) -> Vec<usize> {
        let step = self.step as usize;
        let all: Vec<usize> = (0..self.products as usize).step_by(step).collect();
        if !self.in_halves {
            return all;
        }
        let (low, high) = all.split_at(all.len() / 2);
        let pairs = low.iter().zip(high);
        pairs.flat_map(|(low, high)| [*low, *high]).collect()
    }
}

/// If the result is in f16: the exponent of the least normal number of f16. In the search for a
/// step's grid, the exponent of `c` counts as at least this number. `None` for other formats.
pub(super) fn least_of_f16(out: &Format) -> Option<i32> {
    (*out == Format::F16).then(|| out.min_exponent())
}
