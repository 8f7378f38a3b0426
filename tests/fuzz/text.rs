//! Texts: specifications, values, lines, domains, properties, families, tables, clauses, proofs.

use crate::assert_is_clear;
use crate::mutate::Mutator;
use mmasmt_core::machines::algorithms::descriptions::Description;
use mmasmt_core::machines::algorithms::{DotAdd, Inputs};
use mmasmt_core::machines::model::{Model, read_table};
use mmasmt_numbers::float::{Format, hex_float, parse_value};
use mmasmt_questions::claims::property::read_published;
use mmasmt_questions::claims::property::{Claim, Domain};
use mmasmt_questions::claims::scripts::Script;
use mmasmt_questions::identify::family as candidates;
use mmasmt_questions::solver::engine::Goal;
use mmasmt_questions::solver::proof::{DimacsClauses, HintedSteps, ProofSteps, check, check_hints};
use mmasmt_questions::vectors::{parse_index, parse_line};
use std::path::Path;
use std::sync::LazyLock;

const MODELS: [&str; 13] = [
    "fda",
    "fda:K=4,F=23,carry=full",
    "fda:K=8,chain=2,out=f16,products=normalised,emin=-133",
    "fda:K=16,in=e4m3,scale=ue8m0,block=16",
    "hmma8:F=25,in=e4m3,emin=-18",
    "sfma:fmt=f64",
    "gps:K=16,G=4,products=fma",
    "gdfs:block=32",
    "fdrda:in=f16,align=trunc",
    "exact:in=e2m1,K=1,out=f32,round=ra",
    "hopper/mma.m16n8k16.f32.f16.f16.f32@mma-sim:F=24",
    "cdna3/v_mfma_f32_32x32x8_f16",
    "ampere/mma.sp.m16n8k16.f32.f16.f16.f32",
];

/// The models of the corpus, and one with scales.
static PARSED: LazyLock<Vec<Model>> = LazyLock::new(|| {
    let parsed = MODELS.iter().map(|text| Model::parse(text).unwrap());
    parsed.collect()
});

pub fn model(mutator: &mut Mutator) {
    let text = mutator.text(&MODELS);
    match Model::parse(&text) {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(model) => {
            let canonical = model.canonical();
            let again = Model::parse(&canonical).unwrap();
            assert_eq!(again.canonical(), canonical, "{text}");
            assert_eq!(again.signature(), model.signature(), "{text}");
        }
    }
}

pub fn value(mutator: &mut Mutator) {
    const TEXTS: [&str; 14] = [
        "0",
        "-0",
        "1.5",
        "0x3c00",
        "0x1.8p-3",
        "-0x1p+15",
        "65504",
        "1e-7",
        "inf",
        "-inf",
        "nan",
        "1.1920928955078125e-7",
        "0x.8p0",
        "+12.25e+2",
    ];
    let text = mutator.text(&TEXTS);
    let format = *mutator.pick(&Format::ALL);
    match parse_value(&format, &text) {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(register) => {
            assert!(
                format.width() == 64 || register >> format.width() == 0,
                "{text}"
            );
            if format.is_finite(register) {
                let shown = hex_float(&format, register);
                // The last bits of a register of tf32 are not read.
                let again = parse_value(&format, &shown).unwrap();
                assert_eq!(hex_float(&format, again), shown, "{format} {text}");
            }
        }
    }
}

pub fn line(mutator: &mut Mutator) {
    const LINES: [&str; 6] = [
        "3f800000 3c00,3c00 3c00,3c00 40400000",
        "bf800000 bbff,457f,0000,c57f bbff,4000,0000,4000 ba800000",
        "00000000 80,2c 00,3A 7f 7f 44800000",
        "7f800001 0,e 0,8 7f 7f 7fffffff",
        "3ff0000000000000 3ff0000000000000 3ff0000000000000 4000000000000000",
        "3f800000 3c00,3c00 3c00,0000,7e00,3c00 c 40400000",
    ];
    let text = mutator.text(&LINES);
    let model = mutator.pick(&PARSED);
    let signature = model.signature();
    match parse_line(&text, 7, model) {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(vector) => {
            let digits = signature.d.digits();
            let line = format!(
                "{} {:0digits$x}",
                vector.inputs.to_line(&signature),
                vector.d
            );
            assert_eq!(parse_line(&line, 1, model).unwrap(), vector, "{text}");
        }
    }
}

