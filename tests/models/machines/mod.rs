//! Machines that are described in `models/units`, each against a reference over plain integers.

mod draw;
mod others;
mod tenstorrent;
mod tenstorrent_reference;
mod twelve_lines;
mod x86;

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The model of a file of `models/units` with these keys.
fn unit(file: &str, keys: &str) -> Model {
    let mut name = format!("unit:models/units/{file}.unit");
    if !keys.is_empty() {
        name += &format!(":{keys}");
    }
    Model::parse(&name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Compares the model with what `expected` says of drawn inputs, on words and now and then on big integers.
fn compare(
    model: &Model,
    count: usize,
    rng: &mut ChaCha8Rng,
    mut draw: impl FnMut(&mut ChaCha8Rng) -> Inputs,
    expected: impl Fn(&Inputs) -> u64,
) {
    let signature = model.signature();
    let mut simulator = model.simulator();
    for number in 0..count {
        let inputs = draw(rng);
        let (found, expected) = (simulator.evaluate(&inputs).unwrap(), expected(&inputs));
        let line = || inputs.to_line(&signature);
        assert_eq!(
            found,
            expected,
            "{model}: {found:x}, reference {expected:x} for {}",
            line()
        );
        if number % 50 == 0 {
            let big = model.evaluate_big(&inputs).unwrap();
            assert_eq!(
                big,
                expected,
                "{model}: {big:x} on big integers for {}",
                line()
            );
        }
    }
}

fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}
