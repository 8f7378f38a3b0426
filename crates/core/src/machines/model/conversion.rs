//! Conversions in short: `f64 -> f32 -> bf16` is the text of a unit that rounds once for each arrow.

use mmasmt_numbers::base::near::did_you_mean;
use mmasmt_numbers::float::Format;

const ARROW: &str = "->";
/// The last word of a step that makes negative numbers +0.
const RELU: &str = "relu";

/// The position of an error in the text, from 1, and the text that was expected there.
pub(super) struct SpellingError {
    pub at: usize,
    pub expected: String,
}

/// The text in braces of the unit that `text` is short for: a format, and behind each arrow the format of a result with
/// options of `round`, as in `f32 -> e4m3 by rz overflow saturate`, and `relu` at its end. `None` if the text has another form.
///
/// # Errors
/// If a word that stands for a format names none.
pub(super) fn described(text: &str) -> Option<Result<String, SpellingError>> {
    is_conversion(text).then(|| unit(text))
}

/// True if the text has an arrow behind one word.
pub(super) fn is_conversion(text: &str) -> bool {
    let from = text.split_once(ARROW).map(|(from, _)| from);
    from.is_some_and(|from| !from.contains(['{', '(', ':', '/']))
}

fn unit(text: &str) -> Result<String, SpellingError> {
    let mut at = 0;
    let mut steps = text.split(ARROW).map(|step| {
        let begins = at + step.len() - step.trim_start().len();
        at += step.len() + ARROW.len();
        let mut words = step.trim().splitn(2, char::is_whitespace);
        let format = words.next().unwrap_or_default();
        let options = words.next().unwrap_or_default();
        match named(format) {
            Some(_) => Ok((begins, format, options)),
            None => Err(expected(text, begins, format)),
        }
    });
    let (_, from, rest) = steps.next().transpose()?.unwrap_or_default();
    if !rest.is_empty() {
        let at = text.find(rest).unwrap_or_default() + 1;
        let expected = "`->` behind the format of the number".into();
        return Err(SpellingError { at, expected });
    }
    let steps = steps.collect::<Result<Vec<_>, SpellingError>>()?;
    let result = steps.last().map_or("", |(_, format, _)| format);
    let mut all = format!("{{unit conversion {{ a: {from} d: {result}");
    let mut value = "a".to_owned();
    for (number, (_, format, options)) in (1..).zip(&steps) {
        let name = match number == steps.len() {
            true => "d".to_owned(),
            false => format!("step{number}"),
        };
        let space = if options.is_empty() { "" } else { " " };
        all += &match options.strip_suffix(RELU).map(str::trim_end) {
            Some(options) => format!(" {name} = relu(round({value}) to {format}{space}{options})"),
            None => format!(" {name} = round({value}) to {format}{space}{options}"),
        };
        value = name;
    }
    Ok(all + " }}")
}

fn named(name: &str) -> Option<Format> {
    Format::named(name).or_else(|| Format::scale_named(name))
}

fn expected(text: &str, begins: usize, found: &str) -> SpellingError {
    let names = Format::ALL.iter().chain(&Format::SCALES).map(Format::name);
    let hint = did_you_mean(found, names);
    SpellingError {
        at: text[..begins].chars().count() + 1,
        expected: format!("a format, found `{found}`{hint}"),
    }
}