pub fn domain(mutator: &mut Mutator) {
    let text = mutator.text(&[
        "finite, c = -1",
        "a exp -2..2, b[3..] zero",
        "c normal, factors positive, sa = 0x1p-3",
        "a[0..2] nonzero, c bits 8, b subnormal, all finite",
        "a = 0x1.ffcp+0, b = nan, c negative",
    ]);
    let signature = mutator.pick(&PARSED).signature();
    match Domain::parse(&text, &signature) {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(domain) => {
            let again = Domain::parse(&domain.to_string(), &signature);
            assert_eq!(again, Ok(domain));
        }
    }
}

pub fn property(mutator: &mut Mutator) {
    let text = mutator.text(&[
        "order-independent",
        "equal=:F=23",
        "equal=fda:carry=full",
        "error=0x1.11p-17max",
        "error=1000",
        "error=1.5ulp",
        "carry-bits=3",
        "rounds=rne",
        "aligns=trunc",
        "zero-padding=2",
        "rounds-partial-sums=rd",
        "canonical-nan",
    ]);
    let model = mutator.pick(&PARSED);
    match Claim::new(&text, model, "finite") {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(claim) => {
            let shown = claim.to_string();
            assert!(shown.starts_with(&text), "{shown}");
        }
    }
}

pub fn family(mutator: &mut Mutator) {
    let text = mutator.text(&[
        "F=23..25,zero=*",
        "nvidia",
        "fda:K=4,F=10|12;fda:F=13",
        "zero=skip|raw;emin=-133|none",
        "K=4,chain=1..2",
        "amd;full",
    ]);
    // A hundred thousand candidates are no question of parsing.
    if text.bytes().filter(u8::is_ascii_digit).count() > 24 || text.contains("65536") {
        return;
    }
    match candidates(&text, Some(&PARSED[0])) {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(models) => {
            for model in models.iter().take(20) {
                assert_eq!(
                    Model::parse(&model.to_string()).unwrap().canonical(),
                    model.canonical()
                );
            }
        }
    }
}

pub fn index(mutator: &mut Mutator) {
    let text = mutator.text(&[
        "file\tarch\tunit\tqualifier\none.txt\tvolta\tmma\tm8n8k4.f32.f16.f16.f32\n",
        "arch\tfile\tunit\tqualifier\tgpu\nhopper\ta.txt\twgmma\tm64nNk32.f32.e4m3.e4m3\tH100\n",
        "file\tarch\tunit\tqualifier\r\nx\tcdna3\tmfma\tf32_32x32x8_f16\r\n\r\n",
        "file\tscheme\tunit\tspec\tunit_format\tstep\tK\nx\teq24\tvolta\tfda:F=23,K=4,out=f32\tf16\t4\t8\n",
    ]);
    match parse_index(Path::new("folder/index.tsv"), &text) {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(entries) => {
            for entry in &entries {
                entry.row().unwrap();
            }
            let lines = entries.len();
            assert!(lines < text.lines().count(), "{text}");
        }
    }
}

const CLAUSES: [&str; 3] = [
    "p cnf 3 5\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 3 0\n-3 0\n",
    "c a comment\np cnf 2147483646 2\n2147483646 -1 0\n-2147483646 0\n",
    "p cnf 1 2\n1 0\n-1 0\n",
];

fn dimacs(clauses: &DimacsClauses) -> String {
    let mut text = format!("p cnf {} {}\n", clauses.variables, clauses.clauses.len());
    for clause in &clauses.clauses {
        clause
            .iter()
            .for_each(|literal| text += &format!("{literal} "));
        text += "0\n";
    }
    text
}

pub fn clauses(mutator: &mut Mutator) {
    let text = mutator.text(&CLAUSES);
    match DimacsClauses::read(text.as_bytes()) {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(clauses) => {
            let again = DimacsClauses::read(dimacs(&clauses).as_bytes()).unwrap();
            assert_eq!(again, clauses);
        }
    }
}

pub fn proof(mutator: &mut Mutator) {
    let text = mutator.text(&[
        "2 0\nd 1 2 0\n1 0\n0\n",
        "-1 0\n0\n",
        "c\n1 2147483646 0\nd 1 0\n0\n",
    ]);
    let formula = DimacsClauses::read(mutator.pick(&CLAUSES).as_bytes()).unwrap();
    let steps = ProofSteps::read(text.as_bytes(), formula.variables);
    if let Err(error) = check(&formula, steps) {
        assert_is_clear(&error.to_string(), &text);
    }
}

