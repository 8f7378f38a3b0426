//! Families, `separate`, `identify` and the mutation score.
//!
//! Recorded hardware is that of the repository (`evidence/`).

use crate::evidence::vectors_of;
use crate::setting::{by_day, one_in, part_of};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::{Domain, results_differ};
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::identify::{
    ClosedLoop, Fate, Identification, IdentifyOptions, LowerBoundReason, Minimality, RecordedLine,
    ask_first, catch, exclude, family, nearest, score, separate, separate_in,
};
use mmasmt_questions::vectors::device::{CommandDevice, Device, DeviceError, SoftwareDevice};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn model(text: &str) -> Model {
    Model::parse(text).unwrap()
}

fn members(text: &str, base: &str) -> Vec<Model> {
    family(text, Some(&model(base))).unwrap()
}

fn names(text: &str, base: &str) -> Vec<String> {
    members(text, base).iter().map(Model::canonical).collect()
}

fn options() -> IdentifyOptions {
    IdentifyOptions::default().budget(Duration::from_secs(20))
}

#[test]
fn a_family_is_every_combination_once() {
    assert_eq!(names("F=10..36", "fda:F=23").len(), 27);
    assert_eq!(
        names("F=23|24,zero=skip|raw", "fda"),
        [
            "fda:F=23",
            "fda:F=23,zero=raw",
            "fda:F=24",
            "fda:F=24,zero=raw"
        ]
    );
    assert_eq!(names("zero=*", "fda:F=24").len(), 3);
    assert_eq!(names("F=24|24;fda:F=24", "fda").len(), 1);
    assert_eq!(names("emin=none|-133..-131", "fda").len(), 4);
}

#[test]
fn chains_keep_the_number_of_products() {
    assert_eq!(
        names("K=4|8|16", "fda:K=16"),
        ["fda:chain=4,F=24", "fda:K=8,chain=2,F=24", "fda:K=16,F=24"]
    );
    let own = family("fda:K=8,F=24;fdrda:F=23|24", None).unwrap();
    assert_eq!(own.len(), 3);
}

#[test]
fn full_families_hold_thousands_that_take_the_same_inputs() {
    let bases = [
        "fda:K=16",
        "fda:K=8,in=bf16",
        "fda:K=32,in=e4m3",
        "fda:K=4,out=f16",
    ];
    for base in by_day(bases, 3) {
        let base = model(base);
        let all = family("full", Some(&base)).unwrap();
        assert!(all.len() > 2000, "{base}: {}", all.len());
        assert!(
            all.iter()
                .all(|member| member.signature() == base.signature())
        );
    }
}

#[test]
fn wrong_families_are_told_what_is_wrong() {
    let wrong = |text: &str, base: Option<&str>| {
        let base = base.map(model);
        family(text, base.as_ref()).unwrap_err().to_string()
    };
    let fda = Some("fda");
    assert!(wrong("F=1,G", fda).contains("expected KEY=VALUES"));
    assert!(wrong("F", fda).contains("family `F`"));
    assert!(wrong("F=36..10", fda).contains("FROM not above TO"));
    assert!(wrong("F=10..36,F=3", fda).contains("each key once"));
    assert!(wrong("F=0..3", fda).contains("from 1 to 64"));
    assert!(wrong("G=1", fda).contains("unknown") || wrong("G=1", fda).contains("key"));
    assert!(wrong("nvidia", None).contains("--base"));
    assert!(wrong("F=1..9", None).contains("--base"));
    assert!(wrong("K=3", Some("fda:K=16")).contains("16 products"));
    assert!(wrong("in=f16|bf16", fda).contains("bf16"));
    assert!(wrong("F=1..64,carry=0..64,frac=1..23,round=*,align=*", fda).contains("at most"));
}

