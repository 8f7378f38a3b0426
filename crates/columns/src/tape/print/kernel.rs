//! The whole text of a tape: what it says of itself, functions, and the statements.

use super::array::Array;
use super::error::PrintError;
use super::routine::{called, of_integers, of_reals};
use super::{body, c, cuda};
use crate::tape::element::Type;
use crate::tape::instruction::Code;
use crate::tape::lower::Tape;
use std::fmt::Write;

/// A language in which tapes are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A function in C with a loop over dot-adds, of which a compiler makes vector instructions.
    C,
    /// A kernel in CUDA C++ with a thread for each dot-add.
    Cuda,
}

/// A tape that is to be printed. Its inputs are the registers of the arrays: all of the first array,
/// then all of the second, and so on.
#[derive(Clone, Debug)]
pub struct Kernel<'x> {
    /// The name of the function.
    pub name: &'x str,
    /// Lines that say what is computed.
    pub about: &'x str,
    /// The tape. It has one result.
    pub tape: &'x Tape,
    /// The operands.
    pub inputs: Vec<Array>,
    /// The results.
    pub result: Array,
}

/// The types of 128 bits, where no other printed tape in the same file has defined them.
pub(super) const TYPES_OF_128: &str = "\
#ifndef MMASMT_TAPE_TYPES_OF_128_BITS
#define MMASMT_TAPE_TYPES_OF_128_BITS
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;
#endif

";

impl Kernel<'_> {
    /// The text of the tape in a language.
    ///
    /// # Errors
    /// If the tape has an operation that only tapes have that are split.
    pub fn text(&self, language: Language) -> Result<String, PrintError> {
        let indentation = match language {
            Language::C => "        ",
            Language::Cuda => "    ",
        };
        let mut body = String::new();
        for line in body::lines(self.tape, |input| self.register(input))? {
            let _ = writeln!(body, "{indentation}{line}");
        }
        let result = body::result(self.tape);
        let place = self.result.element(0, "lane");
        let _ = writeln!(
            body,
            "{indentation}{place} = (u{}){result};",
            self.result.bits()
        );
        let mut routines = match language {
            Language::C => c::routines(),
            Language::Cuda => cuda::routines(),
        };
        routines.extend(of_integers());
        routines.extend(of_reals());
        routines.extend(match language {
            Language::C => c::roundings(),
            Language::Cuda => cuda::roundings(),
        });
        let functions = called(&routines, &body);
        let is_wide = is_wide(self.tape);
        let wide = if is_wide { TYPES_OF_128 } else { "" };
        let has_floats = self.tape.uses_host();
        let (function, types, floats, whole) = match language {
            Language::C => {
                let floats = if has_floats { c::FLOATS } else { "" };
                let whole =
                    c::function(self.name, &self.inputs, &self.unused(), &self.result, &body);
                (c::FUNCTION, c::TYPES, floats, whole)
            }
            Language::Cuda => {
                let whole = cuda::kernel(self.name, &self.inputs, &self.result, &body);
                (cuda::FUNCTION, cuda::TYPES, "", whole)
            }
        };
        let functions = functions.replace("FN ", &format!("{function} "));
        let code = format!("{functions}{whole}").replace('@', &format!("{}_", self.name));
        Ok(format!(
            "{}\n{types}{wide}{floats}{code}",
            self.comment(language, has_floats, is_wide)
        ))
    }

    /// The comment at the head: what is computed, how operands lie, how it is compiled.
    fn comment(&self, language: Language, has_floats: bool, is_wide: bool) -> String {
        let mut lines = format!(
            "{}\n{} computes n dot-adds of any operands, infinities and NaNs as well. Of dot-add i:\n",
            self.about, self.name
        );
        for array in self.inputs.iter().chain([&self.result]) {
            let element = match array.length {
                1 => array.element(0, "i"),
                length => format!("{}[{length} * i + k], k < {length}", array.name),
            };
            let _ = writeln!(lines, "{element}: {}", array.what);
        }
        let name = &self.result.name;
        let _ = writeln!(
            lines,
            "Registers are native bits, in the low bits of their types; bits above them are not read. {name} overlaps no other array."
        );
        lines.push('\n');
        let (about, floats, wide) = match language {
            Language::C => (c::ABOUT, c::ABOUT_FLOATS, c::ABOUT_WIDE),
            Language::Cuda => (cuda::ABOUT, cuda::ABOUT_FLOATS, cuda::ABOUT_WIDE),
        };
        lines += about;
        lines += if has_floats { floats } else { "" };
        lines += if is_wide { wide } else { "" };
        comment(&lines)
    }

    /// The expression that reads an input.
    fn register(&self, input: usize) -> String {
        let mut first = input;
        for array in &self.inputs {
            if first < array.length {
                let element = array.element(first, "lane");
                return array.cut(element);
            }
            first -= array.length;
        }
        "0".into()
    }

    /// The arrays that no instruction reads.
    fn unused(&self) -> Vec<&str> {
        let instructions = self.tape.instructions.iter();
        let inputs = instructions.filter(|one| one.code == Code::Input);
        let read: Vec<usize> = inputs.map(|one| one.constants[0] as usize).collect();
        let mut first = 0;
        let mut unused = Vec::new();
        for array in &self.inputs {
            let own = first..first + array.length;
            if !read.iter().any(|input| own.contains(input)) {
                unused.push(&array.name[..]);
            }
            first = own.end;
        }
        unused
    }
}

/// The lines as a comment.
pub(super) fn comment(lines: &str) -> String {
    let mut text = String::from("/*\n");
    for line in lines.lines() {
        let line = format!(" * {}", line.replace("*/", "* /"));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text + " */\n"
}

/// Whether the tape has integers of 128 bits.
pub(super) fn is_wide(tape: &Tape) -> bool {
    let mut instructions = tape.instructions.iter();
    instructions.any(|one| one.to.max(one.from) == Type::U128)
}
