//! Tapes: random expressions over columns against big integers, with every set of processor features.

use crate::common::garden::{WIDTHS, expressions, value};
use crate::common::setting::part_of;
use mmasmt_columns::tape::{
    ColumnIndex, ColumnType, Element, Features, LANES, Tape, TapeProgram, Type,
};
use mmasmt_numbers::bits::ranged::RangedInputs;
use mmasmt_numbers::bits::{Big, Bv, Concrete};
use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn fill<T: ColumnType>(program: &mut TapeProgram, place: ColumnIndex, values: &[u64]) {
    let column = program.column_mut::<T>(place).iter_mut();
    column
        .zip(values)
        .for_each(|(to, value)| *to = T::of((*value).into()));
}

fn load(program: &mut TapeProgram, index: usize, values: &[u64]) {
    let Some(place) = program.input(index) else {
        return;
    };
    match place.of {
        Type::U8 => fill::<u8>(program, place, values),
        Type::U16 => fill::<u16>(program, place, values),
        Type::U32 => fill::<u32>(program, place, values),
        Type::U64 => fill::<u64>(program, place, values),
        Type::U128 => fill::<u128>(program, place, values),
    }
}

fn read(program: &TapeProgram, place: ColumnIndex, lane: usize) -> u128 {
    fn one<T: ColumnType>(program: &TapeProgram, place: ColumnIndex, lane: usize) -> u128 {
        Element::number(program.column::<T>(place)[lane])
    }
    match place.of {
        Type::U8 => one::<u8>(program, place, lane),
        Type::U16 => one::<u16>(program, place, lane),
        Type::U32 => one::<u32>(program, place, lane),
        Type::U64 => one::<u64>(program, place, lane),
        Type::U128 => one::<u128>(program, place, lane),
    }
}

fn check(seeds: std::ops::Range<u64>, lanes: usize) {
    for seed in seeds {
        let mut rng = ChaCha8Rng::seed_from_u64(!seed);
        let widths = [(); 3].map(|()| WIDTHS[rng.random_range(0..WIDTHS.len())]);
        let inputs = RangedInputs::new();
        let made = expressions(seed, &widths.map(|width| inputs.input(width)));
        let nodes: Vec<_> = made.iter().map(|value| inputs.node_of(value)).collect();
        let tape = Tape::of(&inputs.graph(), &nodes).expect("a tape");
        let columns = widths
            .map(|width| -> Vec<u64> { (0..LANES).map(|_| value(&mut rng, width)).collect() });
        // Lanes that are looked at: a result of big integers takes a while.
        let looked_at: Vec<_> = (0..lanes).map(|_| rng.random_range(0..LANES)).collect();
        for features in Features::available() {
            let mut program = TapeProgram::new(&tape.fused(), features).expect("a program");
            for (index, column) in columns.iter().enumerate() {
                load(&mut program, index, column);
            }
            program.run();
            for &lane in &looked_at {
                let given = [0, 1, 2].map(|index| Big::lit(widths[index], columns[index][lane]));
                for (place, expected) in program.results().iter().zip(expressions(seed, &given)) {
                    let found = BigUint::from(read(&program, *place, lane));
                    let told = || format!("seed {seed}, {features:?}, {given:?}");
                    assert_eq!(found, expected.to_big(), "{}", told());
                }
            }
        }
    }
}

#[test]
fn random_expressions_over_columns_have_the_values_that_big_integers_give() {
    check(0..1500, 4);
}

#[test]
#[ignore = "minutes"]
fn many_random_expressions_over_columns() {
    check(1500..1500 + part_of(58_500) as u64, 8);
}
