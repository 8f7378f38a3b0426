//! Exported functions, compiled by the C compiler of this machine into one program that reads inputs and prints results.

use mmasmt_questions::circuits::export::{
    ExportFormat, ExportOptions, Exported, PortShape, Subject,
};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder that is removed in the end.
pub fn folder(name: &str) -> tempfile::TempDir {
    let prefix = format!("mmasmt-export-{name}-");
    tempfile::Builder::new().prefix(&prefix).tempdir().unwrap()
}

/// The files of an export that is called `name`.
pub fn exported(
    subject: &Subject,
    format: ExportFormat,
    shape: PortShape,
    name: &str,
) -> Vec<Exported> {
    let options = ExportOptions {
        name: name.into(),
        shape,
        latency: 0,
        stem: name.into(),
    };
    subject.export(format, &options).unwrap()
}

/// Functions in C, each with the widths of its inputs; a packed row is an array.
pub struct Functions {
    pub folder: tempfile::TempDir,
    sources: Vec<PathBuf>,
    calls: String,
    includes: String,
}

impl Functions {
    pub fn new(name: &str) -> Self {
        Functions {
            folder: folder(name),
            sources: Vec::new(),
            calls: String::new(),
            includes: String::new(),
        }
    }

    /// Adds the function `name`, which takes arrays of these lengths, or integers where there is none.
    pub fn add(
        &mut self,
        subject: &Subject,
        shape: PortShape,
        name: &str,
        arrays: &[Option<(u32, u32)>],
    ) {
        let files = exported(subject, ExportFormat::C, shape, name);
        self.add_files(&files, name, arrays);
    }

    /// The same with files that are given.
    pub fn add_files(&mut self, files: &[Exported], name: &str, arrays: &[Option<(u32, u32)>]) {
        for file in files {
            let path = self
                .folder
                .path()
                .join(format!("{name}.{}", file.extension));
            fs::write(&path, &file.text).unwrap();
            if file.extension == "c" {
                self.sources.push(path);
            }
        }
        writeln!(self.includes, "#include \"{name}.h\"").unwrap();
        let number = self.sources.len() - 1;
        let mut body = String::new();
        let mut arguments = Vec::new();
        let mut at = 0;
        for (index, array) in arrays.iter().enumerate() {
            match array {
                None => {
                    arguments.push(format!("in[{at}]"));
                    at += 1;
                }
                Some((length, width)) => {
                    let kind = ["uint8_t", "uint16_t", "uint32_t", "uint64_t"]
                        [(width.div_ceil(8).next_power_of_two()).trailing_zeros() as usize];
                    write!(body, "{kind} r{index}[{length}]; for (int k = 0; k < {length}; k++) r{index}[k] = in[{at} + k];").unwrap();
                    arguments.push(format!("r{index}"));
                    at += *length as usize;
                }
            }
        }
        writeln!(
            self.calls,
            "    case {number}: {{ {body} return {name}({}); }}",
            arguments.join(", ")
        )
        .unwrap();
    }

    /// Compiles all with these options; warnings are errors.
    pub fn compile(&self, options: &[&str]) -> Program {
        let main = self.folder.path().join("main.c");
        let text = format!(
            "#include <stdio.h>\n#include <inttypes.h>\n{}\n\
             static uint64_t call(int number, const uint64_t *in)\n{{\n    switch (number) {{\n{}    }}\n    return 0;\n}}\n\
             int main(void)\n{{\n    static uint64_t in[8192];\n    uint64_t head[2];\n\
             while (fread(head, sizeof *head, 2, stdin) == 2) {{\n        \
             if (head[1] > 8192 || fread(in, sizeof *in, head[1], stdin) != head[1]) return 1;\n        \
             const uint64_t result = call((int)head[0], in);\n        \
             fwrite(&result, sizeof result, 1, stdout);\n    }}\n    return 0;\n}}\n",
            self.includes, self.calls
        );
        fs::write(&main, text).unwrap();
        let program = self.folder.path().join("program");
        let (first, rest) = self.sources.split_at(self.sources.len() / 2);
        // Two compilers side by side.
        let compile = |sources: &[PathBuf]| {
            (!sources.is_empty()).then(|| {
                let mut command = Command::new("cc");
                command.current_dir(self.folder.path()).arg("-c");
                command.args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
                command.args(options).args(sources).spawn().unwrap()
            })
        };
        let running = [compile(first), compile(rest)];
        for mut child in running.into_iter().flatten() {
            assert!(child.wait().unwrap().success(), "the C compiler");
        }
        let objects = self.sources.iter().map(|source| source.with_extension("o"));
        let mut link = Command::new("cc");
        link.args(options)
            .arg("-o")
            .arg(&program)
            .arg(&main)
            .args(objects);
        assert!(link.status().unwrap().success());
        Program(program)
    }
}

/// A program that reads the number of a function and its inputs as 64-bit words, and writes the result as one.
pub struct Program(PathBuf);

impl Program {
    /// The results of calls: a function and its inputs each.
    pub fn results(&self, calls: &[(usize, Vec<u64>)]) -> Vec<u64> {
        let mut input = Vec::new();
        for (number, inputs) in calls {
            let head = [*number as u64, inputs.len() as u64];
            let words = head.iter().chain(inputs);
            words.for_each(|word| input.extend(word.to_ne_bytes()));
        }
        let results = answered_bytes(&self.0, input);
        let words = results.chunks_exact(8);
        words
            .map(|word| u64::from_ne_bytes(word.try_into().unwrap()))
            .collect()
    }
}

/// What a program prints that gets `input`; it must succeed, and say nothing on standard error.
pub fn answered(program: &Path, input: &str) -> String {
    String::from_utf8(answered_bytes(program, input.into())).unwrap()
}

/// The same in bytes.
pub fn answered_bytes(program: &Path, input: Vec<u8>) -> Vec<u8> {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    output.stdout
}
