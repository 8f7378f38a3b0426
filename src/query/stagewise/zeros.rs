//! Registers that are the same, or zeros of either sign: what two models make of them is compared in
//! the case that they are zeros, and in the one that they are the same.

use super::facts::{Facts, fields, put_magnitude};
use crate::bits::term::{Formula, Replacement, Term};
use crate::bits::{Bv, Prop};
use crate::float::{Format, unpack};

/// Twins that a fact is looked at case by case for: an addition has two operands.
const MOST: usize = 4;

/// A register of the left model and the one of the right model that is the same, or a zero as it is.
pub(super) struct Twin {
    format: Format,
    left: Term,
    right: Term,
}

impl Facts {
    /// Registers of a format that a stage gives: proves that they are the same, or that they are but
    /// for the sign of a zero.
    pub fn register(&mut self, format: &Format, left: &Term, right: &Term) -> Option<()> {
        let now = self.same().term(right)?;
        if self.in_each_case(left.equals(&now)).is_some() {
            self.merge_registers(format, left, right);
            return Some(());
        }
        let [own, other] = [left, &now].map(|register| unpack(format, register));
        let magnitudes = fields(format, left).into_iter().zip(fields(format, &now));
        for (left, right) in magnitudes {
            self.in_each_case(left.equals(&right))?;
        }
        self.in_each_case(own.sign.xor(&other.sign).not().or(&own.zero))?;
        self.merge_magnitudes(format, left, right);
        self.twins.push(Twin {
            format: *format,
            left: left.clone(),
            right: right.clone(),
        });
        Some(())
    }

    /// Proves `fact`: for each of the twins that it is about, where that is a zero and where it is not.
    fn in_each_case(&mut self, fact: Formula) -> Option<()> {
        // The last ones first: what an operand was made of is behind it.
        let mut about = Vec::new();
        let mut rest = fact;
        for twin in self.twins.iter().rev() {
            let one_sign = twin.one_sign(self.same())?;
            let now = one_sign.formula(rest)?;
            if now != rest {
                about.push([one_sign, twin.no_magnitude()]);
                rest = now;
            }
        }
        if about.is_empty() {
            return self.prove(fact);
        }
        if about.len() > MOST {
            return None;
        }
        let mut cases = vec![fact];
        for kinds in &about {
            let cases_of = |kind: &Replacement| {
                let in_case = cases.iter().map(|&case| kind.formula(case));
                in_case.collect::<Option<Vec<_>>>()
            };
            let [same, zeros] = kinds.each_ref().map(cases_of);
            cases = [same?, zeros?].concat();
        }
        // How the registers were made matters in few cases.
        let registers: Vec<_> = self.twins.iter().map(|twin| twin.left.clone()).collect();
        let from: Vec<_> = registers.iter().collect();
        for case in cases {
            self.prove_from(&from, &[], case)?;
        }
        self.know(fact);
        Some(())
    }
}

impl Twin {
    /// The sign of the left one in the place of the right one's.
    fn one_sign(&self, same: &Replacement) -> Option<Replacement> {
        let [left, right] = [&self.left, &self.right].map(|x| unpack(&self.format, x).sign);
        let mut one = Replacement::new();
        one.put_formula(same.formula(right)?, left);
        Some(one)
    }

    /// A zero in the place of the magnitude that both have; the signs stay.
    fn no_magnitude(&self) -> Replacement {
        let mut none = Replacement::new();
        let zero = Term::lit(self.format.width(), 0);
        put_magnitude(&mut none, &self.format, &self.left, &zero);
        none
    }
}
