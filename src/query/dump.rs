//! Questions as SMT-LIB scripts, for any solver.

use super::question::Question;
use crate::bits::term::scope;
use crate::engine::{Goal, Script, plain_script};
use crate::property::SymbolicInputs;

impl Question {
    /// The question as an SMT-LIB script: satisfiable iff there are inputs that answer it. `plain` is
    /// without any simplification of ours.
    pub fn script(&self, plain: bool) -> String {
        let about = format!(
            "mmasmt {}: {}\n\
             inputs are registers in native bits; one that is not declared does not matter",
            env!("CARGO_PKG_VERSION"),
            self.about(),
        );
        if plain {
            return plain_script(self, &about);
        }
        scope(|| {
            let inputs = SymbolicInputs::new(self.signature());
            let whole = self.formula(&inputs.by_number());
            let script = Script::new(whole, |index| inputs.name(index), &about);
            script.text().to_owned()
        })
    }
}
