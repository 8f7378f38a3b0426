//! Faults on purpose: a wrong rule, a wrong gate and a wrong property, which the comparisons that
//! the other tests rely on must notice.

use crate::common::clauses;
use crate::common::faulty::{Faulty, NONE, RULES};
use crate::common::garden::{WIDTHS, expressions, value};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::term::{Formula, Term, scope};
use mmasmt_numbers::bits::{Big, Bv, Concrete, Prop};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::inputs::Sampler;
use mmasmt_questions::solver::engine::{Encoder, GateLiteral, SmtlibScript};
use mmasmt_questions::solver::proof::{ClauseSink, Cnf};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The formula that `term` has the content of `value`.
fn is(term: &Term, value: &Big) -> Formula {
    let pieces = (0..value.width()).step_by(64).map(|low| {
        let high = value.width().min(low + 64) - 1;
        let piece = Term::lit(high - low + 1, value.extract(high, low).to_u64());
        term.extract(high, low).equals(&piece)
    });
    Formula::all(pieces)
}

/// Whether random expressions have the values that big integers give, with the fault.
fn rules_agree(fault: u8) -> bool {
    (0..400).all(|seed| {
        scope(|| {
            let mut rng = ChaCha8Rng::seed_from_u64(!seed);
            let widths = [(); 3].map(|()| WIDTHS[rng.random_range(0..WIDTHS.len())]);
            let input = |index: u32| Faulty::new(fault, Term::input(index, widths[index as usize]));
            let terms = expressions(seed, &[0, 1, 2].map(input));
            let given = widths.map(|width| Big::lit(width, value(&mut rng, width)));
            let values = expressions(seed, &given);
            let pairs = terms.iter().zip(&values);
            let agree = Formula::all(pairs.map(|(term, value)| is(&term.term, value)));
            let script = SmtlibScript::new(agree, |index| format!("x{index}"), "");
            script.holds(|index| given[index as usize].to_u64())
        })
    })
}

#[test]
fn a_wrong_rule_is_noticed() {
    assert!(rules_agree(NONE));
    for fault in RULES {
        assert!(!rules_agree(fault), "rule {fault}");
    }
}

/// Takes clauses with one of them changed.
struct Wrong {
    cnf: Cnf,
    /// How many clauses come before that one.
    before: usize,
    /// Which literal of it is negated.
    literal: usize,
}

impl ClauseSink for Wrong {
    fn add_clause(&mut self, clause: &[i32]) {
        let mut clause = clause.to_vec();
        if self.cnf.clauses() == self.before {
            let place = self.literal % clause.len();
            clause[place] = -clause[place];
        }
        self.cnf.add_clause(&clause);
    }
}

/// Whether the clauses of a small circuit are satisfiable exactly where big integers say so, with
/// the literal of one clause negated.
fn gates_agree(before: usize, literal: usize) -> (bool, usize) {
    fn circuit<B: Bv>([a, b]: &[B; 2]) -> B::Bool {
        let sum = a.add(&b.lshr(a));
        sum.ult(b).xor(&a.mul(b).slt(&sum))
    }
    scope(|| {
        let inputs = [0, 1].map(|index| Term::input(index, 3));
        let mut wrong = Wrong {
            cnf: Cnf::default(),
            before,
            literal,
        };
        let mut encoder = Encoder::new(0);
        let GateLiteral::Variable(root) = encoder.literal(circuit(&inputs), &mut wrong) else {
            panic!("a circuit");
        };
        let mut clauses = clauses::Clauses::new(wrong.cnf.iter());
        let agree = (0..64).all(|values: u64| {
            let given = [values & 7, values >> 3];
            let mut assumed = Vec::new();
            for (index, value) in (0..).zip(given) {
                let bits = encoder.input(index).into_iter().enumerate();
                let bits = bits.filter(|(_, variable)| *variable != 0);
                assumed.extend(bits.map(|(bit, x)| if value >> bit & 1 == 1 { x } else { -x }));
            }
            let expected = circuit(&given.map(|value| Big::lit(3, value)));
            [root, -root]
                .iter()
                .zip([expected, !expected])
                .all(|(root, expected)| {
                    let assumed = assumed.iter().copied().chain([*root]);
                    clauses.hold_with(assumed) == expected
                })
        });
        (agree, wrong.cnf.clauses())
    })
}

