//! Names of functions and modules that all languages take.

/// Words that are not allowed as names in C, C++ or SystemVerilog. The list has only words that
/// someone may choose as the name of a model.
const RESERVED: &[&str] = &[
    "alias",
    "always",
    "and",
    "assert",
    "assign",
    "auto",
    "begin",
    "bit",
    "bool",
    "break",
    "buf",
    "byte",
    "case",
    "char",
    "class",
    "clk",
    "const",
    "continue",
    "cover",
    "default",
    "delete",
    "design",
    "disable",
    "do",
    "double",
    "edge",
    "else",
    "end",
    "enum",
    "event",
    "export",
    "extern",
    "final",
    "float",
    "for",
    "force",
    "function",
    "generate",
    "goto",
    "if",
    "import",
    "initial",
    "inline",
    "input",
    "int",
    "integer",
    "logic",
    "long",
    "main",
    "module",
    "namespace",
    "new",
    "not",
    "or",
    "output",
    "package",
    "parameter",
    "private",
    "program",
    "property",
    "public",
    "real",
    "ref",
    "reg",
    "register",
    "release",
    "return",
    "sequence",
    "short",
    "signed",
    "sizeof",
    "static",
    "string",
    "struct",
    "switch",
    "table",
    "task",
    "template",
    "this",
    "time",
    "typedef",
    "union",
    "unsigned",
    "use",
    "var",
    "virtual",
    "void",
    "volatile",
    "wait",
    "while",
    "wire",
    "with",
    "xor",
];

/// Whether the text can name a function and a module.
pub(super) fn is_name(text: &str) -> bool {
    let first = text
        .chars()
        .next()
        .is_some_and(|letter| letter.is_ascii_alphabetic());
    let rest = text
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    // The names of ports and signals consist of one of these prefixes and digits.
    let digits = |text: &str| text.chars().all(|letter| letter.is_ascii_digit());
    let is_signal = ["a", "b", "c", "d", "sa", "sb", "n", "t"]
        .iter()
        .any(|prefix| text.strip_prefix(prefix).is_some_and(digits));
    first && rest && text.len() <= 64 && !RESERVED.contains(&text) && !is_signal
}
