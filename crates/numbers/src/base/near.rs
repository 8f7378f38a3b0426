//! Suggestions for an unknown name in an error message: known names with a similar spelling.

use strsim::normalized_damerau_levenshtein;

/// The greatest number of names that are suggested.
const MOST: usize = 3;
/// The least similarity of a name that is suggested, from 0 (nothing alike) to 1 (the same).
const LEAST: f64 = 0.5;
/// The most characters of a name whose similarity is measured, which takes the product of both lengths.
const LONGEST: usize = 256;

/// The end of an error message, `, did you mean … or …?`, with the names nearest to `found`; empty
/// if no name is near.
///
/// A name with a similar spelling is near. If `found` has at least 3 characters, a name is also
/// near if the name begins with `found` or `found` begins with the name. Text after `=` is a
/// parameter and is not compared.
pub fn did_you_mean<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let bare = |text: &str| text.split('=').next().unwrap_or_default().to_lowercase();
    let found = bare(found);
    let mut near: Vec<(f64, &str)> = (names.into_iter())
        .map(|name| (similarity(&found, &bare(name)), name))
        .filter(|(similarity, _)| *similarity >= LEAST)
        .collect();
    near.sort_by(|x, y| y.0.total_cmp(&x.0));
    let mut names: Vec<String> = Vec::new();
    for name in near.iter().map(|(_, name)| format!("`{name}`")) {
        if names.len() < MOST && !names.contains(&name) {
            names.push(name);
        }
    }
    match names.is_empty() {
        true => String::new(),
        false => format!(", did you mean {}?", names.join(" or ")),
    }
}

fn similarity(found: &str, name: &str) -> f64 {
    let begins = found.len() >= 3 && (name.starts_with(found) || found.starts_with(name));
    // Of names one of which is more than twice as long, less than half is alike.
    let [found_length, length] = [found, name].map(|text| text.chars().count());
    let is_far = found_length > 2 * length || length > 2 * found_length;
    let alike = match is_far || found_length > LONGEST {
        true => 0.0,
        false => normalized_damerau_levenshtein(found, name),
    };
    if begins { alike.max(0.9) } else { alike }
}
