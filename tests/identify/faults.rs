//! Stuck-at faults: which inputs show them, against every input of small circuits and against recorded faulty silicon.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::blast::{Gate, Netlist, SignalBits, Wire};
use mmasmt_questions::claims::property::{Domain, input_numbers};
use mmasmt_questions::identify::{IdentifyOptions, faults};
use mmasmt_questions::vectors::parse_line;
use std::time::Duration;

fn model(text: &str) -> Model {
    Model::parse(text).unwrap()
}

/// The gates of a model and the bits of its result, made again here.
fn circuit(model: &Model) -> (Netlist, Vec<Wire>) {
    let signature = model.signature();
    let numbers = input_numbers(&signature);
    Netlist::of(|| {
        let inputs = numbers.map(&signature, |format, number| {
            SignalBits::input(*number, format.width())
        });
        model.result_alone::<SignalBits>(&inputs).wires()
    })
}

/// For each fault in turn, which of these inputs (64 at most, a bit for each) have another result with it.
fn shown(model: &Model, (netlist, outputs): &(Netlist, Vec<Wire>), block: &[Inputs]) -> Vec<u64> {
    let signature = model.signature();
    let numbers = input_numbers(&signature);
    let word = |input: u32, bit: u32| {
        let place = numbers
            .each(&signature)
            .position(|(_, number)| *number == input);
        let registers = block
            .iter()
            .map(|inputs| place.map_or(0, |place| *inputs.each(&signature).nth(place).unwrap().1));
        registers
            .enumerate()
            .fold(0, |word, (at, register)| word | (register >> bit & 1) << at)
    };
    let inputs: Vec<u64> = (netlist.gates().iter())
        .map(|gate| match *gate {
            Gate::Input { input, bit } => word(input, bit),
            _ => 0,
        })
        .collect();
    let run = |fault: Option<(usize, bool)>| -> Vec<u64> {
        let mut values: Vec<u64> = Vec::new();
        let is = |values: &[u64], wire: Wire| {
            values[wire.gate()] ^ u64::from(wire.is_negated()).wrapping_neg()
        };
        for (at, gate) in netlist.gates().iter().enumerate() {
            let of = |wire| is(&values, wire);
            let own = match *gate {
                Gate::False => 0,
                Gate::Input { .. } => inputs[at],
                Gate::And(a, b) => of(a) & of(b),
                Gate::Xor(a, b) => of(a) ^ of(b),
                Gate::Mux(c, t, e) => of(c) & of(t) | !of(c) & of(e),
            };
            values.push(match fault {
                Some((gate, stuck)) if gate == at => u64::from(stuck).wrapping_neg(),
                _ => own,
            });
        }
        outputs.iter().map(|wire| is(&values, *wire)).collect()
    };
    let good = run(None);
    let mask = u64::MAX >> (64 - block.len());
    let each = needed(netlist, outputs).into_iter();
    each.flat_map(|gate| [(gate, false), (gate, true)])
        .map(|fault| {
            let bits = run(Some(fault)).into_iter().zip(&good);
            bits.fold(0, |any, (own, good)| any | (own ^ good) & mask)
        })
        .collect()
}

fn needed(netlist: &Netlist, outputs: &[Wire]) -> Vec<usize> {
    let gates = netlist.gates();
    let mut needed = vec![false; gates.len()];
    outputs.iter().for_each(|wire| needed[wire.gate()] = true);
    for at in (0..gates.len()).rev() {
        if needed[at] {
            gates[at]
                .operands()
                .for_each(|wire| needed[wire.gate()] = true);
        }
    }
    (1..gates.len()).filter(|at| needed[*at]).collect()
}

/// For each fault, whether any of the inputs shows it.
fn any_shown(model: &Model, all: &[Inputs]) -> Vec<bool> {
    let circuit = circuit(model);
    let blocks = all.chunks(64).map(|block| shown(model, &circuit, block));
    let any = blocks.reduce(|x, y| x.iter().zip(&y).map(|(x, y)| x | y).collect());
    any.unwrap().into_iter().map(|shown| shown != 0).collect()
}

