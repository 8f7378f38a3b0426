//! Processors that are not here, emulated by QEMU: small programs (`kernels/cpu`) answer inputs as silicon does. Where a cross compiler or
//! QEMU is missing the test says so; with `MMASMT_TOOLS` set the long one fails.

use super::KINDS;
use crate::setting::{one_in, setting};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::{ClosedLoop, Identification, IdentifyOptions, family};
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::vectors::device::{CommandDevice, Device, LiveDevice};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// An architecture: its program, its compiler, and what runs it.
struct Emulated {
    name: &'static str,
    compiler: &'static str,
    options: &'static [&'static str],
    runs: &'static str,
    instructions: &'static [&'static str],
}

const ARM: Emulated = Emulated {
    name: "arm",
    compiler: "aarch64-linux-gnu-gcc",
    options: &[],
    runs: "qemu-aarch64 -cpu max",
    instructions: &[
        "bfdot.ebf0",
        "bfmmla.ebf0",
        "bfdot.ebf1",
        "bfmmla.ebf1",
        "bfmlalb",
        "sdot",
        "udot",
        "usdot",
        "sudot",
        "smmla",
        "ummla",
        "usmmla",
    ],
};

const POWER: Emulated = Emulated {
    name: "power",
    compiler: "powerpc64le-linux-gnu-gcc",
    options: &["-mcpu=power10"],
    runs: "qemu-ppc64le -cpu power10",
    instructions: &[
        "xvbf16ger2pp",
        "xvi4ger8pp",
        "xvi8ger4pp",
        "xvi8ger4spp",
        "xvi16ger2pp",
        "xvi16ger2spp",
    ],
};

const RISCV: Emulated = Emulated {
    name: "riscv",
    compiler: "riscv64-linux-gnu-gcc",
    options: &[],
    runs: "qemu-riscv64 -cpu max",
    instructions: &["vfwmaccbf16.vv"],
};

impl Emulated {
    /// The program, compiled into `folder`; none if something of what it takes is not here.
    fn compiled(&self, folder: &Path) -> Option<PathBuf> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/cpu");
        let program = folder.join(self.name);
        let mut compile = Command::new(self.compiler);
        compile.args(["-O2", "-static"]).args(self.options);
        compile.arg("-o").arg(&program);
        let compiled = compile
            .arg(source.join(format!("{}.c", self.name)))
            .status();
        let emulator = self.runs.split(' ').next().unwrap();
        let has_emulator = Command::new(emulator).arg("--version").output().is_ok();
        match compiled {
            Ok(status) if has_emulator => {
                assert!(
                    status.success(),
                    "{} does not compile {}.c",
                    self.compiler,
                    self.name
                );
                Some(program)
            }
            _ => None,
        }
    }

    fn command(&self, program: &Path, instruction: &str) -> String {
        format!("{} {} {instruction}", self.runs, program.display())
    }

    /// A device that is asked the instruction; none if this version of the emulator does not have it.
    fn device(&self, program: &Path, instruction: &str, row: &Model) -> Option<LiveDevice> {
        let command = self.command(program, instruction);
        let device = || LiveDevice::new(&command, row.signature(), Limits::default());
        match device().run(&[Inputs::zero(&row.signature())]) {
            Ok(_) => Some(device()),
            Err(error) => {
                eprintln!("skipped: {row}: {error}");
                None
            }
        }
    }
}

/// `count` inputs of all kinds for every instruction, against its row.
#[track_caller]
fn agrees(emulated: &Emulated, count: usize, must: bool) {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = emulated.compiled(folder.path()) else {
        let needed = format!("{} and {}", emulated.compiler, emulated.runs);
        assert!(
            !must || std::env::var_os("MMASMT_TOOLS").is_none(),
            "{needed} are missing"
        );
        eprintln!("skipped: {needed} are not here");
        return;
    };
    for instruction in emulated.instructions {
        let model = Model::parse(&format!("{}/{instruction}", emulated.name)).unwrap();
        let signature = model.signature();
        let Some(mut device) = emulated.device(&program, instruction, &model) else {
            assert!(
                !must || std::env::var_os("MMASMT_TOOLS").is_none(),
                "{} does not run {instruction}: expected QEMU 10",
                emulated.runs
            );
            continue;
        };
        let mut simulator = model.simulator();
        for kind in KINDS {
            let mut draw = Draw::new(signature, kind, 7);
            let mut left = count / KINDS.len();
            while left > 0 {
                let some = left.min(4096);
                left -= some;
                let inputs: Vec<Inputs> = (0..some).map(|_| draw.draw()).collect();
                let answers = device.run(&inputs).unwrap();
                for (inputs, d) in inputs.iter().zip(answers) {
                    let computed = simulator.evaluate(inputs).unwrap();
                    let line = inputs.to_line(&signature);
                    assert_eq!(
                        computed, d,
                        "{model} on {line}: {computed:08x}, emulated {d:08x}"
                    );
                }
            }
        }
    }
}

