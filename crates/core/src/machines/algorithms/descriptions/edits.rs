//! Descriptions that differ from one in a step: one that is left out, a term that is left out, or a term
//! with an option of its own.

use super::tree::{
    Call, CallOption, Choice, Expression, Function, Index, Keyword, Place, Statement,
    StatementKind, Tree,
};

impl Tree {
    /// All descriptions that differ from this one in one step, each with its change:
    /// `line 7: without flush`. Some may be no valid descriptions.
    pub fn edits(&self) -> Vec<(String, Tree)> {
        let mut all = Vec::new();
        let mut count = 0;
        each_expression(&mut self.clone().statements, &mut |line, expression| {
            let edits = edits_of(expression).into_iter();
            all.extend(edits.map(|(said, edited)| (count, format!("line {line}: {said}"), edited)));
            count += 1;
        });
        let edited = all.into_iter().map(|(number, said, edited)| {
            let mut tree = self.clone();
            tree.text = String::new();
            let mut at = 0;
            each_expression(&mut tree.statements, &mut |_, expression| {
                // What stands in the place of an expression is not visited again.
                if at == number {
                    *expression = edited.clone();
                }
                at += 1;
            });
            (said, tree)
        });
        edited.collect()
    }
}

/// Calls `visit` with the line and each expression of the statements, inner ones first.
fn each_expression(statements: &mut [Statement], visit: &mut impl FnMut(usize, &mut Expression)) {
    for statement in statements {
        let line = statement.place.line;
        match &mut statement.kind {
            StatementKind::Declare { .. }
            | StatementKind::Let { .. }
            | StatementKind::Need { .. } => {}
            StatementKind::Assign { value, .. } => within(value, line, visit),
            StatementKind::Pairwise { row, value, .. } => {
                within(row, line, visit);
                within(value, line, visit);
            }
            StatementKind::Loop { body, .. } => each_expression(body, visit),
            StatementKind::If {
                body, otherwise, ..
            } => {
                each_expression(body, visit);
                each_expression(otherwise, visit);
            }
        }
    }
}

fn within(
    expression: &mut Expression,
    line: usize,
    visit: &mut impl FnMut(usize, &mut Expression),
) {
    let mut inside = |expression: &mut Expression| within(expression, line, visit);
    match expression {
        Expression::Name(..) => {}
        Expression::Element(of, _) | Expression::Slice { of, .. } => inside(of),
        Expression::Product(factors) => factors.iter_mut().for_each(inside),
        Expression::Call(call) => call.arguments.iter_mut().for_each(inside),
    }
    visit(line, expression);
}

/// What may stand in the place of an expression.
fn edits_of(expression: &Expression) -> Vec<(String, Expression)> {
    let Expression::Call(call) = expression else {
        return Vec::new();
    };
    let word = call.function.word();
    let mut all = Vec::new();
    if let Some(first) = call.arguments.first() {
        all.push((format!("without {word}"), first.clone()));
    }
    let is_sum = matches!(call.function, Function::Sum | Function::Fuse);
    for (at, argument) in call.arguments.iter().enumerate().filter(|_| is_sum) {
        let with = |argument: Option<Expression>| {
            let mut call = call.clone();
            match argument {
                Some(argument) => call.arguments[at] = argument,
                None => drop(call.arguments.remove(at)),
            }
            Expression::Call(call)
        };
        let number = at + 1;
        if call.arguments.len() > 1 {
            all.push((format!("{word} without its argument {number}"), with(None)));
        }
        for (said, keyword, choice) in of_term() {
            if let Some(term) = with_option(argument, call.place, keyword, &choice) {
                let said = format!("{said} of argument {number} of {word}");
                all.push((said, with(Some(term))));
            }
        }
    }
    all
}

/// The options that a term may have, each with its name.
fn of_term() -> [(&'static str, Keyword, Choice); 2] {
    let field = Choice::Value(Index::Name("field".into()));
    [
        ("zeros field", Keyword::Zeros, field),
        ("widen", Keyword::Widen, Choice::Given),
    ]
}

/// The expression whose operands are terms with an option; `None` if they are terms already.
fn with_option(
    expression: &Expression,
    place: Place,
    keyword: Keyword,
    choice: &Choice,
) -> Option<Expression> {
    match expression {
        Expression::Product(factors) => {
            let [left, right] = &**factors;
            let left = with_option(left, place, keyword, choice)?;
            let right = with_option(right, place, keyword, choice)?;
            Some(Expression::Product(Box::new([left, right])))
        }
        Expression::Call(_) => None,
        operand => Some(Expression::Call(Call {
            place,
            function: Function::Term,
            arguments: vec![operand.clone()],
            options: vec![CallOption {
                place,
                keyword,
                choice: choice.clone(),
            }],
        })),
    }
}