/// Every member is found by what it answers, on the instance that no search has used.
fn tells_each_member(family: &str, base: &str, most: usize) {
    let models = members(family, base);
    let found = separate(&models, &options(), &Limits::default()).unwrap();
    assert_eq!(found.classes.len(), models.len(), "{base}");
    assert!(found.open.is_empty());
    assert!(found.inputs.len() <= most, "{base}: {}", found.inputs.len());
    for (hidden, model) in models.iter().enumerate() {
        let answers: Vec<u64> = found
            .inputs
            .iter()
            .map(|inputs| model.evaluate_big(inputs).unwrap())
            .collect();
        let fits = |class: &usize| {
            found
                .columns
                .iter()
                .zip(&answers)
                .all(|(column, answer)| column[*class] == *answer)
        };
        let classes: Vec<usize> = (0..found.classes.len()).filter(fits).collect();
        assert_eq!(classes.len(), 1, "{model}");
        assert_eq!(found.classes[classes[0]], [hidden]);
    }
}

#[test]
fn one_input_tells_every_number_of_fraction_bits() {
    tells_each_member("F=10..36", "fda:K=4", 1);
    tells_each_member("F=10..36", "fda:K=8", 1);
    tells_each_member("F=10..36", "fda:K=16", 1);
    tells_each_member("F=10..36", "fda:K=8,out=f16", 1);
}

#[test]
fn equal_models_are_proved_equal() {
    let models = [
        "fda:F=24",
        "fda:F=24,carry=4",
        "fda:F=25",
        "fda:F=24,emin=-133",
    ]
    .map(model);
    let found = separate(&models, &options(), &Limits::default()).unwrap();
    assert_eq!(found.classes, [vec![0, 1, 3], vec![2]]);
    assert_eq!((found.inputs.len(), found.fewest), (1, Minimality::Proved));

    let found = separate(&models[..2], &options(), &Limits::default()).unwrap();
    assert_eq!(found.classes, [vec![0, 1]]);
    assert!(found.inputs.is_empty());
}

#[test]
fn pairs_that_no_input_tells_at_once_need_an_input_each() {
    // Codes of NaNs, the sign of a sum of zeros, and fraction bits never show together.
    let models = [
        "fda:F=24",
        "fda:F=25",
        "fda:F=24,negzero=minus",
        "fda:F=24,nan=quiet",
    ]
    .map(model);
    let options = options().specials(true);
    let found = separate(&models, &options, &Limits::default()).unwrap();
    assert_eq!((found.inputs.len(), found.fewest), (3, Minimality::Proved));
    let LowerBoundReason::Pairs(pairs) = &found.at_least.reason else {
        panic!("{:?}", found.at_least);
    };
    assert_eq!((pairs.len(), found.at_least.inputs), (3, 3));
    for inputs in &found.inputs {
        let results: Vec<u64> = models
            .iter()
            .map(|model| model.evaluate_big(inputs).unwrap())
            .collect();
        let told = pairs.iter().filter(|[left, right]| {
            let [left, right] = [left, right].map(|class| found.classes[*class][0]);
            results[left] != results[right]
        });
        assert_eq!(told.count(), 1);
    }
}

#[test]
fn what_is_not_proved_stays_unknown() {
    // The search for inputs has all its time, the proof that fewer do not has none.
    let models = members("F=22..26,align=*,round=rz|rne,carry=2|full", "fda");
    let options = options().budget(Duration::ZERO);
    let found = separate(&models, &options, &Limits::default()).unwrap();
    assert!(found.inputs.len() > 1);
    assert_ne!(found.fewest, Minimality::Proved);
    assert_eq!(found.at_least.inputs, 1);
    assert!(matches!(
        found.at_least.reason,
        LowerBoundReason::Results(32)
    ));
}

#[test]
#[ignore = "half a minute"]
fn limits_that_products_reach_are_told_apart_from_none() {
    let models = members("emin=none|-133,zero=*", "fda:F=24,in=bf16");
    let found = separate(&models, &options(), &Limits::default()).unwrap();
    // -126 is the exponent of the zeros' fields: raw and min are one rule, and leave no room below.
    assert_eq!(found.classes.len(), 3, "{:?}", found.classes);
    assert!(found.open.is_empty());
}

