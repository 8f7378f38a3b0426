//! Kernels of products of matrices in CUDA C++, compiled as C++ with a header in place of CUDA: whole products against chains of
//! dot-adds on the processor, with infinities and NaNs in the middle of chains.

use crate::common::setting::by_day;
use crate::compiled::{answered_bytes, folder};
use crate::models::parsed;
use mmasmt_core::machines::algorithms::{Operand, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::circuits::export::{ExportFormat, ExportOptions, PortShape, Subject};
use mmasmt_questions::inputs::Kind;
use mmasmt_questions::matrices::device::DrawnOperands;
use mmasmt_questions::matrices::gemm;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// Bits of the integer that holds a register.
fn bits(width: u32) -> u32 {
    width.next_power_of_two().clamp(8, 64)
}

/// The text of the kernels of a model.
fn printed(model: &Model, name: &str) -> String {
    let options = ExportOptions {
        name: name.into(),
        shape: PortShape::Scalar,
        latency: 0,
        stem: name.into(),
    };
    let files = Subject::Model(model.clone()).export(ExportFormat::MatrixCuda, &options);
    files.unwrap()[0].text.clone()
}

/// The operands of a side in a call of a kernel: a matrix with its number of elements along k and its two distances.
fn arguments(signature: &Signature, is_left: bool) -> String {
    let mut text = String::new();
    for row in signature.rows() {
        let (own, count) = match row.operand {
            Operand::A | Operand::B => (row.operand == Operand::A, "depth"),
            Operand::AScales | Operand::BScales => (row.operand == Operand::AScales, "blocks"),
            Operand::C => continue,
        };
        let name = row.operand.name();
        match (own == is_left, is_left) {
            (true, true) => write!(text, "{name}, {count}, {count}, 1, ").unwrap(),
            (true, false) => write!(text, "{name}, {count}, 1, columns, ").unwrap(),
            _ => {}
        }
    }
    text
}

/// What starts the kernels of model `number`, some links at a time.
fn case(model: &Model, number: usize) -> String {
    let signature = model.signature();
    let mut takes = String::new();
    for row in signature.rows() {
        let count = match row.operand {
            Operand::A => "rows * depth",
            Operand::B => "depth * columns",
            Operand::C => "rows * columns",
            Operand::AScales => "rows * blocks",
            Operand::BScales => "blocks * columns",
        };
        let (bits, name) = (bits(row.format.width()), row.operand.name());
        write!(
            takes,
            "u{bits} *{name} = (u{bits} *)taken({count} * sizeof *{name}); "
        )
        .unwrap();
    }
    let [left, right] = [true, false].map(|is_left| arguments(&signature, is_left));
    let (products, d, c) = (
        signature.products,
        bits(signature.d.width()),
        bits(signature.c.width()),
    );
    let name = format!("k{number}");
    format!(
        "    case {number}: {{ {takes}
        u32 sizes[5]; {name}_sizes(sizes);
        if (sizes[2] > sizeof {name}_memory) return 1;
        const size_t tiles = (rows + sizes[3] - 1) / sizes[3], across = (columns + sizes[4] - 1) / sizes[4];
        const size_t all = depth ? (depth + {products} - 1) / {products} : 1;
        void *const lefts = room(tiles * together_links * sizes[0]), *const rights = room(across * together_links * sizes[1]);
        u{d} *d = (u{d} *)room(rows * columns * sizeof *d);
        u32 *stopped = (u32 *)room(rows * columns * 4);
        for (size_t first = 0; first < all; first += together_links) {{
            const u32 links = (u32)(all - first < together_links ? all - first : together_links);
            const u{c} *from = first ? (const u{c} *)d : c;
            in_turn(tiles * sizes[3] * links, [&] {{ {name}_left_side(rows, first, links, {left}({name}_left *)lefts); }});
            in_turn(across * sizes[4] * links, [&] {{ {name}_right_side(columns, first, links, {right}({name}_right *)rights); }});
            in_blocks((unsigned)across, (unsigned)tiles, 256, [=] {{ {name}_chain(rows, columns, links, (const {name}_left *)lefts, (const {name}_right *)rights, from, d, stopped); }});
            in_turn(rows * columns, [&] {{ {name}_general(rows, columns, first, links, {left}{right}from, d, stopped); }});
        }}
        for (size_t at = 0; at < rows * columns; at++) {{ const uint64_t word = d[at]; fwrite(&word, 8, 1, stdout); left_out += stopped[at] != ~0u; }}
        const uint64_t word = left_out; fwrite(&word, 8, 1, stdout); return 0; }}\n"
    )
}

