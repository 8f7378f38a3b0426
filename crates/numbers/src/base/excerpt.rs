//! Excerpts of foreign text for error messages: one line of limited length.

use std::path::Path;

/// The greatest number of characters in an excerpt.
const MOST: usize = 80;

/// The first 80 characters of the text with control characters escaped; `…` stands for the rest.
pub fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    let mut length = 0;
    for character in text.chars() {
        if length >= MOST {
            shown.push('…');
            break;
        }
        let before = shown.len();
        if character.is_control() {
            shown.extend(character.escape_default())
        } else {
            shown.push(character)
        }
        // An escape counts as many characters as it prints.
        length += shown[before..].chars().count();
    }
    shown
}

/// The [`excerpt`] of a path.
pub fn file_name(path: &Path) -> String {
    excerpt(&path.to_string_lossy())
}
