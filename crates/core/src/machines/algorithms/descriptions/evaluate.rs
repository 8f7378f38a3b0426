//! Numbers and words that are known before any operand is, and conditions on them.

use super::tree::{
    Choice, Comparison, Condition, Expression, Index, IndexOperation, OfFormat, Setting,
    StatementKind,
};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;

/// What names stand for; an error is the text that was expected.
pub(super) type Names<'n> = dyn FnMut(&str) -> Result<Option<Setting>, String> + 'n;

/// The number or the word of an index; a name that stands for nothing is a word.
///
/// # Errors
/// The text that was expected, and what was found.
pub(super) fn evaluate(index: &Index, names: &mut Names<'_>) -> Result<Setting, String> {
    match index {
        Index::Number(number) => Ok(Setting::Number(*number)),
        Index::Name(name) => {
            let known = names(name)?;
            Ok(known.unwrap_or_else(|| Setting::Word(name.clone())))
        }
        Index::Operation(operation, sides) => {
            let [left, right] = [number(&sides[0], names)?, number(&sides[1], names)?];
            let result = operation.of(left, right);
            let found = || excerpt(&index.to_string()).to_string();
            let result =
                result.ok_or_else(|| format!("a number that 64 bits hold, found `{}`", found()));
            result.map(Setting::Number)
        }
        Index::Of(what, of) => match evaluate(of, names)? {
            Setting::Word(word) => of_format(*what, &word).map(Setting::Number),
            Setting::Number(found) => Err(format!("a format, found {found}")),
        },
        Index::If(choice) => {
            let (then, condition, otherwise) = &**choice;
            match holds(condition, names)? {
                true => evaluate(then, names),
                false => evaluate(otherwise, names),
            }
        }
    }
}

/// Whether a condition holds.
///
/// # Errors
/// The text that was expected, and what was found.
pub(super) fn holds(condition: &Condition, names: &mut Names<'_>) -> Result<bool, String> {
    match condition {
        Condition::And(both) => Ok(holds(&both[0], names)? && holds(&both[1], names)?),
        Condition::Or(either) => Ok(holds(&either[0], names)? || holds(&either[1], names)?),
        Condition::Compare(comparison @ (Comparison::Is | Comparison::IsNot), sides) => {
            let [left, right] = [evaluate(&sides[0], names)?, evaluate(&sides[1], names)?];
            Ok((left == right) == (*comparison == Comparison::Is))
        }
        Condition::Compare(comparison, sides) => {
            let [left, right] = [number(&sides[0], names)?, number(&sides[1], names)?];
            Ok(match comparison {
                Comparison::Less => left < right,
                Comparison::AtMost => left <= right,
                Comparison::Greater => left > right,
                _ => left >= right,
            })
        }
    }
}

/// The number of an index.
///
/// # Errors
/// The text that was expected, and what was found.
pub(super) fn number(index: &Index, names: &mut Names<'_>) -> Result<i64, String> {
    match evaluate(index, names)? {
        Setting::Number(number) => Ok(number),
        Setting::Word(word) => Err(format!(
            "a whole number, a parameter or a counter, found `{}`",
            excerpt(&word)
        )),
    }
}

fn of_format(what: OfFormat, name: &str) -> Result<i64, String> {
    let known = Format::known_as(name).or_else(|| Format::scale_named(name));
    let format = known.ok_or_else(|| format!("a format, found `{}`", excerpt(name)))?;
    Ok(match what {
        OfFormat::Width => format.width().into(),
        OfFormat::Precision => format.precision().into(),
        OfFormat::Fraction => format.fraction_bits.into(),
        OfFormat::Least => format.min_exponent().into(),
    })
}

impl IndexOperation {
    /// The result; `None` if 64 bits do not hold it, or a divisor is zero.
    pub(super) fn of(self, left: i64, right: i64) -> Option<i64> {
        match self {
            IndexOperation::Plus => left.checked_add(right),
            IndexOperation::Minus => left.checked_sub(right),
            IndexOperation::Times => left.checked_mul(right),
            IndexOperation::Over => left.checked_div_euclid(right),
            IndexOperation::Modulo => left.checked_rem_euclid(right),
        }
    }
}

impl Index {
    /// Calls `visit` with each name.
    pub(super) fn each_name<'t>(&'t self, visit: &mut dyn FnMut(&'t str)) {
        match self {
            Index::Number(_) => {}
            Index::Name(name) => visit(name),
            Index::Operation(_, sides) => sides.iter().for_each(|side| side.each_name(visit)),
            Index::Of(_, of) => of.each_name(visit),
            Index::If(choice) => {
                let (then, condition, otherwise) = &**choice;
                then.each_name(visit);
                condition.each_name(visit);
                otherwise.each_name(visit);
            }
        }
    }
}

impl Condition {
    /// Calls `visit` with each name.
    pub(super) fn each_name<'t>(&'t self, visit: &mut dyn FnMut(&'t str)) {
        self.each_index(&mut |index| index.each_name(visit));
    }

    fn each_index<'t>(&'t self, visit: &mut dyn FnMut(&'t Index)) {
        match self {
            Condition::Compare(_, sides) => sides.iter().for_each(visit),
            Condition::And(both) | Condition::Or(both) => {
                both.iter().for_each(|one| one.each_index(visit));
            }
        }
    }
}

impl StatementKind {
    /// Calls `visit` with each number and word of the statement itself, not of the statements within it.
    pub(super) fn each_index<'t>(&'t self, visit: &mut dyn FnMut(&'t Index)) {
        match self {
            StatementKind::Declare { length, block, .. } => {
                length.iter().chain(block).for_each(visit);
            }
            StatementKind::Assign { element, value, .. } => {
                element.iter().for_each(&mut *visit);
                value.each_index(visit);
            }
            StatementKind::Loop { from, to, step, .. } => {
                [from, to].into_iter().chain(step).for_each(visit);
            }
            StatementKind::If { condition, .. } | StatementKind::Need { condition, .. } => {
                condition.each_index(visit);
            }
            StatementKind::Let { value, .. } => visit(value),
            StatementKind::Pairwise { row, value, .. } => {
                row.each_index(visit);
                value.each_index(visit);
            }
        }
    }
}

impl Expression {
    fn each_index<'t>(&'t self, visit: &mut dyn FnMut(&'t Index)) {
        match self {
            Expression::Name(..) => {}
            Expression::Element(of, index) => {
                of.each_index(visit);
                visit(index);
            }
            Expression::Slice { of, from, to, step } => {
                of.each_index(visit);
                [from, to, step].into_iter().flatten().for_each(visit);
            }
            Expression::Product(factors) => factors.iter().for_each(|one| one.each_index(visit)),
            Expression::Call(call) => {
                call.arguments.iter().for_each(|one| one.each_index(visit));
                for given in &call.options {
                    match &given.choice {
                        Choice::Given => {}
                        Choice::If(condition) => condition.each_index(visit),
                        Choice::Value(value) => visit(value),
                        Choice::First {
                            rule,
                            registers,
                            otherwise,
                        } => {
                            visit(rule);
                            registers.iter().for_each(|one| one.each_index(visit));
                            visit(otherwise);
                        }
                    }
                }
            }
        }
    }
}
