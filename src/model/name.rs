//! Instruction names: brace groups, free dimensions, and the formats that a PTX name tells.

use crate::float::Format;

/// The names that `pattern` stands for: each `{x,y}` group once with every choice.
pub(super) fn expand(pattern: &str) -> Vec<String> {
    let Some((head, rest)) = pattern.split_once('{') else {
        return vec![pattern.into()];
    };
    let Some((group, tail)) = rest.split_once('}') else {
        return vec![pattern.into()];
    };
    let tails = expand(tail);
    group
        .split(',')
        .flat_map(|choice| {
            tails
                .iter()
                .map(move |tail| format!("{head}{choice}{tail}"))
        })
        .collect()
}

/// Whether `name` is the row's name; an `M` or `N` behind `m` or `n` in the row stands for any
/// number, or for itself.
pub(super) fn matches(row: &str, name: &str) -> bool {
    let (mut row, mut name) = (row, name);
    let mut before = ' ';
    while let Some(letter) = row.chars().next() {
        row = &row[letter.len_utf8()..];
        if matches!((before, letter), ('m', 'M') | ('n', 'N')) {
            let digits = name.chars().take_while(char::is_ascii_digit).count();
            let taken = if name.starts_with(letter) { 1 } else { digits };
            if taken == 0 {
                return false;
            }
            name = &name[taken..];
        } else {
            match name.strip_prefix(letter) {
                Some(rest) => name = rest,
                None => return false,
            }
        }
        before = letter;
    }
    name.is_empty()
}

/// Formats of `d`, `a`, `b`, `c` that end a PTX name: `…d.a.b.c`, or `…d.a.b` where `c` is as `d`.
pub(super) fn formats(name: &str) -> Option<[Format; 4]> {
    let mut formats: Vec<Format> = name.split('.').rev().map_while(Format::named).collect();
    formats.reverse();
    match formats[..] {
        [d, a, b] => Some([d, a, b, d]),
        [d, a, b, c] => Some([d, a, b, c]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brace_groups_expand_in_order() {
        assert_eq!(
            expand("q.{a,b}.{c,d}"),
            ["q.a.c", "q.a.d", "q.b.c", "q.b.d"]
        );
        assert_eq!(expand("plain"), ["plain"]);
    }

    #[test]
    fn free_dimensions_match_numbers_and_themselves() {
        assert!(matches("wgmma.m64nNk16.f32", "wgmma.m64n8k16.f32"));
        assert!(matches("wgmma.m64nNk16.f32", "wgmma.m64nNk16.f32"));
        assert!(!matches("wgmma.m64nNk16.f32", "wgmma.m64nk16.f32"));
        assert!(!matches("wgmma.m64nNk16.f32", "wgmma.m64n8k32.f32"));
        assert!(!matches("mma.m16n8k16", "mma.m16n8k16.f32"));
    }

    #[test]
    fn formats_are_read_off_the_name() {
        let f = formats("mma.m16n8k16.f32.f16.f16.f32").unwrap();
        assert_eq!(f.map(|x| x.name()), ["f32", "f16", "f16", "f32"]);
        let f = formats("wgmma.m64nNk32.f16.e4m3.e5m2").unwrap();
        assert_eq!(f.map(|x| x.name()), ["f16", "e4m3", "e5m2", "f16"]);
        assert!(formats("HMMA.16816.F32").is_none());
    }
}
