//! Registers that are equal, or zeros that may differ in sign. Later numbers are compared in two
//! cases: the registers are zeros, or they are equal.

use super::facts::{StageFacts, fields, put_magnitude};
use super::register_pair::RegisterPair;
use mmasmt_numbers::bits::term::{Formula, Substitution, Term};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_numbers::float::unpack;
use std::fmt::Arguments;

/// The greatest number of pairs for which a fact is split into cases: an addition has two operands.
const MOST: usize = 4;

impl StageFacts {
    /// Proves that the two registers of a pair are the same but for the sign of a zero.
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

    /// Proves `fact`, which `name` describes, by cases: for each pair that the fact depends on, one
    /// case where the registers are zeros, and one where they have the same sign.
    pub(super) fn in_each_case(&mut self, name: Arguments<'_>, fact: Formula) -> Option<()> {
        // Replace the registers of later pairs first, since an operand must be replaced before the
        // registers that it was made of.
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
        // Few cases depend on how the registers were computed: the proof may take any values for
        // the registers.
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
    /// The substitution of the right register's sign by the left register's sign.
    fn one_sign(&self, same: &Substitution) -> Option<Substitution> {
        let [left, right] = [&self.left, &self.right].map(|x| unpack(&self.format, x).sign);
        let mut one = Substitution::new();
        one.put_formula(same.formula(right)?, left);
        Some(one)
    }

    /// The substitution of the registers' common magnitude by zero; the signs stay.
    fn no_magnitude(&self) -> Substitution {
        let mut none = Substitution::new();
        let zero = Term::lit(self.format.width(), 0);
        put_magnitude(&mut none, &self.format, &self.left, &zero);
        none
    }
}
