//! Files of vectors: lines, JSON Lines, archives, compressed or not.

use crate::assert_is_clear;
use crate::mutate::Mutator;
use flate2::Compression;
use flate2::write::GzEncoder;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::vectors::write::{
    JsonLinesWriter, LinesWriter, NpzWriter, Origin, Output, VectorWriter,
};
use mmasmt_questions::vectors::{MetadataLayout, Results, Vector, VectorError, VectorFile};
use std::io::{Cursor, Write};
use std::sync::LazyLock;

/// A model, and the bytes of files of vectors for it.
struct Corpus {
    layout: MetadataLayout,
    lines: Vec<u8>,
    json: Vec<u8>,
    archive: Vec<u8>,
}

static CORPUS: LazyLock<Vec<Corpus>> = LazyLock::new(|| {
    let specs = [
        "fda",
        "gdfs:block=32",
        "sfma:fmt=f64,K=2",
        "ampere/mma.sp.m16n8k8.f32.tf32.tf32.f32",
    ];
    specs
        .iter()
        .map(|spec| corpus(&Model::parse(spec).unwrap()))
        .collect()
});

fn corpus(model: &Model) -> Corpus {
    let folder = tempfile::tempdir().unwrap();
    let signature = model.signature();
    let origin = Origin {
        program: "mmasmt".into(),
        models: vec![model.canonical()],
        kind: "random".into(),
        seed: 0,
        assume: String::new(),
        signature: signature.to_string(),
        metadata: model.metadata(),
    };
    let [lines, json, archive] = ["txt", "json", "npz"].map(|name| folder.path().join(name));
    let output = |path| Output::create(path).unwrap();
    let mut writers: [Box<dyn VectorWriter>; 3] = [
        Box::new(LinesWriter::new(signature, &origin, vec![output(&lines)])),
        Box::new(JsonLinesWriter::new(signature, &origin, output(&json))),
        Box::new(NpzWriter::create(&signature, &origin, &archive).unwrap()),
    ];
    let mut draw = Draw::new(signature, Kind::Random, 1);
    let mut simulator = model.simulator();
    for _ in 0..3 {
        let inputs = draw.draw();
        let d = simulator.evaluate(&inputs).unwrap();
        writers
            .iter_mut()
            .for_each(|writer| writer.write(&inputs, &[d]).unwrap());
    }
    writers
        .into_iter()
        .for_each(|writer| writer.finish().unwrap());
    Corpus {
        layout: MetadataLayout::from(model),
        lines: std::fs::read(lines).unwrap(),
        json: std::fs::read(json).unwrap(),
        archive: std::fs::read(archive).unwrap(),
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read(bytes: Vec<u8>, layout: MetadataLayout) -> Result<Vec<Vector>, VectorError> {
    let file = VectorFile::read(Cursor::new(bytes), layout, Results::Only)?;
    let vectors = file.read_all()?.into_iter();
    Ok(vectors.map(|(_, vector)| vector).collect())
}

/// Changes the file, or the gzip data that it is compressed to, and reads it.
fn case(mutator: &mut Mutator, of: fn(&Corpus) -> &Vec<u8>) {
    let corpus = mutator.pick(&CORPUS);
    let other = of(mutator.pick(&CORPUS)).clone();
    let bytes = of(corpus).clone();
    let bytes = match *mutator.pick(&["plain", "plain", "before", "after"]) {
        "before" => gzip(&mutator.changed(bytes, &other)),
        "after" => mutator.changed(gzip(&bytes), &other),
        _ => mutator.changed(bytes, &other),
    };
    let signature = corpus.layout.signature;
    match read(bytes.clone(), corpus.layout) {
        Err(error) => assert_is_clear(&error.to_string(), &String::from_utf8_lossy(&bytes)),
        Ok(vectors) => {
            let digits = signature.d.digits();
            let lines = vectors.iter().map(|Vector { inputs, d }| {
                format!("{} {d:0digits$x}\n", inputs.to_line(&signature))
            });
            let lines = lines.collect::<String>().into_bytes();
            assert_eq!(read(lines, corpus.layout).unwrap(), vectors);
        }
    }
}

pub fn text(mutator: &mut Mutator) {
    case(mutator, |corpus| &corpus.lines);
}

pub fn json(mutator: &mut Mutator) {
    case(mutator, |corpus| &corpus.json);
}

pub fn archive(mutator: &mut Mutator) {
    case(mutator, |corpus| &corpus.archive);
}
