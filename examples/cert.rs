//! temp
use mmasmt::engine::Limits;
use mmasmt::model::Model;
use mmasmt::query::{Subject, certify};
use std::io::BufWriter;
use std::time::{Duration, Instant};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let models = [&args[1], &args[2]].map(|text| Model::parse(text).unwrap());
    let subject = Subject::Difference { models: [&models[0], &models[1]], specials: false, domain: None };
    let limits = Limits::default().within(Duration::from_secs(args.get(3).map_or(600, |t| t.parse().unwrap())));
    let path = std::env::var("CERT").unwrap_or("/tmp/cert.drat".into());
    let start = Instant::now();
    let found = certify(&subject, 0, &limits, BufWriter::new(std::fs::File::create(&path).unwrap())).unwrap().unwrap();
    println!("{} | {}: {:?} lemmas, {} clauses, {:?}, missing {:?}", args[1], args[2], found.lemmas, found.cnf.clauses(), start.elapsed(), found.missing);
    let cnf = format!("{path}.cnf");
    let mut out = BufWriter::new(std::fs::File::create(&cnf).unwrap());
    found.cnf.write(&mut out).unwrap();
    drop(out);
    println!("   {cnf} {} MB", std::fs::metadata(&path).unwrap().len() >> 20);
}
