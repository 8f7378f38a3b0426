//! Orders of sums that a machine shows.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::learn::{Session, orders};
use mmasmt_questions::vectors::device::SoftwareDevice;

#[test]
fn sums_that_keep_more_bits_are_seen_farther_away() {
    for (text, expected) in [
        ("fda:K=4", "(c #0..#3)"),
        ("exact:K=4", "(c #0..#3)"),
        ("fda:K=2,chain=2", "((c #0 #1) #2 #3)"),
        ("ieee:K=4,order=pairwise", "(c ((#0 #1) (#2 #3)))"),
        ("ieee:K=4,order=pairwise,round=rz", "(c ((#0 #1) (#2 #3)))"),
        ("ieee:K=3,order=fma", "(((c #0) #1) #2)"),
        (
            "unit:{unit u { a, b: e4m3[8]; c: f32; d: f32; p = a * b; \
          x = fuse(p[0..4]) keep 15; y = fuse(p[4..8]) keep 15; \
          s = fuse(x, y) keep 19; d = round(fuse(s, c) keep 24) to f32 by rz }}",
            "(c ((#0..#3) (#4..#7)))",
        ),
    ] {
        let limits = Limits::default();
        let mut device = SoftwareDevice::new(Model::parse(text).unwrap());
        let mut session = Session::new(&mut device, 10_000, &limits);
        let found = orders(&mut session).unwrap().trees;
        let found = found.first().map(ToString::to_string);
        if text == "exact:K=4" {
            assert_eq!(found, None);
        } else {
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
    }
}
