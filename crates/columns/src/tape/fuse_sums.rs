//! Fusion of conditional sums, and of the maximum of conditional sums, to one operation each. A
//! conditional sum is a sum where one or two truth values hold, and a constant elsewhere. An
//! example is the exponent of a product, which counts only where the product is not zero.

use super::element::Type;
use super::fuse::Fusion;
use super::instruction::{Code, Instruction, Value};

/// The fewest sums of a fused maximum: maxima of fewer sums stay as they are.
const LEAST_SUMS: usize = 4;

impl Fusion {
    /// Replaces a choice between a sum and a constant by one operation; one or two truth values
    /// make the choice. `None` if the value is no such choice.
    pub(super) fn conditional(&self, value: Value, uses: &[u32]) -> Option<Instruction> {
        let whole = self.at(value);
        let (Code::ChooseElse, &[condition, sum]) = (whole.code, &whole.args[..]) else {
            return None;
        };
        let added = self.at(sum);
        let is_plain = added.code == Code::Add && added.shifts == [0; 2];
        if !is_plain || uses[sum] > 1 {
            return None;
        }
        let mut args = added.args.clone();
        let all = self.at(condition);
        match (all.code, &all.args[..]) {
            (Code::All, &[one, other]) if uses[condition] == 1 => {
                let negated = all.constants[0] & 0xffff;
                args.extend([one, other]);
                let fused = Instruction::new(Code::AddIfBoth, whole.to, &args);
                let k = added.constants[0];
                Some(
                    fused
                        .constants(k, whole.constants[0])
                        .shifts(negated as u32, 0),
                )
            }
            _ => {
                args.push(condition);
                let fused = Instruction::new(Code::AddIf, whole.to, &args);
                Some(fused.constants(added.constants[0], whole.constants[0]))
            }
        }
    }

    /// Replaces a maximum of numbers and of at least [`LEAST_SUMS`] conditional sums, each with two
    /// truth values, by one operation. `None` if the value is no such maximum.
    pub(super) fn maximum(&self, value: Value, uses: &[u32]) -> Option<Instruction> {
        let whole = self.at(value);
        if whole.code != Code::Maximum || whole.to > Type::U32 {
            return None;
        }
        let is_sum = |arg: &Value| self.at(*arg).code == Code::AddIfBoth && uses[*arg] == 1;
        let first = self.at(*whole.args.iter().find(|arg| is_sum(arg))?);
        let is_like_first = |arg: &Value| {
            let one = self.at(*arg);
            (one.constants, one.shifts) == (first.constants, first.shifts)
        };
        let (sums, plain): (Vec<Value>, Vec<Value>) =
            (whole.args.iter()).partition(|arg| is_sum(arg) && is_like_first(arg));
        if sums.len() < LEAST_SUMS {
            return None;
        }
        let fours = sums.iter().flat_map(|sum| &self.at(*sum).args);
        let args: Vec<Value> = fours.chain(&plain).copied().collect();
        let fused = Instruction::new(Code::MaximumOfSums, whole.to, &args);
        let [k, l] = first.constants;
        Some(
            fused
                .constants(k, l)
                .shifts(first.shifts[0], sums.len() as u32),
        )
    }
}
