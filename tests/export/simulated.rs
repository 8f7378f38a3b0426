//! Exported modules, run by Verilog simulators on rows of inputs.

use crate::compiled::{answered, exported, folder};
use mmasmt_numbers::bits::circuit::Port;
use mmasmt_questions::circuits::export::{ExportFormat, PortShape, Subject};
use num_bigint::BigUint;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A module and its ports, in a folder of its own.
pub struct Module {
    folder: tempfile::TempDir,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
}

impl Module {
    pub fn new(
        name: &str,
        subject: &Subject,
        shape: PortShape,
        inputs: Vec<Port>,
        outputs: Vec<Port>,
    ) -> Self {
        let files = exported(subject, ExportFormat::Verilog, shape, "mma");
        Module::of_text(name, &files[0].text, inputs, outputs)
    }

    /// A module `mma` in Verilog.
    pub fn of_text(name: &str, text: &str, inputs: Vec<Port>, outputs: Vec<Port>) -> Self {
        let folder = folder(name);
        fs::write(folder.path().join("mma.v"), text).unwrap();
        Module {
            folder,
            inputs,
            outputs,
        }
    }

    /// A test bench that reads `rows.hex` and prints the outputs of each row in one line.
    fn write_bench(&self, rows: &[Vec<BigUint>]) {
        let wide: u32 = self.inputs.iter().map(|port| port.width).sum();
        let mut text = format!(
            "module bench;\n    reg [{}:0] rows [0:{}];\n    reg [{}:0] row;\n    integer index;\n",
            wide - 1,
            rows.len() - 1,
            wide - 1
        );
        let mut connections = Vec::new();
        let mut at = 0;
        for port in &self.inputs {
            connections.push(format!(".{}(row[{}:{at}])", port.name, at + port.width - 1));
            at += port.width;
        }
        for port in &self.outputs {
            writeln!(text, "    wire [{}:0] {};", port.width - 1, port.name).unwrap();
            connections.push(format!(".{}({})", port.name, port.name));
        }
        let names: Vec<_> = self.outputs.iter().map(|port| port.name.as_str()).collect();
        let formats = vec!["%h"; names.len()].join(" ");
        writeln!(
            text,
            "    mma unit({});\n    initial begin\n        $readmemh(\"rows.hex\", rows);\n        \
             for (index = 0; index < {}; index = index + 1) begin\n            row = rows[index];\n            \
             #1 $display(\"{formats}\", {});\n        end\n        $finish;\n    end\nendmodule",
            connections.join(", "), rows.len(), names.join(", ")
        )
        .unwrap();
        fs::write(self.folder.path().join("bench.v"), text).unwrap();
        let mut hex = String::new();
        for row in rows {
            let mut all = BigUint::ZERO;
            for (port, value) in self.inputs.iter().zip(row).rev() {
                all = (all << port.width) + value;
            }
            writeln!(hex, "{all:x}").unwrap();
        }
        fs::write(self.folder.path().join("rows.hex"), hex).unwrap();
    }

    fn run(&self, tool: &str, options: &[&str]) {
        run(self.folder.path(), tool, options);
    }

    fn read(&self, text: &str, rows: usize) -> Vec<Vec<BigUint>> {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with('-') && !line.is_empty());
        let number = |text: &str| {
            BigUint::parse_bytes(text.as_bytes(), 16).unwrap_or_else(|| panic!("`{text}`"))
        };
        let read: Vec<Vec<BigUint>> = lines
            .map(|line| line.split(' ').map(number).collect())
            .collect();
        assert_eq!(read.len(), rows);
        read
    }

    fn simulate(&self, program: &str) -> String {
        // Test benches read their rows from the folder that they stand in.
        let script = self.folder.path().join("simulate.sh");
        fs::write(
            &script,
            format!("cd '{}' && exec {program}\n", self.folder.path().display()),
        )
        .unwrap();
        let shell = self.folder.path().join("sh");
        let _ = std::os::unix::fs::symlink("/bin/sh", &shell);
        answered(&shell, &fs::read_to_string(script).unwrap())
    }

    /// The outputs for each row by Icarus Verilog.
    pub fn iverilog(&self, rows: &[Vec<BigUint>]) -> Vec<Vec<BigUint>> {
        self.write_bench(rows);
        self.run(
            "iverilog",
            &[
                "-g2005",
                "-Wall",
                "-Wno-timescale",
                "-o",
                "mma.vvp",
                "bench.v",
                "mma.v",
            ],
        );
        self.read(&self.simulate("vvp -n mma.vvp"), rows.len())
    }

    /// Verilator finds nothing to say about the module.
    pub fn lint(&self) {
        let options = ["--lint-only", "-Wall", "--top-module", "mma", "mma.v"];
        self.run("verilator", &options);
    }

    /// The outputs for each row by Verilator, which finds nothing to say about the module.
    pub fn verilator(&self, rows: &[Vec<BigUint>]) -> Vec<Vec<BigUint>> {
        self.write_bench(rows);
        self.lint();
        self.run(
            "verilator",
            &[
                "--binary",
                "-O0",
                "-Wno-fatal",
                "--top-module",
                "bench",
                "bench.v",
                "mma.v",
            ],
        );
        self.read(&self.simulate("obj_dir/Vbench"), rows.len())
    }
}

/// What a tool prints that is run in a folder; it must succeed.
pub fn run(folder: &Path, tool: &str, options: &[&str]) -> String {
    let mut command = Command::new(tool);
    command.current_dir(folder).args(options);
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{tool}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool}: {said}");
    String::from_utf8(output.stdout).unwrap()
}