pub fn hinted_proof(mutator: &mut Mutator) {
    let text = mutator.text(&[
        "6 1 0 1 2 0\n6 d 1 2 0\n7 2 0 6 3 4 0\n8 0 6 3 5 7 0\n",
        "c\n3 1 0 -2 1 0\n18446744073709551615 0 1 2 0\n",
    ]);
    let formula = DimacsClauses::read(mutator.pick(&CLAUSES).as_bytes()).unwrap();
    let steps = HintedSteps::read(text.as_bytes(), formula.variables);
    if let Err(error) = check_hints(&formula, steps) {
        assert_is_clear(&error.to_string(), &text);
    }
}

const TABLE: [&str; 2] = [
    include_str!("../../models/volta.toml"),
    include_str!("../../models/cdna1.toml"),
];

pub fn table(mutator: &mut Mutator) {
    let text = mutator.text(&TABLE);
    if let Err(error) = read_table(&text) {
        assert_is_clear(&error, &text);
    }
}

/// Descriptions: those of the algorithms, and one with every kind of statement.
static DESCRIPTIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let operations = PARSED
        .iter()
        .filter_map(|model| model.algorithm().operation());
    let texts = operations.filter_map(|(operation, _)| operation.description());
    let mut all: Vec<String> = texts.map(|text| text.tree().to_string()).collect();
    all.push(
        "unit mine(K = 8 in 4..64, F = 24 in 1..40, fmt = f16 in f16|bf16) {\n  a, b: fmt[K] # factors\n  \
         sa, sb: ue8m0 of 4\n  c: f32; d: f32\n  for k in 0..K { p[k] = a[k] * b[k] * sa[k / 4] * sb[k / 4] }\n  \
         for g in 0..K / 4 { t[g] = round(fuse(p[4 * g..4 * g + 4]) keep F by rd least -133 carry 2 beyond saturate sticky negate ones) to f32 tiny after overflow infinity }\n  \
         d = round(sum(t, c)) to f32 by rne sign total nan first(c) else 0xffc00000\n}"
            .into(),
    );
    all
});

pub fn description(mutator: &mut Mutator) {
    let texts: Vec<&str> = DESCRIPTIONS.iter().map(String::as_str).collect();
    let text = mutator.text(&texts);
    match Description::parse(&text) {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(description) => {
            let lines = description.tree().to_string();
            for again in [lines, description.tree().one_line()] {
                let read = Description::parse(&again).unwrap();
                assert_eq!(
                    read.tree().one_line(),
                    description.tree().one_line(),
                    "{text}"
                );
                assert_eq!(read, description, "{text}");
            }
            let signature = description.signature();
            if signature.products <= 64 {
                let inputs = Inputs::zero(&signature);
                let name = format!("unit:{{{}}}", description.tree().one_line());
                let model = Model::parse(&name).unwrap();
                model.evaluate_big(&inputs).unwrap();
            }
        }
    }
}

pub fn queries(mutator: &mut Mutator) {
    let text = mutator.text(&[include_str!("../../queries/shape.toml")]);
    match read_published(&text) {
        Err(error) => assert_is_clear(&error, &text),
        Ok(queries) => {
            for query in queries.iter().take(2) {
                if let Err(error) = query.claims() {
                    assert_is_clear(&error.to_string(), &text);
                }
            }
        }
    }
}

/// A script over one model: it is refused by a clear error, or can be evaluated for any values.
pub fn script(mutator: &mut Mutator) {
    let text = mutator.text(&[
        "(set-info :status unsat)\n(declare-const x (_ BitVec 16))\n(define-fun g ((y (_ BitVec 16))) Bool (finite.f16 y))\n(assert (g x))\n         (assert (distinct (f x #x3c00 (_ bv0 32)) (f #x3c00 x #x00000000)))(check-sat)",
        "(declare-fun p () Bool) ; free\n(assert (let ((a ((_ extract 3 1) #xf5)) (b #b101)) (and p (bvult a (bvadd b ((_ zero_extend 0) a))))))",
        "(declare-const x Float16)\n(define-fun g ((y (_ FloatingPoint 5 11))) Real (fp.to_real (fp.add RTZ y (_ +oo 5 11))))\n(assert (< (g x) (/ (real.f16 #x3c00) 1.5) 3))\n(assert (fp.isNaN ((_ to_fp 8 24) RNE (value.f16 ((_ fp.to_ubv 16) RNA x)))))",
    ]);
    let model = vec![("f".to_owned(), Model::parse("fda:K=1").unwrap())];
    match Script::parse(&text, model) {
        Err(error) => assert_is_clear(&error.to_string(), &text),
        Ok(script) => {
            script.holds(|index| u64::from(index) & 1);
        }
    }
}
