//! Comments that say something: of the unit, of a parameter, of what is needed.

/// What a comment says of the unit, and the source of that, each on one line.
pub(super) fn of_unit(text: &str) -> (String, String) {
    let lines = text.trim_start().lines();
    let paragraph = lines.map_while(|line| Some(line.trim().strip_prefix('#')?.trim()));
    let all: Vec<&str> = paragraph.take_while(|line| !line.is_empty()).collect();
    let all = all.join(" ");
    let (summary, source) = all.split_once("Source:").unwrap_or((&all, ""));
    let clean = |text: &str| text.trim().trim_end_matches('.').to_owned();
    (clean(summary), clean(source))
}

/// The comment of a part of `text` that ends before byte `end`, on one line: within the part, behind it on its line, or
/// below it. Lines that are comments alone continue it.
pub(super) fn behind(text: &str, start: usize, end: usize) -> String {
    let rest = &text[end..];
    let on_line = rest.trim_start_matches([',', ' ', ')', '{']);
    let comment = match text[start..end].find('#') {
        Some(at) => &text[start + at..],
        None if on_line.starts_with('#') => on_line,
        None => rest.trim_start_matches([',', ' ', '\n']),
    };
    let lines = comment.lines();
    let all: Vec<&str> = lines
        .map_while(|line| Some(line.trim().strip_prefix('#')?.trim()))
        .collect();
    all.join(" ")
}