#[test]
fn chains_are_equal_where_their_operations_are() {
    let models = ["", ",round=rne"].map(|rounding| model(&format!("fda:chain=2,F=14{rounding}")));
    let found = separate(&models, &options(), &Limits::default()).unwrap();
    assert_eq!(found.classes, [vec![0, 1]]);
    // With more bits the sums of the operations are rounded.
    let models = ["", ",round=rne"].map(|rounding| model(&format!("fda:chain=2,F=24{rounding}")));
    let found = separate(&models, &options(), &Limits::default()).unwrap();
    assert_eq!(found.classes, [[0], [1]]);
}

#[test]
fn nothing_is_proved_without_time() {
    let models = ["fda:F=24,nan=quiet", "fda:F=24"].map(model);
    let limits = Limits::default().within(Duration::ZERO);
    let found = separate(&models, &options(), &limits).unwrap();
    assert_eq!(found.open, [[0, 1]]);
}

/// Domains of one product e2m1 x e2m1 whose inputs can all be run.
const SMALL_DOMAINS: [&str; 6] = [
    "c = 0",
    "c = 0, factors exp 2..2",
    "c = 0, a = -0",
    "c = 1, factors normal",
    "c = 0x1p-20, b subnormal",
    "c = -0x1.fffffep0, a exp 0..1",
];

/// Classes on a domain are those of runs on all of its inputs, and what tells them apart is in it.
#[test]
fn classes_on_a_domain_are_those_of_all_its_inputs() {
    let family = "F=3..8,zero=*,align=trunc|floor,negzero=*,round=rz|rne";
    let models = members(family, "fda:K=1,in=e2m1");
    let signature = models[0].signature();
    for text in SMALL_DOMAINS {
        let domain = Domain::of(text, &models[0]).unwrap();
        let found = separate_in(&models, Some(&domain), &options(), &Limits::default()).unwrap();
        assert!(found.open.is_empty(), "{text}");
        assert!(
            found.inputs.iter().all(|inputs| domain.contains(inputs)),
            "{text}"
        );
        let listed = domain.listed(1 << 10, true).unwrap();
        let all: Vec<Inputs> = (0..listed.count())
            .map(|number| listed.input(number))
            .collect();
        let mut known: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
        for (number, model) in models.iter().enumerate() {
            let results = all.iter().map(|inputs| model.evaluate_big(inputs).unwrap());
            known.entry(results.collect()).or_default().push(number);
        }
        let expected: BTreeSet<Vec<usize>> = known.into_values().collect();
        let classes: BTreeSet<Vec<usize>> = found.classes.into_iter().collect();
        assert_eq!(
            classes,
            expected,
            "{text}, {} inputs of {signature}",
            all.len()
        );
    }
}

#[test]
fn a_domain_without_inputs_separates_nothing() {
    let models = members("F=24|25", "fda:K=1,in=e2m1");
    let domain = Domain::of("c = 0, c normal", &models[0]).unwrap();
    let found = separate_in(&models, Some(&domain), &options(), &Limits::default());
    assert!(
        matches!(found, Err(QueryError::Vacuous { .. })),
        "{found:?}"
    );
}

/// Asks each of 48 candidates that stands at a multiple of `step` who it is.
fn finds_hidden_models(step: usize, confirm: usize) {
    let models = members("F=22..25,zero=*,align=trunc|floor,K=4|8", "fda:K=8");
    assert_eq!(models.len(), 48);
    let mut asking = ClosedLoop::new(&models, &options())
        .unwrap()
        .confirming(confirm);
    for (hidden, model) in models.iter().enumerate().step_by(step) {
        let mut device = SoftwareDevice::new(model.clone());
        let found = asking.identify(&mut device, &Limits::default()).unwrap();
        assert_eq!(found.classes.len(), 1, "{model}");
        assert!(found.classes[0].contains(&hidden), "{model}");
        assert!(found.asked.len() <= 20);
    }
}

