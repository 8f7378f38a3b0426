//! Descriptions that differ from one in one choice: another word of an option, or a number that is
//! one less or more.

use super::tree::{
    Call, CallOption, Choice, Expression, Index, Keyword, Statement, StatementKind, Tree,
};

impl Tree {
    /// All descriptions that differ from this one in one option of one call, each with its change:
    /// `line 7: by=rne`. Some may be no valid descriptions.
    pub fn changes(&self) -> Vec<(String, Tree)> {
        let mut all = Vec::new();
        let mut count = 0;
        each_call(&mut self.clone().statements, &mut |call| {
            for change in changes_of(call) {
                all.push((count, call.place.line, change));
            }
            count += 1;
        });
        let changed = all.into_iter().map(|(number, line, (keyword, choice))| {
            let mut tree = self.clone();
            tree.text = String::new();
            let (mut at, said) = (
                0,
                format!("line {line}: {}", said(keyword, choice.as_ref())),
            );
            each_call(&mut tree.statements, &mut |call| {
                if at == number {
                    let place = call.place;
                    call.options.retain(|given| given.keyword != keyword);
                    call.options.extend(choice.clone().map(|choice| CallOption {
                        place,
                        keyword,
                        choice,
                    }));
                }
                at += 1;
            });
            (said, tree)
        });
        changed.collect()
    }
}

impl Tree {
    /// The description whose stochastic roundings have this random number.
    #[must_use]
    pub fn with_random(mut self, random: u64) -> Tree {
        self.text = String::new();
        let number = Index::Number(random as i64);
        each_call(&mut self.statements, &mut |call| {
            for given in &mut call.options {
                if given.keyword == Keyword::Random {
                    given.choice = Choice::Value(number.clone());
                }
            }
        });
        self
    }
}

fn said(keyword: Keyword, choice: Option<&Choice>) -> String {
    match choice {
        None => format!("no {}", keyword.word()),
        Some(Choice::Value(value)) => format!("{}={value}", keyword.word()),
        Some(_) => keyword.word().into(),
    }
}

/// Calls `visit` for each call of the statements, outer calls first.
fn each_call(statements: &mut [Statement], visit: &mut impl FnMut(&mut Call)) {
    for statement in statements {
        match &mut statement.kind {
            StatementKind::Declare { .. }
            | StatementKind::Let { .. }
            | StatementKind::Need { .. } => {}
            StatementKind::Assign { value, .. } => within(value, visit),
            StatementKind::Pairwise { row, value, .. } => {
                within(row, visit);
                within(value, visit);
            }
            StatementKind::Loop { body, .. } => each_call(body, visit),
            StatementKind::If {
                body, otherwise, ..
            } => {
                each_call(body, visit);
                each_call(otherwise, visit);
            }
        }
    }
}

fn within(expression: &mut Expression, visit: &mut impl FnMut(&mut Call)) {
    match expression {
        Expression::Name(..) => {}
        Expression::Element(of, _) | Expression::Slice { of, .. } => within(of, visit),
        Expression::Product(factors) => factors.iter_mut().for_each(|factor| within(factor, visit)),
        Expression::Call(call) => {
            visit(call);
            call.arguments
                .iter_mut()
                .for_each(|argument| within(argument, visit));
        }
    }
}

/// The options that a call may have in place of those that it has.
fn changes_of(call: &Call) -> Vec<(Keyword, Option<Choice>)> {
    let mut all = Vec::new();
    for keyword in call.function.keywords() {
        let found = call.options.iter().find(|given| given.keyword == *keyword);
        let found = found.map(|given| &given.choice);
        if matches!(keyword, Keyword::Sticky | Keyword::Widen) {
            all.push((*keyword, found.is_none().then_some(Choice::Given)));
            continue;
        }
        let words = call.function.words(*keyword);
        let own = match found {
            Some(Choice::Value(Index::Name(word))) => Some(&word[..]),
            None => words.first().copied(),
            _ => None,
        };
        for word in words.iter().filter(|word| Some(**word) != own) {
            all.push((*keyword, Some(Choice::Value(Index::Name((*word).into())))));
        }
        if let Some(Choice::Value(Index::Number(number))) = found {
            for other in [number - 1, number + 1] {
                all.push((*keyword, Some(Choice::Value(Index::Number(other)))));
            }
        }
        // An option that is a number may be left out.
        if found.is_some() && words.is_empty() {
            all.push((*keyword, None));
        }
    }
    all
}
