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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_and_control_characters_are_escaped() {
        assert_eq!(excerpt("a\tb\u{1b}[1m\n"), "a\\tb\\u{1b}[1m\\n");
        assert_eq!(excerpt(&"é".repeat(80)), "é".repeat(80));
        assert_eq!(excerpt(&"é".repeat(81)), format!("{}…", "é".repeat(80)));
    }
}
