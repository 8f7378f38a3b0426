//! Limits of time, by commands that are drawn: none takes half a second of processor time more than it may.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::process::{Command, Stdio};

/// Models of `K` products with the parameter `F`; `S` and `E` are numbers of parts.
const MODELS: &[&str] = &[
    "fda:K=<K>,F=<F>",
    "fda:K=<K>,F=<F>,zero=raw,carry=3",
    "fda:K=<K>,F=<F>,in=e4m3",
    "fda:K=16,chain=<S>,F=<F>",
    "fdrda:K=<K>,F=<F>",
    "gfdrda:K=<K>,F=<F>",
    "gps:K=<K>",
    "exact:K=<K>",
    "exact:in=f32,K=<K>",
    "sfma:fmt=f32,K=<K>",
    "ieee:K=<K>",
    "hmma8:K=<K>",
    "ozaki1:K=<K>",
    "ozaki2:K=<K>",
    "promote(fda:F=<F>):K=<K>,every=<E>",
    "splitk(fda:F=<F>):K=<K>,S=<S>",
    "splitk(fda:F=<F>):K=<K>,S=<S>,combine=tree",
    "epilogue(fda:F=<F>):K=<K>,out=f16",
    "markidis(fda:F=<F>):K=<K>",
    "ootomo-yokota(fda:F=<F>):K=<K>",
    "gdfs:K=<K>",
    "hopper/HMMA.16816.F32:chain=<S>,F=<F>",
];

/// What is asked of two models `A` and `B` that differ in `F`, by commands whose limit is that of everything.
const COMMANDS: &[&str] = &[
    "distinguish A B",
    "distinguish A B --specials",
    "prove order-independent A",
    "prove no-negative-zero A",
    "prove monotone-c A",
    "prove error=0x1p-20sum A",
    "prove equal=B A",
    "worst A",
    "worst A --measure ulp",
    "compare A B",
    "compare A B --lengths 64,4096",
    "gen A --count 100000000 --kind edge --out FILE",
    "gen A B --count 100000000 --kind discriminating --out FILE",
    "gen A --count 100000000 --kind close --out FILE",
    "separate A B",
    "separate --family F=10..36,zero=* --base A",
    "separate --family nvidia --base A",
    "separate --family full --base A",
    "mutants A",
    "mutants A --specials",
    "identify model:A --model A --model B",
    "identify model:A --family nvidia --base A",
    "identify model:A --family full --base A",
    "bench A --each 100ms",
    "diff H100 MI300X --samples 100000000",
];

fn one<'x>(rng: &mut ChaCha8Rng, all: &[&'x str]) -> &'x str {
    all[rng.random_range(0..all.len())]
}

/// A power of two, or a number below it.
fn size(rng: &mut ChaCha8Rng, bits: u32) -> u64 {
    let power = 1u64 << rng.random_range(0..=bits);
    match rng.random_range(0..3) {
        0 => rng.random_range(1..=power),
        _ => power,
    }
}

fn drawn(rng: &mut ChaCha8Rng, file: &str) -> Vec<String> {
    let (k, s, e) = (size(rng, 20), size(rng, 12), size(rng, 6));
    let model = one(rng, MODELS)
        .replace("<K>", &k.to_string())
        .replace("<S>", &s.to_string())
        .replace("<E>", &e.to_string());
    let f = rng.random_range(10..=30);
    let of = |f: u32| model.replace("<F>", &f.to_string());
    let words = one(rng, COMMANDS).split(' ').map(|word| match word {
        "A" => of(f),
        "B" => of(f + 1),
        "FILE" => file.to_owned(),
        word => word.replace("=B", &format!("={}", of(f + 1))),
    });
    words.collect()
}

/// Seconds of processor time of a command, of what it started, too, and what is wrong with its end.
fn processor_time(args: &[String]) -> (f64, Option<String>) {
    let script = r#""$0" "$@" >/dev/null; status=$?; times; exit $status"#;
    let output = Command::new("/bin/sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_mmasmt")])
        .args(args)
        // What the limit is multiplied by otherwise.
        .env("RAYON_NUM_THREADS", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let of_children = text.lines().nth(1).unwrap_or_default();
    let times = of_children.split_whitespace().map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
    });
    let ended_well = matches!(output.status.code(), Some(0..=3)) && !error.contains("panicked");
    let wrong = format!("{:?}: {error}", output.status.code());
    (times.sum(), (!ended_well).then_some(wrong))
}

/// Commands that took many times as long as they had.
const KNOWN: &[&str] = &[
    "separate --family nvidia --base fda:K=8",
    "identify model:fda:K=8 --family full --base fda:K=8",
    "prove order-independent promote(fda):K=1048576,every=1",
    "worst promote(fda):K=1048576,every=1",
    "bench fda:K=4096 --each 10ms",
    "bench ozaki2:K=4096",
];

fn check(known: &[&str], count: usize, seconds: f64, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vectors.txt");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let drawn = std::iter::repeat_with(|| drawn(&mut rng, file.to_str().unwrap())).take(count);
    let known = known
        .iter()
        .map(|line| line.split(' ').map(str::to_owned).collect());
    let all: Vec<Vec<String>> = known.chain(drawn).collect();
    let count = all.len();
    let (mut wrong, mut longest) = (Vec::new(), 0.0f64);
    for (number, mut args) in all.into_iter().enumerate() {
        args.extend(["--time".into(), seconds.to_string()]);
        let (time, ended) = processor_time(&args);
        longest = longest.max(time);
        let is_late = time > seconds + 0.5;
        if is_late || ended.is_some() {
            let ended = ended.unwrap_or_default();
            println!("{number}: {time:.2} s: {} {ended}", args.join(" "));
            wrong.push(format!("{time:.2} s: {} {ended}", args.join(" ")));
        }
    }
    println!(
        "{count} commands, {} wrong, the longest {longest:.2} s",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_dozen_commands_keep_their_limit() {
    check(KNOWN, 6, 0.3, 1);
}

/// `MMASMT_DRAWN=300` runs three hundred, in a quarter of an hour; without it, few are run.
#[test]
#[ignore = "runs commands for three seconds each"]
fn many_commands_keep_their_limit() {
    let count = std::env::var("MMASMT_DRAWN").map(|text| text.parse().unwrap());
    check(KNOWN, count.unwrap_or(3), 3.0, 38);
}
