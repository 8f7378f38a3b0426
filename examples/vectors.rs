//! Draws inputs, writes them with the results of one model, and checks another against the file.

use mmasmt::float::show;
use mmasmt::model::Model;
use mmasmt::vectors::write::{LinesWriter, Origin, Output, VectorWriter};
use mmasmt::vectors::{Draw, Kind, check_file, open};
use std::error::Error;

const SEED: u64 = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let model = Model::parse("fda:F=24,K=8")?;
    let signature = model.signature();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("close.txt.gz");

    let origin = Origin {
        program: "the example `vectors`".into(),
        models: vec![model.canonical()],
        kind: "close".into(),
        seed: SEED,
        assume: String::new(),
        signature: signature.to_string(),
        metadata: None,
    };
    let output = Output::create(&path)?;
    let mut writer = Box::new(LinesWriter::new(signature, &origin, vec![output]));
    let mut draw = Draw::new(signature, Kind::Close, SEED);
    let mut simulator = model.simulator();
    for _ in 0..1000 {
        let inputs = draw.draw();
        let d = simulator.evaluate(&inputs)?;
        writer.write(&inputs, &[d])?;
    }
    writer.finish()?;

    for text in ["fda:F=24,K=8", "fda:F=25,K=8", "exact:K=8"] {
        let checked = check_file(&Model::parse(text)?, open(&path)?, 1)?;
        println!("{text}: {} pass, {} fail", checked.passed, checked.failed);
        for failure in &checked.failures {
            let [found, expected] =
                [failure.computed, failure.vector.d].map(|d| show(&signature.d, d));
            println!("  line {}: {found} in place of {expected}", failure.line);
        }
    }
    Ok(())
}
