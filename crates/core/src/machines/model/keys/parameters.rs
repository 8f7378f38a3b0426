//! The documentation of a parameter of a description: its values for a person, and for a search.

use super::doc::KeyDoc;
use super::values::{Candidates, ROUNDINGS};
use crate::machines::algorithms::descriptions::{Choices, Class, Index, Setting, Tree};

/// The documentation of the parameter with this number.
pub(super) fn documented(tree: &Tree, number: usize) -> KeyDoc {
    let parameter = &tree.parameters[number];
    let default = match &parameter.default {
        Index::Number(number) => number.to_string(),
        other => interpolated(&other.to_string(), tree, None),
    };
    let meaning = match &*parameter.meaning {
        "" => "a parameter of the description",
        text => Box::leak(text.into()),
    };
    let ranges = parameter
        .choices
        .iter()
        .filter_map(|choices| match choices {
            Choices::Range(first, last) => Some([*first, *last]),
            _ => None,
        });
    let range = ranges.reduce(|[first, last], [least, most]| [first.min(least), last.max(most)]);
    KeyDoc {
        name: Box::leak(parameter.key.clone().into()),
        values: values(tree, number),
        default,
        meaning,
        candidates: candidates(tree, number),
        range,
    }
}

/// `text` with the keys of parameters in place of their names, each with its value if there are settings.
pub(super) fn interpolated(text: &str, tree: &Tree, settings: Option<&[Setting]>) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut all = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        match tree.parameters.iter().position(|one| one.name == word) {
            Some(number) => {
                all += &tree.parameters[number].key;
                if let Some(settings) = settings {
                    all += &format!("={}", settings[number]);
                }
            }
            None => all += word,
        }
        let other = behind.find(is_part).unwrap_or(behind.len());
        all += &behind[..other];
        rest = &behind[other..];
    }
    all
}

/// Single values, and the texts of ranges, each behind `before`, and of classes.
fn apart(
    choices: &[Choices],
    before: &str,
    of_class: fn(Class) -> String,
) -> (Vec<String>, Vec<String>) {
    let (mut words, mut others) = (Vec::new(), Vec::new());
    for choices in choices {
        match choices {
            Choices::Word(word) => words.push(word.clone()),
            Choices::Range(first, last) if first == last => words.push(first.to_string()),
            Choices::Range(first, last) => others.push(format!("{before}{first} to {last}")),
            Choices::Class(class) => others.push(of_class(*class)),
        }
    }
    (words, others)
}

/// The text for the values in the documentation.
fn values(tree: &Tree, number: usize) -> String {
    let parameter = &tree.parameters[number];
    let (words, others) = apart(&parameter.choices, "", said);
    let words = Some(words.join(" ")).filter(|words| !words.is_empty());
    let mut all: Vec<String> = words.into_iter().chain(others).collect();
    if let [Choices::Range(..)] = parameter.choices[..] {
        let own = tree
            .needs()
            .filter(|(need, _)| tree.blamed(need) == Some(number));
        all.extend(own.map(|(_, expected)| interpolated(expected, tree, None)));
    }
    all.join(", ")
}

fn said(class: Class) -> String {
    match class {
        Class::Formats | Class::Factors => "format".into(),
        Class::WithInfinities => "format with infinities".into(),
        Class::Roundings => format!("{} srN+R", ROUNDINGS.join(" ")),
        Class::Modes => format!("{} odd", ROUNDINGS.join(" ")),
    }
}

impl Tree {
    /// The values of a parameter in an error, after the word `expected`.
    pub(super) fn expected(&self, number: usize) -> String {
        let before = "a whole number from ";
        let (words, others) = apart(&self.parameters[number].choices, before, expected_of);
        let words = match &words[..] {
            [] => None,
            [only] => Some(format!("`{only}`")),
            all => Some(format!("one of {}", all.join(", "))),
        };
        let all: Vec<String> = words.into_iter().chain(others).collect();
        all.join(" or ")
    }
}

fn expected_of(class: Class) -> String {
    let names = || {
        let formats = class.formats();
        let names: Vec<_> = formats.iter().map(|format| format.name()).collect();
        names.join(", ")
    };
    match class {
        Class::Formats | Class::Factors => format!("a format: one of {}", names()),
        Class::WithInfinities => format!("a format with infinities: one of {}", names()),
        Class::Roundings => format!(
            "one of {}, rna, rnz, rnu, rnd or rno (nearest, ties away, to zero, up, down, to odd), or srN+R with N random bits R, such as sr8+0x5a",
            ROUNDINGS[..5].join(", ")
        ),
        Class::Modes => format!("one of {}, odd", ROUNDINGS.join(", ")),
    }
}

/// The values that a search tries.
fn candidates(tree: &Tree, number: usize) -> Candidates {
    let parameter = &tree.parameters[number];
    if tree.counts_products(&parameter.name) {
        return Candidates::Divisors;
    }
    if tree.counts_factors(&parameter.name) {
        return Candidates::Blocks;
    }
    match &parameter.choices[..] {
        [Choices::Range(first, last)] => Candidates::Numbers(*first..=*last),
        // The exponents that terms can have are enough.
        [Choices::Word(word), Choices::Range(first, _)] if *first < 0 => {
            Candidates::Exponents(word.clone())
        }
        [Choices::Word(word), Choices::Range(first, last)] => {
            Candidates::WordOr(word.clone(), *first..=*last)
        }
        all => Candidates::Listed(all.iter().flat_map(listed).collect()),
    }
}

fn listed(choices: &Choices) -> Vec<String> {
    match choices {
        Choices::Word(word) => vec![word.clone()],
        Choices::Range(first, last) => (*first..=*last).map(|number| number.to_string()).collect(),
        Choices::Class(Class::Roundings) => ROUNDINGS.map(str::to_owned).to_vec(),
        // The words beside them are what units are known to do.
        Choices::Class(Class::Modes) => Vec::new(),
        Choices::Class(class) => {
            let formats = class.formats();
            formats
                .iter()
                .map(|format| format.name().to_owned())
                .collect()
        }
    }
}
