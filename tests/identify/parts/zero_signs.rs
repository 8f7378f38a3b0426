//! Machines that differ from a model in the signs of zeros.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::{
    ClosedLoop, Identification, IdentifyOptions, identify_zero_signs,
};
use mmasmt_questions::vectors::device::SoftwareDevice;

#[test]
fn a_machine_that_differs_in_the_sign_of_zero_is_found_and_no_other() {
    let models = ["fda:F=22", "fda:F=23", "ieee"].map(|text| Model::parse(text).unwrap());
    let (options, limits) = (IdentifyOptions::default(), Limits::default());
    for (text, is_found) in [("fda:F=23,negzero=minus", true), ("fda:F=24", false)] {
        let machine = Model::parse(text).unwrap();
        let mut device = SoftwareDevice::new(machine.clone());
        let asking = ClosedLoop::new(&models, &options).unwrap();
        let first = asking
            .confirming(600)
            .identify(&mut device, &limits)
            .unwrap();
        assert_eq!(first.verdict(), Identification::None, "{text}");
        let second = identify_zero_signs(&models, first, &mut device, &options, 600, &limits);
        let (others, second) = second.unwrap();
        assert_eq!(!others.is_empty(), is_found, "{text}");
        if is_found {
            assert_eq!(second.verdict(), Identification::Identified);
            let found = &others[second.classes[0][0] - models.len()];
            assert_eq!(found.canonical(), machine.canonical());
        }
    }
}
