//! What a terminal gets: colour unless `NO_COLOR` is set, help as wide as the terminal and no wider, a progress line
//! that fits.

use std::process::Command;

/// What the program writes to a terminal of so many columns; none where no terminal can be had.
fn on_terminal(columns: usize, line: &str, no_color: bool) -> Option<String> {
    let program = env!("CARGO_BIN_EXE_mmasmt");
    let shell = format!("stty cols {columns} rows 40; exec {program} {line}");
    let mut script = Command::new("script");
    script.args(["-qec", &shell, "/dev/null"]);
    script.env_remove("NO_COLOR").env("TERM", "xterm-256color");
    if no_color {
        script.env("NO_COLOR", "1");
    }
    let Ok(output) = script.output() else {
        assert!(
            std::env::var_os("MMASMT_TOOLS").is_none(),
            "script (util-linux) is missing"
        );
        println!("left out: `script` is not here");
        return None;
    };
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The text without what moves the cursor and colours it.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\x1b' => {
                let rest = letters.by_ref();
                rest.find(|letter| letter.is_ascii_alphabetic());
            }
            letter => plain.push(letter),
        }
    }
    plain
}

#[test]
fn help_has_colour_unless_it_is_not_wanted() {
    for line in ["worst --help", "worst", "eval fda --nonsense"] {
        let Some(colour) = on_terminal(80, line, false) else {
            return;
        };
        assert!(colour.contains("\x1b["), "{line}: {colour}");
        let without = on_terminal(80, line, true).unwrap();
        assert!(!without.contains('\x1b'), "{line}: {without}");
        assert_eq!(plain(&colour), without, "{line}");
    }
}

#[test]
fn help_is_as_wide_as_the_terminal_and_no_wider() {
    for columns in [50, 80, 200] {
        for line in ["--help", "prove --help", "run --help", "identify -h"] {
            let Some(text) = on_terminal(columns, line, true) else {
                return;
            };
            let lines = text.lines().map(str::trim_end);
            // A word that is longer stays whole.
            let words = |line: &str| line.split_whitespace().count();
            let wide =
                lines.filter(|line| line.chars().count() > columns.min(100) && words(line) > 1);
            let wide: Vec<_> = wide.collect();
            assert!(wide.is_empty(), "{line} in {columns} columns: {wide:#?}");
        }
    }
}

#[test]
fn the_line_of_progress_fits_and_goes_away() {
    let line = "prove accumulates-in=f32 gdfs:in=nvfp4 --time 2500ms";
    let Some(text) = on_terminal(40, line, true) else {
        return;
    };
    let clear = "\x1b[2K";
    let lines: Vec<_> = text
        .split(clear)
        .map(|line| line.trim_matches('\r'))
        .collect();
    let (answer, lines) = lines.split_last().unwrap();
    assert!(!answer.contains("searching"), "{answer:?}");
    let drawn: Vec<_> = lines.iter().filter(|line| !line.contains('\n')).collect();
    assert!(!drawn.is_empty(), "{text:?}");
    for line in drawn {
        assert!(
            line.starts_with("accumulates-in") && line.chars().count() <= 40,
            "{line:?}"
        );
    }
}
