//! Kernels in PTX: where vectors lie in their memory, and that an instruction that finds its operands where the vendor
//! says gives back the results of those vectors.

mod emulated;
mod layouts;

use emulated::Emulated;
use mmasmt_core::machines::model::{Model, architectures, find_architecture, find_row};
use mmasmt_questions::inputs::Sampler;
use mmasmt_questions::vectors::device::ptx::{Capability, PtxProgram};
use mmasmt_questions::vectors::device::tile::TilePlaces;
use mmasmt_questions::vectors::device::{Device, SoftwareDevice};
use proptest::prelude::*;

fn program(name: &str) -> PtxProgram {
    let (architecture, instruction) = name.split_once('/').unwrap();
    let row = find_row(find_architecture(architecture).unwrap(), instruction).unwrap();
    let capability = Capability::of_architecture(architecture).unwrap();
    PtxProgram::new(row, instruction, capability).unwrap()
}

/// Every instruction that there is a kernel for.
fn programs() -> Vec<PtxProgram> {
    let rows = architectures().unwrap().iter().flat_map(|one| &one.rows);
    rows.filter_map(|row| {
        let capability = Capability::of_architecture(&row.architecture)?;
        PtxProgram::new(row, &row.name, capability).ok()
    })
    .collect()
}

/// Whether no bit of the places lies beyond the memory or where `taken` has one; it has them from then on.
fn are_apart(places: &TilePlaces, taken: &mut [bool]) -> bool {
    (0..places.len())
        .flat_map(|element| places.of(element))
        .all(|&offset| {
            let bits = taken.get_mut(offset as usize..(offset + places.width()) as usize);
            bits.is_some_and(|bits| {
                let free = bits.iter().all(|bit| !bit);
                bits.fill(true);
                free
            })
        })
}

#[test]
fn every_element_has_its_own_place() {
    for program in programs() {
        let (tile, name) = (&program.tile, &program.instruction);
        let extent = tile.extent;
        let of_shape = |side: u32, other: u32| (extent.copies * side * other) as usize;
        assert_eq!(tile.a.len(), of_shape(extent.rows, extent.depth), "{name}");
        assert_eq!(
            tile.b.len(),
            of_shape(extent.columns, extent.depth),
            "{name}"
        );
        assert_eq!(
            tile.c.len(),
            of_shape(extent.rows, extent.columns),
            "{name}"
        );
        assert_eq!(
            tile.d.len(),
            of_shape(extent.rows, extent.columns),
            "{name}"
        );
        assert_eq!(
            tile.a_scales.len(),
            of_shape(extent.rows, extent.blocks),
            "{name}"
        );
        assert_eq!(
            tile.b_scales.len(),
            of_shape(extent.columns, extent.blocks),
            "{name}"
        );
        let mut taken = vec![false; 8 * tile.input_bytes as usize];
        for places in [&tile.a, &tile.b, &tile.c, &tile.a_scales, &tile.b_scales] {
            assert!(are_apart(places, &mut taken), "{name}");
        }
        assert!(
            are_apart(&tile.d, &mut vec![false; 8 * tile.output_bytes as usize]),
            "{name}"
        );
        assert!(tile.fits(&program.signature), "{name}");
    }
}

#[test]
fn every_row_of_nvidia_has_a_kernel_or_is_named_here() {
    let mut without: Vec<&str> = Vec::new();
    for architecture in architectures().unwrap() {
        let Some(capability) = Capability::of_architecture(&architecture.name) else {
            continue;
        };
        let missing = |row: &&mmasmt_core::machines::model::Row| {
            PtxProgram::new(row, &row.name, capability).is_err()
        };
        without.extend(
            architecture
                .rows
                .iter()
                .filter(missing)
                .map(|row| row.name.as_str()),
        );
    }
    assert_eq!(
        without,
        ["mma.block_scale.m16n8k64.block32.f32.e2m1.e2m1.f32.ue4m3"]
    );
}

#[test]
fn free_numbers_of_columns_are_those_asked_for() {
    let wide = program("hopper/wgmma.m64n128k16.f32.f16.f16");
    assert!(wide.text.contains("m64n128k16"));
    assert_eq!(wide.tile.vectors(), 64);
    assert_eq!(
        program("hopper/wgmma.m64nNk16.f32.f16.f16").tile.vectors(),
        8
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn an_instruction_that_finds_its_operands_gives_the_results_of_the_vectors(
        case in 0..layouts::CASES.len(), seed: u64, count in 1..70usize,
    ) {
        let name = layouts::CASES[case].instruction;
        let model = Model::parse(name).unwrap();
        let mut sampler = Sampler::new(model.signature(), seed);
        let inputs: Vec<_> = (0..count).map(|_| sampler.sample()).collect();
        let mut emulated = Emulated::new(program(name), &layouts::CASES[case]);
        let expected = SoftwareDevice::new(model).run(&inputs).unwrap();
        prop_assert_eq!(emulated.run(&inputs).unwrap(), expected, "{}", name);
    }
}

/// Every element of D has the result of the vector that is in every row and column, whatever the layout.
#[test]
fn all_elements_of_an_instruction_are_compared() {
    for case in layouts::CASES {
        let model = Model::parse(case.instruction).unwrap();
        let mut sampler = Sampler::new(model.signature(), 3);
        let inputs = [sampler.sample(), sampler.sample()];
        let expected = SoftwareDevice::new(model).run(&inputs).unwrap();
        let program = program(case.instruction);
        let extent = program.tile.extent;
        let found = Emulated::new(program, case).elements(&inputs).unwrap();
        assert_eq!(found.len(), 2);
        for (elements, expected) in found.into_iter().zip(expected) {
            let count = (extent.copies * extent.rows * extent.columns) as usize;
            assert_eq!(
                elements.results,
                vec![expected; count],
                "{}",
                case.instruction
            );
            assert_eq!(elements.first_difference(), None);
            let mut faulty = elements;
            faulty.results[count - 1] ^= 1;
            let found = faulty.first_difference().unwrap();
            let last = [extent.copies, extent.rows, extent.columns].map(|count| count as usize - 1);
            assert_eq!([found.copy, found.row, found.column], last);
        }
    }
}

/// The twin: with another layout than the vendor's the results are others.
#[test]
fn an_instruction_that_takes_its_operands_from_elsewhere_gives_other_results() {
    let name = "hopper/mma.m16n8k16.f32.f16.f16.f32";
    let wrong = &layouts::EXCHANGED;
    let model = Model::parse(name).unwrap();
    let mut sampler = Sampler::new(model.signature(), 1);
    let inputs: Vec<_> = (0..64).map(|_| sampler.sample()).collect();
    let mut emulated = Emulated::new(program(name), wrong);
    assert_ne!(
        emulated.run(&inputs).unwrap(),
        SoftwareDevice::new(model).run(&inputs).unwrap()
    );
}
