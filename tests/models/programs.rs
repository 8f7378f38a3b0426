//! Programs of units give the same results: of chains and compositions, without stages, and run often.

use mmasmt_core::machines::algorithms::descriptions::OFTEN;
use mmasmt_core::machines::algorithms::{Inputs, Stages};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::{Big, Concrete, W128};

/// Numbers of 44 bits that a linear congruence gives.
fn numbers(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        state >> 20
    }
}

/// The steps of chains and compositions give the results of these.
#[test]
fn steps_give_the_results_of_the_whole() {
    let mut next = numbers(7);
    for name in [
        "fda:K=4,chain=3",
        "fda:K=4,in=e2m1,scale=ue8m0,block=4,chain=2",
        "fda:K=4,in=e2m1,scale=ue8m0,block=8,chain=2",
        "gps:K=8,G=4",
        "promote(fda:K=4):every=2,K=16",
        "promote(fda:K=4,in=e2m1,scale=ue8m0,block=2):every=2,K=14",
        "splitk(fda:K=4):S=2,K=16",
        "splitk(fda:K=4):S=3,K=20",
        "epilogue(fda:K=4):K=8,out=f16",
        "epilogue(fda:K=4):K=6,out=bf16,alpha=2,beta=0x1.8p+0,scale=3",
        "epilogue(fda:K=4):K=4,out=e4m3,beta=1,saturate=yes",
        "epilogue(fda:K=4):K=4,out=f16,beta=1,activation=relu",
        "splitk(promote(fda:K=4):every=2):S=2,K=32",
        "compose:{composition p { d = round(sum(run(a[0..8] * b[0..8]), run(a[8..16] * b[8..16], c))) }}(fda:K=4):K=16",
    ] {
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let program = model.algorithm().steps().expect(name);
        assert_eq!(program.signature, signature, "{name}");
        for _ in 0..500 {
            let inputs = Inputs::zero(&signature).map(&signature, |format, _| {
                let bits = next() & u64::MAX >> (64 - format.width());
                if next().is_multiple_of(3) {
                    bits & 0xff
                } else {
                    bits
                }
            });
            let expected = model.lifted::<Big>(&inputs).0.to_u64();
            let registers = inputs.lifted::<W128>(&signature);
            let found = program.run(registers.operands(), &mut Stages::forgotten());
            let line = inputs.to_line(&signature);
            assert_eq!(found.to_u64(), expected, "{name}: {line}");
        }
    }
}

/// Machine words take the program for the result alone, big integers the one with its stages.
#[test]
fn results_do_not_show_which_zeros_are_plus() {
    let mut next = numbers(1);
    for name in [
        "unit:tenstorrent-mvmul",
        "unit:tenstorrent-elwmul:LAST=3",
        "unit:tenstorrent-mvmul:A=f16,B=f16,D=f16,P=11,FINAL=10,ZERO=-15,NORMAL=-14,CODES=none",
        "unit:psp-vfpu-dot",
        "unit:amx-fp8:K=4",
        "unit:{unit u { a, b: e5m2[2]; c, d: e5m2; s = round(sum(a * b)) to e5m2; d = round(sum(flush(s), c)) to e5m2 }}",
    ] {
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let mut simulator = model.simulator();
        for _ in 0..400 {
            let zeros = next() % 3;
            let inputs = Inputs::zero(&signature).map(&signature, |format, _| {
                let bits = next() & u64::MAX >> (64 - format.width());
                match next() % 4 >= zeros {
                    true => bits,
                    false => bits & format.sign_mask(),
                }
            });
            let full = model.lifted::<Big>(&inputs).0.to_u64();
            let line = inputs.to_line(&signature);
            assert_eq!(simulator.run(&inputs), full, "{name}: {line}");
        }
    }
}

/// Operands from tables, whose entries are made and then read, give what big integers give.
#[test]
fn programs_that_run_often_give_the_same_results() {
    let mut next = numbers(1);
    for name in [
        "unit:tenstorrent-elwmul:LAST=3",
        "unit:amx-fp8:K=4",
        "unit:{unit u { a, b: e4m3[4]; c, d: f32; d = round(fuse(a * b, c) keep 20) to f32 sign ieee }}",
    ] {
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let mut simulator = model.simulator();
        // Few registers, so that entries are read again.
        let mut draw = || {
            Inputs::zero(&signature).map(&signature, |format, _| {
                let bits = next() & u64::MAX >> (64 - format.width());
                bits & !0x0f00
            })
        };
        for _ in 0..OFTEN {
            simulator.run(&draw());
        }
        for _ in 0..600 {
            let inputs = draw();
            let full = model.lifted::<Big>(&inputs).0.to_u64();
            let line = inputs.to_line(&signature);
            assert_eq!(simulator.run(&inputs), full, "{name}: {line}");
        }
    }
}
