//! Registers that are the same, or zeros of either sign: what two models make of them is compared
//! in the case that they are zeros, and in the one that they are the same.

use super::facts::{Facts, fields, put_magnitude};
use super::register_pair::RegisterPair;
use mmasmt_core::numbers::bits::term::{Formula, Substitution, Term};
use mmasmt_core::numbers::bits::{Bv, Prop};
use mmasmt_core::numbers::float::unpack;
use std::fmt::Arguments;

/// Pairs that a fact is looked at case by case for: an addition has two operands.
const MOST: usize = 4;

impl Facts {
    /// Proves that registers are the same but for the sign of a zero.
    pub(super) fn are_same_or_zero(&mut self, pair: &RegisterPair) -> Option<()> {
        let now = pair.now(self.same())?;
        let registers = [&now.left, &now.right];
        let [left, right] = registers.map(|register| fields(&now.format, register));
        for (left, right) in left.iter().zip(&right) {
            let name = format_args!("a field of the register, but for its sign, is the same");
            self.in_each_case(name, left.equals(right))?;
        }
        let name = format_args!("the sign of the register is the same, or it is zero");
        let [left, right] = registers.map(|register| unpack(&now.format, register));
        self.in_each_case(name, left.sign.xor(&right.sign).not().or(&left.zero))
    }

    /// Proves `fact`, which is what `name` says: for each of the pairs that it is about, where that
    /// is a zero and where it is not.
    pub(super) fn in_each_case(&mut self, name: Arguments<'_>, fact: Formula) -> Option<()> {
        // The last ones first: what an operand was made of is behind it.
        let mut about = Vec::new();
        let mut rest = fact;
        for pair in self.but_for_zeros.iter().rev() {
            let one_sign = pair.one_sign(self.same())?;
            let now = one_sign.formula(rest)?;
            if now != rest {
                about.push([one_sign, pair.no_magnitude()]);
                rest = now;
            }
        }
        if about.is_empty() {
            return self.prove(name, fact);
        }
        if about.len() > MOST {
            return None;
        }
        let mut cases = vec![fact];
        for kinds in &about {
            let cases_of = |kind: &Substitution| {
                let in_case = cases.iter().map(|&case| kind.formula(case));
                in_case.collect::<Option<Vec<_>>>()
            };
            let [same, zeros] = kinds.each_ref().map(cases_of);
            cases = [same?, zeros?].concat();
        }
        // How the registers were made matters in few cases.
        let registers: Vec<_> = self
            .but_for_zeros
            .iter()
            .map(|pair| pair.left.clone())
            .collect();
        let from: Vec<_> = registers.iter().collect();
        for (number, case) in (1..).zip(cases) {
            let name = format_args!("{name}, case {number} of zeros before it");
            self.prove_from(name, &from, &[], case)?;
        }
        self.know(fact);
        Some(())
    }
}

impl RegisterPair {
    /// The sign of the left one in the place of the right one's.
    fn one_sign(&self, same: &Substitution) -> Option<Substitution> {
        let [left, right] = [&self.left, &self.right].map(|x| unpack(&self.format, x).sign);
        let mut one = Substitution::new();
        one.put_formula(same.formula(right)?, left);
        Some(one)
    }

    /// A zero in the place of the magnitude that both have; the signs stay.
    fn no_magnitude(&self) -> Substitution {
        let mut none = Substitution::new();
        let zero = Term::lit(self.format.width(), 0);
        put_magnitude(&mut none, &self.format, &self.left, &zero);
        none
    }
}