#[test]
fn a_closed_loop_finds_hidden_models() {
    finds_hidden_models(13, 1_000);
}

#[test]
#[ignore = "a minute: all candidates, with the sweep that users get"]
fn a_closed_loop_finds_every_hidden_model() {
    finds_hidden_models(one_in(), mmasmt_questions::identify::CONFIRM);
}

#[test]
fn a_machine_that_is_no_candidate_is_none() {
    let models = members("F=10..22", "fda");
    let mut asking = ClosedLoop::new(&models, &options()).unwrap();
    let mut device = SoftwareDevice::new(model("fda:F=30,round=ru"));
    let found = asking.identify(&mut device, &Limits::default()).unwrap();
    assert!(found.classes.is_empty());
}

/// A device that is a model, counts what it is asked, and interrupts at one question.
struct Counted {
    device: SoftwareDevice,
    asked: usize,
    interrupts_at: usize,
    flag: Arc<AtomicBool>,
}

impl Counted {
    fn new(hidden: &Model, interrupts_at: usize) -> Counted {
        Counted {
            device: SoftwareDevice::new(hidden.clone()),
            asked: 0,
            interrupts_at,
            flag: Arc::new(AtomicBool::new(false)),
        }
    }
}

impl Device for Counted {
    fn signature(&self) -> Signature {
        self.device.signature()
    }
    fn describe(&self) -> Vec<String> {
        self.device.describe()
    }
    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        self.asked += inputs.len();
        if self.asked >= self.interrupts_at {
            self.flag.store(true, Ordering::Relaxed);
        }
        self.device.run(inputs)
    }
}

/// The first questions need no candidate, and no question is asked twice.
#[test]
fn a_machine_is_asked_before_there_are_candidates() {
    let hidden = model("fda:K=8,F=23,zero=raw");
    let mut device = Counted::new(&hidden, usize::MAX);
    let limits = Limits::default();
    let first = ask_first(&mut device, &options(), &limits).unwrap();
    let asked = device.asked;
    assert!((1..=16).contains(&asked), "{asked}");
    let models = members("F=10..36,zero=*", "fda:K=8");
    let asking = ClosedLoop::new(&models, &options()).unwrap();
    let found = asking
        .confirming(500)
        .after(first)
        .identify(&mut device, &limits)
        .unwrap();
    assert_eq!(found.answered.len(), device.asked);
    let inputs: BTreeSet<String> = found
        .answered
        .iter()
        .map(|vector| vector.inputs.to_line(&hidden.signature()))
        .collect();
    assert!(inputs.len() + 100 > device.asked);
    let names: Vec<String> = found.classes[0]
        .iter()
        .map(|&model| models[model].canonical())
        .collect();
    assert!(names.contains(&hidden.canonical()), "{names:?}");
}

/// Whenever it comes: what is left is what the answers so far leave.
#[test]
fn an_interruption_tells_what_is_left() {
    let models = members("F=10..36,zero=*", "fda:K=8");
    let hidden = models
        .iter()
        .position(|model| model.to_string().contains("F=23"))
        .unwrap();
    for interrupts_at in [1, 5, 6, 200] {
        let mut device = Counted::new(&models[hidden], interrupts_at);
        let limits = Limits::interruptible(Arc::clone(&device.flag));
        let mut asking = ClosedLoop::new(&models, &options()).unwrap();
        let found = asking.identify(&mut device, &limits).unwrap();
        assert_eq!(found.verdict(), Identification::Halted, "{interrupts_at}");
        assert!(found.classes.iter().flatten().any(|&left| left == hidden));
        let gives_all = |&left: &usize| {
            let mut simulator = models[left].simulator();
            let mut vectors = found.asked.iter();
            vectors.all(|asked| simulator.evaluate(&asked.inputs).unwrap() == asked.result)
        };
        assert!(
            found.classes.iter().flatten().all(gives_all),
            "{interrupts_at}"
        );
    }
}

