//! Options that are found idle, on all finite operands of small units.

use mmasmt_core::machines::algorithms::{Inputs, Operation};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::differ_idly;

fn unit(round: &str) -> Model {
    let text = format!(
        "unit:{{unit u {{ a, b: e5m2[2]; c, d: f32; s = round(sum(a * b)) to f32 {round}; d = round(sum(s, c)) to f32 }}}}"
    );
    Model::parse(&text).unwrap()
}

#[test]
fn options_that_no_sum_reaches_are_idle() {
    let plain = unit("");
    for idle in [
        "tiny before",
        "tiny after",
        "tiny register",
        "overflow infinity",
        "overflow saturate",
        "nan ones",
        "nan any",
    ] {
        assert!(differ_idly(&plain, &unit(idle)), "{idle}");
    }
    for other in ["by rz", "by rd"] {
        assert!(!differ_idly(&plain, &unit(other)), "{other}");
    }
}

/// Products of bf16 reach both ends of f32.
#[test]
fn options_that_a_sum_reaches_are_not() {
    let unit = |round: &str| {
        let text = format!(
            "unit:{{unit u {{ a, b: bf16[2]; c, d: f32; d = round(sum(a * b, c)) to f32 {round} }}}}"
        );
        Model::parse(&text).unwrap()
    };
    let plain = unit("");
    for other in ["tiny before", "by rz", "sign shared"] {
        assert!(!differ_idly(&plain, &unit(other)), "{other}");
    }
    // Finite operands give an infinity, but no NaN.
    assert!(differ_idly(&plain, &unit("nan ones")));
}

/// Every change of one option that is found idle gives the same results on all finite operands.
#[test]
fn what_is_found_idle_changes_no_result() {
    let (mut idle, mut shown) = (0, 0);
    for steps in [
        "d = round(sum(a * b)) to e4m3",
        "d = round(sum(a * b)) to e5m2 tiny before overflow ieee",
        "d = round(sum(a * b)) to e5m2 overflow saturate sign ieee by rd",
        "d = round(fuse(a * b) keep 2 by rd) to e3m2 tiny after",
        // A number that rounds to zero keeps its sign where it is flushed at once, and not where IEEE 754 rounds first.
        "d = round(sum(a * b)) to e2m3 tiny register sign total",
        "d = round(sum(a * b)) to e2m3 tiny before sign total overflow infinity",
        "d = round(fuse(a * b, b) keep 2 sticky) to e2m3 tiny before sign total by ru",
        "s = round(fuse(a * b, b) keep 1 sticky) to e3m4 tiny after by ra; d = round(sum(s, a)) to e5m2",
        "s = round(sum(a * b)) to f16 tiny register sign shared; d = round(sum(s, s)) to e5m2",
        "s = round(sum(a * b)) to e5m2 tiny after sign total; d = round(sum(flush(s), flush(s))) to e5m2 nan ones",
        "x = round(a) to e4m3; y = term(b) widen; d = round(sum(x * y)) to e4m3 sign total by rz",
        "x = term(flush(a)) zeros field; d = round(cut(sum(x * b)) bits 3 by rne) to f16 overflow infinity",
        "x = part(term(flush(a) sign plus)) low 0 bits 2; d = round(sum(x * b)) to e4m3 tiny after",
        "t = drop(fuse(a * b) keep 3 by rna) exponent -2; d = flush(round(miscount(t) bits 4) to e5m2 by rz overflow infinity) sign plus",
    ] {
        let base = unit_of(steps);
        let signature = base.signature();
        let codes = |format: &Format| {
            let all = 0..1u64 << format.width();
            all.filter(|bits| format.is_finite(*bits))
                .collect::<Vec<_>>()
        };
        let inputs: Vec<Inputs> = codes(&signature.a)
            .into_iter()
            .flat_map(|a| codes(&signature.b).into_iter().map(move |b| [a, b]))
            .map(|[a, b]| Inputs::new(vec![a], vec![b], 0))
            .collect();
        let results = |model: &Model| -> Vec<u64> {
            let mut simulator = model.simulator();
            inputs.iter().map(|inputs| simulator.run(inputs)).collect()
        };
        let own = results(&base);
        let Some((Operation::Description(unit), _)) = base.algorithm().operation() else {
            panic!("{steps}");
        };
        for (change, tree) in unit.tree().changes() {
            let text = format!("unit:{{{}}}", tree.one_line());
            let Ok(changed) = Model::parse(&text) else {
                continue;
            };
            let is_same = results(&changed) == own;
            if differ_idly(&base, &changed) {
                assert!(is_same, "{steps}: {change}");
                idle += 1;
            }
            shown += usize::from(!is_same);
        }
    }
    assert!(idle > 40 && shown > 40, "{idle} idle, {shown} shown");
}

fn unit_of(steps: &str) -> Model {
    let result = steps.rsplit(" to ").next().unwrap();
    let result = result.split(' ').next().unwrap();
    let text = format!("unit:{{unit u {{ a, b: e3m2[1]; d: {result}; {steps} }}}}");
    Model::parse(&text).unwrap()
}
