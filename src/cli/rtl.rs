//! `rtl:FILE.btor2[:PORTS][@MODEL]`: a user's design in place of a model.

use super::error::Error;
use super::specification_text::specification;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_questions::circuits::designs::{DesignPorts, model};
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// The most bytes of a design: 256 MiB.
const LONGEST: u64 = 1 << 28;

const PREFIX: &str = "rtl:";

/// The parts of a text that names a design.
pub(super) struct Rtl<'t> {
    text: &'t str,
    path: &'t str,
    ports: &'t str,
    like: Option<&'t str>,
}

impl<'t> Rtl<'t> {
    /// The parts of the text; `None` if the text does not name a design.
    pub fn parse(text: &'t str) -> Option<Self> {
        let rest = text.strip_prefix(PREFIX)?;
        let ends = [".btor2", ".btor"].into_iter().find_map(|extension| {
            let end = rest.find(extension)? + extension.len();
            let behind = rest[end..].chars().next();
            matches!(behind, None | Some(':' | '@')).then_some(end)
        });
        let (path, rest) = rest.split_at(ends.unwrap_or(rest.len()));
        let (ports, like) = match rest.split_once('@') {
            Some((ports, like)) => (ports, Some(like)),
            None => (rest, None),
        };
        let ports = ports.strip_prefix(':').unwrap_or(ports);
        Some(Rtl {
            text,
            path,
            ports,
            like,
        })
    }

    /// The design as a model, with the operands of the model behind `@`, or else with those of
    /// `other`.
    ///
    /// # Errors
    /// If neither the text nor `other` gives the operands, or the file has no design with these
    /// operands and ports.
    pub fn model(&self, other: Option<&Model>) -> Result<Model, Error> {
        refuse_verilog(self.path)?;
        let like = match self.like {
            Some(text) => Some(Model::parse(&specification(text)?)?),
            None => None,
        };
        let Some(like) = like.as_ref().or(other) else {
            let shown = excerpt(self.text);
            return Err(Error::Usage(format!(
                "{shown}: expected {shown}@MODEL, where MODEL is any model with the operands of the design, such as @fda:K=4"
            )));
        };
        let path = PathBuf::from(self.path);
        let text = read(&path)?;
        let design = DesignPorts::parse(self.ports)
            .and_then(|ports| model(self.text, &text, like.signature(), &ports));
        design.map_err(|error| Error::Design { path, error })
    }
}

/// Refuses a file in Verilog.
///
/// # Errors
/// If the name of the file is that of a file in Verilog.
fn refuse_verilog(path: &str) -> Result<(), Error> {
    let file = path.split([':', '@']).next().unwrap_or(path);
    let is_verilog = |ending: &str| [".v", ".sv"].contains(&ending);
    let Some((name, ending)) = file.rfind('.').map(|at| file.split_at(at)) else {
        return Ok(());
    };
    if !is_verilog(ending) {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{}: expected a design in BTOR2, found Verilog by its name: `yosys -p 'read_verilog -sv {file}; prep -flatten; async2sync; \
         dffunmap; setundef -undriven -zero; write_btor {name}.btor2'` writes it",
        excerpt(path)
    )))
}

fn read(path: &Path) -> Result<String, Error> {
    let length = fs::metadata(path).map_err(Error::file(path))?.len();
    if length > LONGEST {
        return Err(Error::Usage(format!(
            "{}: expected a design of at most {LONGEST} bytes, found {length}",
            path.display()
        )));
    }
    fs::read_to_string(path).map_err(Error::file(path))
}

/// Refuses ports if no text names a design.
///
/// # Errors
/// If `ports` is given and no text names a design.
pub(super) fn need_design(texts: [&str; 2], ports: Option<&str>) -> Result<(), Error> {
    match ports {
        Some(_) if !texts.iter().any(|text| text.starts_with(PREFIX)) => Err(Error::Usage(
            "--ports needs a design: rtl:FILE.btor2".into(),
        )),
        _ => Ok(()),
    }
}

/// The text of a design, with the operands of `model` if it does not give any.
pub(super) fn with_operands_of<'t>(text: &'t str, model: &Model) -> Cow<'t, str> {
    match Rtl::parse(text) {
        Some(Rtl { like: None, .. }) => format!("{text}@{model}").into(),
        _ => text.into(),
    }
}

/// `text`, with `ports` added if `text` names a design and does not give its ports.
pub(super) fn with_ports<'t>(text: &'t str, ports: Option<&str>) -> Cow<'t, str> {
    match (Rtl::parse(text), ports) {
        (Some(rtl), Some(ports)) if rtl.ports.is_empty() => {
            let like = rtl.like.map(|like| format!("@{like}"));
            format!("{PREFIX}{}:{ports}{}", rtl.path, like.unwrap_or_default()).into()
        }
        _ => text.into(),
    }
}