/// All inputs of small units are tried: none shows a fault that is proved hidden, and the few inputs show all others.
#[test]
fn faults_are_shown_or_hidden_as_all_inputs_say() {
    for name in [
        "unit:{unit small { a, b: e2m1[1]  c, d: e2m1  d = round(sum(a[0] * b[0], c)) to e2m1 by rne }}",
        "unit:{unit short { a, b: e2m1[1]  d: e4m3  t = fuse(a[0] * b[0]) keep 1 by rz  d = round(t) to e4m3 by rne nan quiet }}",
        "int:K=4,in=b1,acc=s16",
    ] {
        let model = model(name);
        let options = IdentifyOptions::default();
        let found = faults(&model, None, &options, &Limits::default()).unwrap();
        assert_eq!(found.open, 0, "{name}");
        assert_eq!(found.shown + found.hidden, found.faults(), "{name}");
        let by_few = any_shown(&model, &found.inputs);
        assert_eq!(
            by_few.iter().filter(|is_shown| **is_shown).count(),
            found.shown,
            "{name}"
        );
        let domain = if model.signature().is_integer() {
            "c from -8..7"
        } else {
            "finite"
        };
        let listed = Domain::of(domain, &model)
            .unwrap()
            .listed(1 << 13, false)
            .unwrap();
        let all: Vec<Inputs> = (0..listed.count())
            .map(|number| listed.input(number))
            .collect();
        let by_all = any_shown(&model, &all);
        let more = by_all
            .iter()
            .zip(&by_few)
            .filter(|(all, few)| **all && !**few);
        assert_eq!(more.count(), 0, "{name}, {} inputs", all.len());
        let hidden = by_all.iter().filter(|is_shown| !**is_shown).count();
        assert!(
            model.signature().is_integer() || hidden == found.hidden,
            "{name}: {hidden}, {found:?}"
        );
    }
}

/// A conversion, and a unit of which only a part is read.
#[test]
fn operands_that_there_are_not_have_no_faults() {
    for name in [
        "ptx/cvt.rn.satfinite.e2m1x2.f32",
        "wormhole/elwadd.bf16.bf16",
    ] {
        let model = model(name);
        let limits = Limits::default().within(Duration::from_secs(3));
        let found = faults(&model, None, &IdentifyOptions::default(), &limits).unwrap();
        let by_few = any_shown(&model, &found.inputs);
        assert_eq!(
            by_few.iter().filter(|is_shown| **is_shown).count(),
            found.shown,
            "{name}"
        );
        assert_eq!(by_few.len(), found.faults(), "{name}");
    }
}

/// Recorded: a core of an EPYC 9384X computes two of eight lanes wrong (libdeflate issue 451), each by 4 * 255.
const HEALTHY: [&str; 6] = [
    "0001154a ff,ff,ff,ff 40,3f,3e,3d 00020e50",
    "0002598d ff,ff,ff,ff 30,2f,2e,2d 000312d3",
    "0000f759 ff,ff,ff,ff 28,27,26,25 000190bf",
    "00021289 ff,ff,ff,ff 20,1f,1e,1d 00028c0f",
    "0003708c ff,ff,ff,ff 10,0f,0e,0d 0003aa52",
    "000330cc ff,ff,ff,ff 08,07,06,05 00034ab2",
];
const FAULTY: [&str; 2] = [
    "00027f56 ff,ff,ff,ff 38,37,36,35 0003587c",
    "0003b04c ff,ff,ff,ff 18,17,16,15 000409f2",
];

/// Few inputs show every fault of VPDPBUSD that can be shown, and so a core whose bit 2 of one factor is always 0, which gives
/// what was recorded of the faulty lanes; the operands of that day show far fewer.
#[test]
fn a_dot_product_of_bytes_is_screened() {
    let model = model("x86/vpdpbusd");
    let signature = model.signature();
    let options = IdentifyOptions::default();
    let found = faults(&model, None, &options, &Limits::default()).unwrap();
    assert_eq!((found.open, found.missed), (0, 0));
    assert_eq!(found.shown + found.hidden, found.faults());
    assert!(found.inputs.len() < 100, "{} inputs", found.inputs.len());
    let read = |line: &&str| parse_line(line, 1, &signature).unwrap();
    let (healthy, faulty): (Vec<_>, Vec<_>) = (
        HEALTHY.iter().map(read).collect(),
        FAULTY.iter().map(read).collect(),
    );
    let run = |inputs: &Inputs| model.simulator().run(inputs);
    for vector in healthy.iter().chain(&faulty) {
        assert_eq!(run(&vector.inputs), vector.d);
    }
    for lane in 1..4 {
        let stuck = |inputs: &Inputs| {
            let mut inputs = inputs.clone();
            inputs.b[lane] &= !4;
            run(&inputs)
        };
        for vector in &faulty {
            assert_eq!(stuck(&vector.inputs), vector.d - 4 * 255);
        }
        assert!(
            found
                .inputs
                .iter()
                .any(|inputs| stuck(inputs) != run(inputs))
        );
    }
    let operands = healthy.into_iter().chain(faulty);
    let operands: Vec<Inputs> = operands.map(|vector| vector.inputs).collect();
    let by_chance = faults(&model, Some(&operands), &options, &Limits::default()).unwrap();
    assert!(by_chance.missed > 100, "{by_chance:?}");
    assert_eq!(by_chance.shown + by_chance.missed, found.shown);
}
