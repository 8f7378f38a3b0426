//! Kept answers: the same as asked anew, replayed before they are shown, and never taken from a
//! file that is not what it should be.

use mmasmt::engine::{Limits, Stopped};
use mmasmt::model::Model;
use mmasmt::property::Claim;
use mmasmt::query::{
    Answer, Cache, Distinguish, Found, Origin, Outcome, Prove, Settled, distinguish, prove,
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.json"));
    let _ = fs::remove_file(&path);
    path
}

fn claim(property: &str, model: &str, domain: &str) -> Claim {
    Claim::new(property, &Model::parse(model).unwrap(), domain).unwrap()
}

fn options() -> Prove {
    Prove::default()
}

fn answer(cache: &Cache, claim: &Claim) -> Result<(Outcome, Origin), Box<dyn Error>> {
    let options = options();
    let (settled, origin) =
        cache.prove(claim, &options, || -> Result<Settled, Box<dyn Error>> {
            Ok(prove(claim, &options, &Limits::default())?)
        })?;
    Ok((settled.outcome, origin))
}

/// The answer, which must be there.
fn recalled(cache: &Cache, claim: &Claim) -> Result<Outcome, String> {
    let unasked = || -> Result<Settled, Box<dyn Error>> { panic!("asked") };
    let answer = cache.prove(claim, &options(), unasked);
    answer
        .map(|(settled, _)| settled.outcome)
        .map_err(|error| error.to_string())
}

fn claims() -> [Claim; 3] {
    [
        claim("order-independent", "fda:in=e4m3", "finite"),
        claim("equal=:F=23", "fda:K=2", "finite"),
        claim("sign-symmetric", "fda:K=1,in=e4m3", "c zero, c nonzero"),
    ]
}

#[test]
fn answers_are_kept_as_they_were_given() {
    let cache = Cache::open(&file("given"), false).unwrap();
    let verdicts = claims().map(|claim| {
        let (outcome, origin) = answer(&cache, &claim).unwrap();
        assert_eq!(origin, Origin::Asked);
        let (again, origin) = answer(&cache, &claim).unwrap();
        assert_eq!((&again, origin), (&outcome, Origin::Kept));
        assert_eq!(recalled(&cache, &claim), Ok(outcome.clone()));
        outcome
    });
    assert!(matches!(
        verdicts,
        [
            Outcome::Proved { .. },
            Outcome::Refuted { .. },
            Outcome::Vacuous
        ]
    ));
}

#[test]
fn another_question_is_another_answer() {
    let path = file("another");
    let cache = Cache::open(&path, false).unwrap();
    answer(&cache, &claims()[1]).unwrap();
    let only = Cache::open(&path, true).unwrap();
    let others = [
        claim("equal=:F=23", "fda:K=2,F=25", "finite"),
        claim("equal=:F=23", "fda:K=2", "finite, c normal"),
        claim("equal=:F=22", "fda:K=2", "finite"),
        // Constantly false, as the first claim is.
        claims()[0].clone(),
    ];
    for other in others {
        let error = recalled(&only, &other).unwrap_err();
        assert!(error.contains("no answer to this question"), "{error}");
    }
    assert!(recalled(&only, &claims()[1]).is_ok());
    // How the operands were to be found does not matter, but what was wanted does.
    let simple = options().minimise(std::time::Duration::from_millis(1));
    let unasked = || -> Result<Settled, Box<dyn Error>> { panic!("asked") };
    assert!(only.prove(&claims()[1], &simple, unasked).is_err());
}

#[test]
fn what_is_not_known_is_not_kept() {
    let path = file("unknown");
    let cache = Cache::open(&path, false).unwrap();
    let unknown = Outcome::Unknown(Stopped::TimeLimit);
    let ask = || -> Result<Settled, Box<dyn Error>> {
        Ok(Settled {
            outcome: unknown.clone(),
            engine: "none".into(),
        })
    };
    let (settled, _) = cache.prove(&claims()[1], &options(), ask).unwrap();
    assert_eq!(settled.outcome, unknown);
    assert!(!path.exists());
}

/// The file with the hashes of its answers computed anew, as whoever knows how can.
fn signed_anew(text: &str) -> String {
    let mut file: Value = serde_json::from_str(text).unwrap();
    for (key, signed) in file["answers"].as_object_mut().unwrap() {
        let answer = signed["answer"].to_string();
        let parts = ["mmasmt answers 2", key, &answer];
        let hashed = parts.iter().fold(Sha256::new(), |hash, part| {
            hash.chain_update(part).chain_update([0])
        });
        let digits = hashed
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>();
        signed["sha256"] = digits.into();
    }
    file.to_string()
}

