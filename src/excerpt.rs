//! Text that someone else wrote, as an error shows it: on one line, and cut where it is long.

use std::path::Path;

/// How many characters are shown.
const MOST: usize = 80;

/// The text with control characters as escapes, and `…` in place of what is beyond 80 characters.
pub fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    let mut length = 0;
    for character in text.chars() {
        if length >= MOST {
            shown.push('…');
            break;
        }
        let before = shown.len();
        match character.is_control() {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
        // An escape is as long as it looks.
        length += shown[before..].chars().count();
    }
    shown
}

/// As [`excerpt`], the name of a file.
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