#[test]
#[ignore = "minutes: the full family, one hundred devices"]
fn a_closed_loop_finds_a_hundred_devices_of_the_full_family() {
    let models = members("full", "fda:K=8");
    let mut rng = ChaCha8Rng::seed_from_u64(20_26);
    let mut asking = ClosedLoop::new(&models, &options()).unwrap();
    let (mut most, mut open) = (0, Vec::new());
    for _ in 0..part_of(100) {
        let hidden = rng.random_range(0..models.len());
        let mut device = SoftwareDevice::new(models[hidden].clone());
        let found = asking.identify(&mut device, &Limits::default()).unwrap();
        let classes = &found.classes;
        assert!(classes.iter().any(|class| class.contains(&hidden)));
        if classes.len() > 1 {
            open.push(
                classes
                    .iter()
                    .map(|class| models[class[0]].canonical())
                    .collect::<Vec<_>>(),
            );
        }
        most = most.max(found.asked.len());
    }
    let count = models.len();
    eprintln!("{count} candidates, at most {most} vectors");
    assert!(most <= 20);
    assert!(open.is_empty(), "{open:#?}");
}

/// The recorded results of an instruction, such as `V100 wmma.m16n16k16.f32.f16.f16.f32`.
fn recorded(name: &str, like: &Model) -> Vec<RecordedLine> {
    let (card, instruction) = name.split_once(' ').unwrap();
    let vectors = vectors_of(card, instruction, &like.signature());
    let lines = (1..).zip(vectors);
    lines
        .map(|(line, vector)| RecordedLine {
            file: 0,
            line,
            vector,
        })
        .collect()
}