const MAIN: &str = "\
static void *room(size_t bytes)
{
    void *all = aligned_alloc(16, (bytes + 31) / 16 * 16);
    if (!all) exit(1);
    return memset(all, 0xa5, (bytes + 31) / 16 * 16);
}
static void *taken(size_t bytes)
{
    void *all = room(bytes);
    if (fread(all, 1, bytes, stdin) != bytes) exit(1);
    return all;
}
int main()
{
    uint64_t head[6];
    if (fread(head, sizeof *head, 6, stdin) != 6) return 1;
    const size_t rows = head[1], columns = head[2], depth = head[3], blocks = head[4], together_links = head[5];
    uint64_t left_out = 0;
    (void)blocks;
    switch (head[0]) {
";

/// A program with the kernels of some models.
struct Kernels {
    models: Vec<Model>,
    folder: tempfile::TempDir,
}

impl Kernels {
    fn compile(models: Vec<Model>, options: &[&str]) -> Kernels {
        let folder = folder("products");
        let mut source =
            String::from("#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n");
        let mut cases = String::new();
        for (number, model) in models.iter().enumerate() {
            let name = format!("k{number}");
            fs::write(folder.path().join(&name), printed(model, &name)).unwrap();
            writeln!(source, "#include \"{name}\"\nuint4 {name}_memory[1 << 14];").unwrap();
            cases += &case(model, number);
        }
        let text = format!("{source}{MAIN}{cases}    }}\n    return 1;\n}}\n");
        fs::write(folder.path().join("main.cpp"), text).unwrap();
        let shim = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/export/shim.h");
        let mut command = Command::new("c++");
        command.current_dir(folder.path());
        command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror"]);
        command.args(["-Wno-unknown-pragmas", "-Wno-undef", "-include", shim]);
        command.args([
            "-ffp-contract=off",
            "-frounding-math",
            "-fno-strict-aliasing",
        ]);
        command.args(options);
        command.args(["main.cpp", "-o", "program", "-lm", "-pthread"]);
        assert!(command.status().unwrap().success(), "c++");
        Kernels { models, folder }
    }

    /// Compares a product of matrices with that of the processor; how many elements stopped at a link.
    fn compare(
        &self,
        number: usize,
        extents: [usize; 3],
        operands: &DrawnOperands,
        links: usize,
    ) -> u64 {
        let model = &self.models[number];
        let [rows, columns, depth] = extents;
        let signature = model.signature();
        let mut input = Vec::new();
        let scales = operands.matrix(Operand::AScales);
        let blocks = scales.map_or(0, |scales| scales.shape()[1]);
        for word in [number, rows, columns, depth, blocks, links] {
            input.extend((word as u64).to_ne_bytes());
        }
        for row in signature.rows() {
            let bytes = bits(row.format.width()) as usize / 8;
            match operands.matrix(row.operand) {
                Some(matrix) => matrix
                    .registers()
                    .for_each(|register| input.extend(&register.to_le_bytes()[..bytes])),
                None => input.extend(vec![0; rows * columns * bytes]),
            }
        }
        let output = answered_bytes(&self.folder.path().join("program"), input);
        let mut found = output.chunks_exact(8);
        let mut found = found
            .by_ref()
            .map(|word| u64::from_ne_bytes(word.try_into().unwrap()));
        let expected = gemm(model, &operands.product().unwrap(), &Limits::default()).unwrap();
        for (element, expected) in expected.registers().enumerate() {
            let place = [element / columns, element % columns];
            assert_eq!(
                found.next(),
                Some(expected),
                "{model}: {place:?} of {extents:?}"
            );
        }
        found.next().unwrap()
    }
}

const MODELS: [&str; 10] = [
    "hopper/HMMA.16816.F32",
    "hopper/HMMA.16816.F32.BF16",
    "fda:F=13,K=32,in=e4m3",
    "fda:F=25,K=8,in=tf32",
    "fda:F=25,K=32,in=e2m1,scale=ue8m0,block=32",
    "gfdrda:K=16",
    "fdrda:K=8",
    "gdfs:F=35",
    "ieee:K=4",
    "sfma:K=4",
];

/// Products of all kinds of operands at odd sizes, for kernels compiled with some options.
fn compare(models: &[&str], options: &[&str]) {
    let kernels = Kernels::compile(parsed(models), options);
    for (number, model) in kernels.models.iter().enumerate() {
        let signature = model.signature();
        let products = signature.products as usize;
        let chain = signature.c == signature.d;
        let depth = if chain {
            3 * products + products / 2
        } else {
            products
        };
        let mut left = 0;
        for (seed, kind) in Kind::ALL.into_iter().enumerate() {
            let kinds = [kind, Kind::ALL[(seed + 3) % Kind::ALL.len()]];
            let (rare, extents) = ([0, 40, 7][seed % 3], [37, 21, depth]);
            let operands = DrawnOperands::new(model, kinds, rare, extents, seed as u64).unwrap();
            left += kernels.compare(number, extents, &operands, [2, 9][seed % 2]);
        }
        // More than one tile.
        let (kinds, extents) = ([Kind::ALL[0], Kind::ALL[1]], [135, 70, depth]);
        let operands = DrawnOperands::new(model, kinds, 500, extents, 1).unwrap();
        left += kernels.compare(number, extents, &operands, 2);
        println!("{model}: {left} elements stopped");
        assert!(left > 0, "{model}");
    }
}

#[test]
fn kernels_of_products_are_the_simulators() {
    let some: Vec<&str> = by_day(MODELS, 4).collect();
    compare(&some, &["-O1"]);
}

/// As GPUs that cut products in f64, and that have a greatest sum of pairs.
#[test]
fn kernels_in_f64_are_the_simulators() {
    let some: Vec<&str> = by_day(&MODELS[..5], 2).copied().collect();
    compare(&some, &["-O1", "-D__CUDA_ARCH__=900"]);
}

#[test]
#[ignore = "takes a minute: threads that are watched for races"]
fn threads_of_a_block_do_not_race() {
    compare(&MODELS[..1], &["-O1", "-fsanitize=thread", "-g"]);
}