#[test]
fn emulated_instructions_are_their_rows() {
    agrees(&ARM, 1200, false);
    agrees(&POWER, 1200, false);
    agrees(&RISCV, 1200, false);
}

#[test]
#[ignore = "half a minute: a hundred thousand inputs of each instruction"]
fn many_inputs_of_emulated_instructions() {
    agrees(&ARM, 100_000, true);
    agrees(&POWER, 100_000, true);
    agrees(&RISCV, 100_000, true);
}

/// A wrong reading is refuted, and a program that is started for every batch answers as one that stays.
#[test]
fn emulated_answers_refute_other_readings() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = ARM.compiled(folder.path()) else {
        eprintln!("skipped: {} and {} are not here", ARM.compiler, ARM.runs);
        return;
    };
    for (instruction, changes) in [
        ("bfdot.ebf0", ["round=rne", "order=fused", "results=keep"]),
        ("smmla", ["overflow=saturate", "a=u8,b=s8", "b=u8,a=s8"]),
    ] {
        let row = Model::parse(&format!("arm/{instruction}")).unwrap();
        let signature = row.signature();
        let command = ARM.command(&program, instruction);
        let mut draw = Draw::new(signature, Kind::Feature, 3);
        let mut edge = Draw::new(signature, Kind::Close, 3);
        let inputs: Vec<Inputs> = (0..3000)
            .map(|number| match number % 2 {
                0 => draw.draw(),
                _ => edge.draw(),
            })
            .collect();
        let mut live = LiveDevice::new(&command, signature, Limits::default());
        let answers = live.run(&inputs).unwrap();
        let mut batch = CommandDevice::new(&command, signature, Limits::default());
        assert_eq!(batch.run(&inputs).unwrap(), answers);
        for change in changes {
            let wrong = row.with(change).unwrap();
            let mut simulator = wrong.simulator();
            let mut pairs = inputs.iter().zip(&answers);
            let differs = pairs.any(|(inputs, d)| simulator.evaluate(inputs).unwrap() != *d);
            assert!(differs, "{wrong}");
        }
    }
}

/// The closed loop names emulated units, from each of so many seeds.
fn are_identified(units: &[(&Emulated, &str)], named: &str, seeds: u64) {
    units.par_iter().for_each(|(emulated, instruction)| {
        let folder = tempfile::tempdir().unwrap();
        match emulated.compiled(folder.path()) {
            Some(program) => is_identified((*emulated, &program), instruction, named, seeds),
            None => eprintln!("skipped: {} is not here", emulated.compiler),
        }
    });
}

fn is_identified(
    (emulated, program): (&Emulated, &Path),
    instruction: &str,
    named: &str,
    seeds: u64,
) {
    let row = Model::parse(&format!("{}/{instruction}", emulated.name)).unwrap();
    let candidates = family(named, Some(&row)).unwrap();
    for seed in 1..=seeds {
        let Some(mut device) = emulated.device(program, instruction, &row) else {
            continue;
        };
        let start = Instant::now();
        let options = IdentifyOptions::default().seed(seed);
        let limits = Limits::default();
        let asking = ClosedLoop::new(&candidates, &options).unwrap();
        let found = asking
            .confirming(200)
            .identify(&mut device, &limits)
            .unwrap();
        assert_eq!(
            found.verdict(),
            Identification::Identified,
            "{instruction}, seed {seed}"
        );
        let class = found.classes[0].iter();
        let names: Vec<String> = class.map(|&index| candidates[index].canonical()).collect();
        assert!(names.contains(&row.canonical()), "{instruction}: {names:?}");
        let (asked, seconds) = (found.asked.len(), start.elapsed().as_secs());
        eprintln!("{row}, seed {seed}: {asked} questions, {seconds} s");
    }
}

#[test]
fn emulated_integers_are_identified() {
    let units = [(&ARM, "smmla"), (&POWER, "xvi16ger2spp")];
    are_identified(&units, "integers", 3);
}

#[test]
#[ignore = "minutes: closed loops among hundreds of candidates, from as many seeds as MMASMT_SEEDS says, else 5"]
fn emulated_sums_of_bf16_are_identified() {
    let seeds = setting("MMASMT_SEEDS", 5);
    let units = [
        (&RISCV, "vfwmaccbf16.vv"),
        (&POWER, "xvbf16ger2pp"),
        (&ARM, "bfdot.ebf0"),
        (&ARM, "bfmlalb"),
        (&ARM, "bfdot.ebf1"),
        (&ARM, "bfmmla.ebf0"),
        (&ARM, "bfmmla.ebf1"),
    ];
    // Those of Arm take a minute or two for each seed.
    let asked = if one_in() > 1 { 3 } else { units.len() };
    are_identified(&units[..asked], "processors", seeds);
}