/// The values of a key among models.
fn values(models: &[Model], left: &[usize], key: &str) -> Vec<String> {
    let mut values = Vec::new();
    for &index in left {
        let (_, keys) = models[index].algorithm().parameters();
        let value = keys.into_iter().find(|(name, _)| *name == key).unwrap().1;
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Chains of that many products.
fn shapes(products: &str) -> &str {
    match products {
        "4" => "1|2|4",
        "8" => "4|8",
        "16" => "4|8|16",
        _ => "8|16|32",
    }
}

#[test]
fn recorded_files_leave_the_parameters_that_are_known_of_them() {
    let files = [
        ("V100 wmma.m16n16k16.f32.f16.f16.f32", "fda:K=4", "23", "4"),
        ("A100 wmma.m16n16k16.f32.f16.f16.f32", "fda:K=8", "24", "8"),
        (
            "A100 wmma.m16n16k8.f32.tf32.tf32.f32",
            "fda:K=4,in=tf32",
            "24",
            "4",
        ),
        (
            "H100 wmma.m16n16k16.f32.f16.f16.f32",
            "fda:K=16",
            "25",
            "16",
        ),
        (
            "B200 wmma.m16n16k16.f32.bf16.bf16.f32",
            "fda:K=16,in=bf16",
            "25",
            "16",
        ),
        (
            "H100 wgmma.m64nNk32.f32.e4m3.e4m3",
            "fda:K=32,in=e4m3,frac=13",
            "13",
            "32",
        ),
    ];
    for (file, base, fraction, products) in files {
        let lines = recorded(file, &model(base));
        let shapes = shapes(products);
        let ranges = format!("F=10..30,K={shapes},zero=*,round=rz|rne,align=*");
        let models = members(&ranges, base);
        let exclusion = exclude(&models, &lines).unwrap();
        assert_eq!(values(&models, &exclusion.left, "F"), [fraction], "{file}");
        assert_eq!(values(&models, &exclusion.left, "K"), [products], "{file}");
        assert_eq!(values(&models, &exclusion.left, "round"), ["rz"], "{file}");
        assert_eq!(
            values(&models, &exclusion.left, "align"),
            ["trunc"],
            "{file}"
        );
        // What the files do not tell.
        assert!(values(&models, &exclusion.left, "zero").len() > 1, "{file}");
        for excluded in exclusion.excluded.iter().step_by(17) {
            let vector = &lines[excluded.by].vector;
            let computed = models[excluded.model].evaluate_big(&vector.inputs).unwrap();
            assert_eq!(computed, excluded.computed);
            assert_ne!(computed, vector.d);
        }
    }
}

#[test]
fn what_recorded_files_leave_is_told_apart_by_the_next_vectors() {
    let base = model("fda:K=4");
    let lines = recorded("V100 wmma.m16n16k16.f32.f16.f16.f32", &base);
    let models = members("F=22..24,zero=*,emin=none|-133,products=*", "fda:K=4");
    let exclusion = exclude(&models, &lines).unwrap();
    let left: Vec<Model> = exclusion
        .left
        .iter()
        .map(|&index| models[index].clone())
        .collect();
    let found = separate(&left, &options(), &Limits::default()).unwrap();
    // emin=-133 lies below all that f16 products and f32 reach: proved equal.
    assert!(found.open.is_empty());
    assert_eq!(found.classes.len(), 3, "{:?}", found.classes);
    assert!(!found.inputs.is_empty());
}

#[test]
fn nearest_candidates_come_by_what_they_pass() {
    let base = model("fda:K=4");
    let lines = recorded("V100 wmma.m16n16k16.f32.f16.f16.f32", &base);
    let models = members("F=10|22|24", "fda:K=4");
    assert!(exclude(&models, &lines).unwrap().left.is_empty());
    let lines: Vec<_> = lines.iter().map(|line| &line.vector).collect();
    let order: Vec<usize> = nearest(&models, &lines, 3)
        .unwrap()
        .into_iter()
        .map(|near| near.model)
        .collect();
    assert_eq!(order[2], 0);
}

#[test]
fn inputs_found_for_mutants_catch_all_that_are_not_equal() {
    let base = model("fda:F=23");
    let (inputs, own) = catch(&base, &options(), &Limits::default()).unwrap();
    let [caught, all] = own.caught();
    assert_eq!(caught, all);
    assert!(caught > 300);
    // A twin that must come out the other way.
    let none = score(&base, &inputs[..1], &options(), &Limits::default()).unwrap();
    assert!(none.caught()[0] < caught);
    for mutant in none.mutants {
        if let Fate::Missed(inputs) = &mutant.fate {
            let results = [
                base.evaluate_big(inputs).unwrap(),
                mutant.model.evaluate_big(inputs).unwrap(),
            ];
            assert!(
                results_differ([&base, &mutant.model], results),
                "{}",
                mutant.change
            );
        }
    }
}

fn ask(command: &str) -> Result<Vec<u64>, String> {
    let signature = model("fda").signature();
    let mut device = CommandDevice::new(command, signature, Limits::default());
    let inputs = Inputs {
        c: 0x3f80_0000,
        ..Inputs::zero(&signature)
    };
    device
        .run(&[Inputs::zero(&signature), inputs])
        .map_err(|error| error.to_string())
}

#[cfg(unix)]
#[test]
fn a_command_is_a_device() {
    let program = env!("CARGO_BIN_EXE_mmasmt");
    assert_eq!(
        ask(&format!("{program} eval fda --vectors /dev/stdin")).unwrap(),
        [0, 0x3f80_0000]
    );
    assert_eq!(ask("cut -d' ' -f1").unwrap(), [0, 0x3f80_0000]);
    assert!(
        ask("head -1 | cut -d' ' -f1")
            .unwrap_err()
            .contains("each of 2 vectors, found 1")
    );
    assert!(
        ask("cat >/dev/null; echo zero; echo one")
            .unwrap_err()
            .contains("8 hexadecimal digits")
    );
    assert!(
        ask("echo no GPU >&2; exit 3")
            .unwrap_err()
            .contains("exit status: 3: no GPU")
    );
    assert!(
        ask("tac | sed 's/$/ 00000000/'")
            .unwrap_err()
            .contains("in their order")
    );
}