#[test]
fn a_wrong_gate_is_noticed() {
    let (agree, clauses) = gates_agree(usize::MAX, 0);
    assert!(agree && clauses > 100, "{clauses}");
    let noticed = (0..clauses)
        .filter(|&before| !gates_agree(before, before).0)
        .count();
    // Some clauses of choices are implied by the others: what they say wrongly stays true.
    assert!(noticed * 10 > clauses * 9, "{noticed} of {clauses}");
}

/// Whether a statement about the results of a model is what a claim says of operands.
fn claims_agree(
    claim: &Claim,
    is_violated: impl Fn(&dyn Fn(&Inputs) -> f32, &Inputs) -> bool,
) -> bool {
    let mut sampler = Sampler::new(claim.model.signature(), 7);
    let result = |inputs: &Inputs| f32::from_bits(claim.model.evaluate_big(inputs).unwrap() as u32);
    (0..3000).all(|_| {
        let inputs = sampler.sample();
        let in_domain = inputs.is_finite(&claim.model.signature());
        claim.is_refuted_by(&inputs) == (in_domain && is_violated(&result, &inputs))
    })
}

type Statement = fn(&dyn Fn(&Inputs) -> f32, &Inputs) -> bool;

fn with_c(inputs: &Inputs, change: impl Fn(f32) -> f32) -> Inputs {
    let c = change(f32::from_bits(inputs.c as u32)).to_bits();
    Inputs::new(inputs.a.clone(), inputs.b.clone(), c.into())
}

fn negated(inputs: &Inputs) -> Inputs {
    let a = inputs.a.iter().map(|a| a ^ 0x80).collect();
    with_c(&Inputs::new(a, inputs.b.clone(), inputs.c), |c| -c)
}

fn exchanged(inputs: &Inputs, order: [usize; 3]) -> Inputs {
    let ordered = |row: &[u64]| order.map(|k| row[k]).to_vec();
    Inputs::new(ordered(&inputs.a), ordered(&inputs.b), inputs.c)
}

#[test]
fn a_wrong_property_is_noticed() {
    let cases: [(&str, Statement, Statement); 4] = [
        (
            "monotone-c",
            |f, x| f(x) > f(&with_c(x, f32::next_up)),
            |f, x| f(x) >= f(&with_c(x, f32::next_up)),
        ),
        (
            "sign-symmetric",
            |f, x| f(&negated(x)) != -f(x),
            |f, x| f(&negated(x)) != f(x),
        ),
        (
            "no-negative-zero",
            |f, x| f(x) == 0.0 && f(x).is_sign_negative(),
            |f, x| f(x) == 0.0,
        ),
        (
            "order-independent",
            |f, x| {
                let [own, two, all] = [[0, 1, 2], [1, 0, 2], [1, 2, 0]]
                    .map(|order| f(&exchanged(x, order)).to_bits());
                own != two || own != all
            },
            |f, x| f(x).to_bits() != f(&exchanged(x, [1, 0, 2])).to_bits(),
        ),
    ];
    let model = Model::parse("ieee:in=e4m3,acc=f32,K=3").unwrap();
    for (name, right, wrong) in cases {
        for spec in [
            "fda:in=e4m3,K=3,F=5,align=floor,negzero=minus",
            &model.to_string(),
        ] {
            let claim = Claim::new(name, &Model::parse(spec).unwrap(), "finite").unwrap();
            assert!(claims_agree(&claim, right), "{claim}");
        }
        let claim = Claim::new(name, &model, "finite").unwrap();
        assert!(!claims_agree(&claim, wrong), "{claim}");
    }
}