#[test]
fn a_wrong_answer_is_not_shown() {
    let path = file("wrong");
    let cache = Cache::open(&path, false).unwrap();
    let claim = &claims()[1];
    let Outcome::Refuted { inputs, .. } = answer(&cache, claim).unwrap().0 else {
        panic!("a refutation");
    };
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, signed_anew(&text)).unwrap();
    assert!(
        recalled(&cache, claim).is_ok(),
        "the hash is that of the program"
    );
    let line = inputs.to_line(&claim.model.signature());
    let zeros = line.replace(|c: char| c.is_ascii_hexdigit(), "0");
    for (from, to, expected) in [
        (&*line, &*zeros, "does not refute the claim"),
        (&line, "00", "8 hexadecimal digits"),
        (&line, "", "8 hexadecimal digits"),
        ("enough", "vacuous", "1 inputs refute the claim"),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(text, changed);
        fs::write(&path, &changed).unwrap();
        let error = recalled(&cache, claim).unwrap_err();
        assert!(error.contains("it was changed or damaged"), "{error}");
        // Inputs are replayed, whatever the hash says.
        fs::write(&path, signed_anew(&changed)).unwrap();
        let error = recalled(&cache, claim).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

/// A verdict, who gave it, the question that it answers: nothing of an answer can be edited.
#[test]
fn an_edited_answer_is_not_believed() {
    let path = file("edited");
    let cache = Cache::open(&path, false).unwrap();
    let [proved, refuted, _] = &claims();
    answer(&cache, proved).unwrap();
    answer(&cache, refuted).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let edit = |change: fn(&mut Value, &mut Value)| {
        let mut file: Value = serde_json::from_str(&text).unwrap();
        let answers = file["answers"].as_object_mut().unwrap();
        let mut entries = answers.values_mut();
        change(entries.next().unwrap(), entries.next().unwrap());
        file.to_string()
    };
    let edits: [fn(&mut Value, &mut Value); 6] = [
        // The refuted claim is proved, by its own entry or by another one's.
        |one, other| {
            for entry in [one, other] {
                let no_more = serde_json::json!({ "no_more": { "by": "construction" } });
                entry["answer"]["ended"] = no_more;
                entry["answer"]["witnesses"] = Value::Array(Vec::new());
            }
        },
        |one, other| std::mem::swap(one, other),
        |one, _| one["answer"]["subject"] = "another question".into(),
        |one, _| one["answer"]["engines"] = serde_json::json!(["nobody"]),
        |one, _| one["sha256"] = "".into(),
        |_, other| other["answer"]["subject"] = "another question".into(),
    ];
    for change in edits {
        fs::write(&path, edit(change)).unwrap();
        for claim in [proved, refuted] {
            let error = recalled(&cache, claim).unwrap_err();
            assert!(
                error.contains("it was changed or damaged; delete the file"),
                "{error}"
            );
        }
        assert!(Cache::open(&path, false).is_err());
    }
    // How the text is laid out says nothing.
    fs::write(&path, edit(|_, _| ())).unwrap();
    assert!(recalled(&cache, refuted).is_ok());
}

/// A device or a folder is no file of answers.
#[test]
fn a_device_is_no_file_of_answers() {
    for path in ["/dev/zero", "/dev/null", "."] {
        let error = Cache::open(Path::new(path), false).unwrap_err().to_string();
        assert!(error.contains("found a folder or a device"), "{error}");
    }
}

#[test]
fn a_file_that_is_something_else_is_an_error() {
    let path = file("corrupt");
    let cache = Cache::open(&path, false).unwrap();
    answer(&cache, &claims()[1]).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let corrupted = [
        "",
        "{}",
        "[1, 2]",
        "c a comment",
        &text[..text.len() / 2],
        &text.replace("answers 2", "answers 1"),
        &text.replace("\"ended\"", "\"started\""),
        &text.replace("\"enough\"", "\"exhausted\""),
    ];
    for content in corrupted {
        fs::write(&path, content).unwrap();
        let error = Cache::open(&path, false).unwrap_err().to_string();
        assert!(
            error.contains("expected a file that --cache wrote"),
            "{error}"
        );
        assert!(recalled(&cache, &claims()[1]).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
    let missing = PathBuf::from("no-such-folder/answers.json");
    let cache = Cache::open(&missing, false).unwrap();
    assert!(answer(&cache, &claims()[1]).is_err());
}

fn asked(cache: &Cache, models: [&Model; 2], options: &Distinguish) -> (Found, Origin) {
    let [left, right] = models;
    let ask = || -> Result<Found, Box<dyn Error>> {
        Ok(distinguish(left, right, options, &Limits::default())?)
    };
    cache.distinguish(models, options, ask).unwrap()
}

#[test]
fn differences_are_kept_as_well() {
    let cache = Cache::open(&file("differences"), false).unwrap();
    let models = ["fda:F=23", "fda:F=24", "fda:carry=4"].map(|spec| Model::parse(spec).unwrap());
    let mut options = Distinguish::default().count(2);
    for pair in [[&models[0], &models[1]], [&models[1], &models[2]]] {
        let (found, origin) = asked(&cache, pair, &options);
        assert_eq!(origin, Origin::Asked);
        let (again, origin) = asked(&cache, pair, &options);
        assert_eq!(origin, Origin::Kept);
        assert_eq!(again.witnesses, found.witnesses);
        assert_eq!((again.answer, again.engines), (found.answer, found.engines));
    }
    options.count = 3;
    let (found, origin) = asked(&cache, [&models[0], &models[1]], &options);
    assert_eq!((found.answer, origin), (Answer::Enough, Origin::Asked));
}

/// Whoever reads meets a whole file, and no answer that was given is lost to a half-written one.
#[test]
fn many_may_keep_answers_at_once() {
    let path = file("many");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for round in 0..6 {
                    let cache = Cache::open(&path, false).unwrap();
                    let claim = claim(
                        "order-independent",
                        &format!("fda:in=e2m1,F={}", 4 + round),
                        "",
                    );
                    answer(&cache, &claim).unwrap();
                }
            });
        }
    });
    let left = fs::read_dir(path.parent().unwrap()).unwrap();
    let names = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(
        names
            .into_iter()
            .all(|name| !name.starts_with("many.json."))
    );
    assert!(Cache::open(&path, true).is_ok());
}
