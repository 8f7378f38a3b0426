//! Rust source as words and signs, without comments, texts and modules of tests.

/// Words, `::`, and each other sign by itself.
pub fn tokens(source: &str) -> Vec<String> {
    let chars: Vec<char> = source.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let rest = &chars[at..];
        let length = blank(rest);
        if length > 0 {
            at += length;
            continue;
        }
        let word = rest.iter().take_while(|&&c| is_word(c)).count();
        let length = match rest {
            _ if word > 0 => word,
            [':', ':', ..] => 2,
            _ => 1,
        };
        tokens.push(rest[..length].iter().collect());
        at += length;
    }
    without_tests(tokens)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How many characters of the start are space, a comment, a text or a character.
fn blank(rest: &[char]) -> usize {
    let until = |end: &[char], from: usize| {
        let found = (from..rest.len()).find(|&at| rest[at..].starts_with(end));
        found.map_or(rest.len(), |at| at + end.len())
    };
    match rest {
        [space, ..] if space.is_whitespace() => 1,
        ['/', '/', ..] => until(&['\n'], 2),
        ['/', '*', ..] => until(&['*', '/'], 2),
        ['r', '"', ..] => until(&['"'], 2),
        ['r', '#', '"', ..] => until(&['"', '#'], 3),
        ['"', ..] => quoted(rest),
        // A lifetime has no second quote.
        ['\'', '\\', ..] => until(&['\''], 3),
        ['\'', _, '\'', ..] => 3,
        _ => 0,
    }
}

fn quoted(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Without `#[cfg(test)] mod … { … }` and `#[cfg(test)] mod …;`.
fn without_tests(mut tokens: Vec<String>) -> Vec<String> {
    const START: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    while let Some(start) = tokens.windows(START.len()).position(|some| some == START) {
        let end = end_of_item(&tokens, start);
        tokens.drain(start..end);
    }
    tokens
}

/// The place after the `;` or the closing brace of the item that starts there.
fn end_of_item(tokens: &[String], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}
