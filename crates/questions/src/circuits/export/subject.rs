//! The subject of an export, its format, and its files.

use super::about::{PROGRAM, about};
use super::btor2::btor2;
use super::c::{CFunction, CParameter};
use super::error::ExportError;
use super::functions::{self, ExportAdditions, functions};
use super::names::is_name;
use super::ports::{PortShape, Ports};
use super::unit::whole_unit_text;
use super::{acl2, dpi, smtlib, tapes, verilog};
use crate::claims::query::Question;
use mmasmt_columns::tape::print::{Language, TYPE_NAMES};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::circuit::{Circuit, Port};

/// A format that a model is exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A C function and its header file.
    C,
    /// A Verilog module.
    Verilog,
    /// A word-level circuit in lines of BTOR2.
    Btor2,
    /// SMT-LIB over bit-vectors: a function for a model, the script of a question.
    Smtlib,
    /// ACL2: a function over integers with its guard.
    Acl2,
    /// A SystemVerilog package that imports the function in C.
    Dpi,
    /// The tape of a model as a C function of arrays: many dot-adds.
    TapeC,
    /// The same as a kernel in CUDA C++.
    TapeCuda,
    /// Products of matrices as kernels in CUDA C++.
    MatrixCuda,
    /// The description of the unit.
    Unit,
}

/// Options of the output.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The name of the function or module.
    pub name: String,
    /// The mapping of registers to ports.
    pub shape: PortShape,
    /// The number of registers behind each output.
    pub latency: u32,
    /// The stem of the file names, which `#include` lines use as well.
    pub stem: String,
}

/// A file: its extension and its text.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The extension of the file name: `c`, `h`, `v`, ….
    pub extension: &'static str,
    /// The whole text.
    pub text: String,
}

/// The subject of an export.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Subject {
    /// The result `d` of a model.
    Model(Model),
    /// A question: whether inputs meet a condition, such as that two models differ on them. The
    /// output that tells this is named `bad`.
    Question(Question),
    /// A circuit of one output, with lines that describe it.
    Circuit(Circuit, String),
}

/// A kind of export that takes one model, not a question or a circuit.
#[derive(Clone, Copy)]
enum ModelExport {
    Tape,
    Unit,
}

impl ModelExport {
    fn formats(self) -> &'static str {
        match self {
            ModelExport::Tape => "tape-c, tape-cuda and matrix-cuda",
            ModelExport::Unit => "unit",
        }
    }
}

/// A circuit, and the parameters through which a C function takes its inputs.
struct FunctionCircuit {
    circuit: Circuit,
    parameters: Vec<CParameter>,
    result: String,
}

impl Subject {
    /// The circuit whose inputs are the ports in the form `shape`.
    fn circuit(&self, shape: PortShape) -> Circuit {
        let signature = match self {
            Subject::Model(model) => model.signature(),
            Subject::Question(question) => question.signature(),
            Subject::Circuit(circuit, _) => return circuit.simplified(),
        };
        let ports = Ports { signature, shape };
        let circuit = Circuit::record(ports.inputs(), |inputs| {
            let registers = ports.registers(inputs);
            vec![match self {
                Subject::Question(question) => ("bad".into(), question.is_met(&registers).id()),
                Subject::Model(model) => ("d".into(), model.result(&registers).id()),
                // Not reached: a circuit has its own ports and was returned above.
                Subject::Circuit(..) => ("d".into(), inputs[0].id()),
            }]
        });
        circuit.simplified()
    }

    /// The circuit with a port for each register, and the parameters of a C function that takes the
    /// ports in the form `shape`.
    fn drawn(&self, shape: PortShape) -> FunctionCircuit {
        let circuit = self.circuit(PortShape::Scalar);
        let ports = |signature| Ports { signature, shape }.parameters();
        let (parameters, result) = match self {
            Subject::Model(model) => {
                let signature = model.signature();
                (ports(signature), signature.d.to_string())
            }
            Subject::Question(question) => (ports(question.signature()), "1 or 0".into()),
            Subject::Circuit(circuit, _) => {
                let parameter = |port: &Port| CParameter {
                    name: port.name.clone(),
                    width: port.width,
                    length: None,
                    what: format!("{}: {} bits", port.name, port.width),
                };
                let parameters = circuit.inputs().iter().map(parameter).collect();
                (parameters, format!("{} bits", circuit.output_port(0).width))
            }
        };
        FunctionCircuit {
            circuit,
            parameters,
            result,
        }
    }

    fn about(&self) -> String {
        match self {
            Subject::Model(model) => about(model),
            Subject::Question(question) => format!("{PROGRAM}\n{}\n", question.about()),
            Subject::Circuit(_, about) => about.clone(),
        }
    }

    /// The model, if the subject is one.
    fn only_model(&self, asked: ModelExport) -> Result<&Model, ExportError> {
        match self {
            Subject::Model(model) => Ok(model),
            Subject::Question(_) => Err(ExportError::NoModel(asked.formats(), "two")),
            Subject::Circuit(..) => Err(ExportError::NoModel(asked.formats(), "a circuit")),
        }
    }

    /// The files of an export; the first file is the requested one.
    ///
    /// # Errors
    /// If the languages do not accept the name, or the format lacks a requested feature.
    pub fn export(
        &self,
        format: ExportFormat,
        options: &ExportOptions,
    ) -> Result<Vec<Exported>, ExportError> {
        if !is_name(&options.name) {
            return Err(ExportError::Name(options.name.clone()));
        }
        let is_tape = matches!(
            format,
            ExportFormat::TapeC | ExportFormat::TapeCuda | ExportFormat::MatrixCuda
        );
        if format == ExportFormat::Acl2 && !acl2::is_free(&options.name) {
            return Err(ExportError::Name(options.name.clone()));
        }
        if is_tape && TYPE_NAMES.contains(&&options.name[..]) {
            return Err(ExportError::Name(options.name.clone()));
        }
        if options.latency > 0 && format != ExportFormat::Verilog {
            return Err(ExportError::Latency);
        }
        let is_bad = matches!(self, Subject::Question(_));
        let about = self.about();
        let one = |extension, text| vec![Exported { extension, text }];
        Ok(match format {
            ExportFormat::C | ExportFormat::Dpi => {
                let drawn = self.drawn(options.shape);
                let widths = drawn.parameters.iter().map(|parameter| parameter.width);
                if let Some(found) = widths.max().filter(|width| *width > 64) {
                    return Err(ExportError::Wide(found));
                }
                let function = CFunction {
                    name: &options.name,
                    about: &about,
                    parameters: drawn.parameters,
                    result: drawn.result,
                    circuit: &drawn.circuit,
                };
                let mut source = function.source(&format!("{}.h", options.stem));
                let mut files = Vec::new();
                if format == ExportFormat::Dpi {
                    source += &dpi::shim(&function);
                    files.extend(one("sv", dpi::package(&function)));
                }
                files.extend(one("c", source));
                files.extend(one("h", function.header()));
                files
            }
            ExportFormat::Verilog => {
                let circuit = self.circuit(options.shape);
                let text = verilog::module(&options.name, &about, &circuit, options.latency);
                one("v", text)
            }
            ExportFormat::TapeC => {
                let model = self.only_model(ModelExport::Tape)?;
                one("c", tapes::text(model, &about, Language::C, &options.name)?)
            }
            ExportFormat::TapeCuda => {
                let model = self.only_model(ModelExport::Tape)?;
                one(
                    "cu",
                    tapes::text(model, &about, Language::Cuda, &options.name)?,
                )
            }
            ExportFormat::MatrixCuda => {
                let model = self.only_model(ModelExport::Tape)?;
                one("cu", tapes::kernels(model, &about, &options.name)?)
            }
            ExportFormat::Unit => one(
                "unit",
                whole_unit_text(self.only_model(ModelExport::Unit)?)?,
            ),
            ExportFormat::Btor2 => {
                one("btor2", btor2(&about, &self.circuit(options.shape), is_bad))
            }
            ExportFormat::Acl2 => {
                let circuit = self.circuit(options.shape);
                one("lisp", acl2::function(&options.name, &about, &circuit))
            }
            ExportFormat::Smtlib => match self {
                Subject::Model(model) => {
                    let (name, model) = (options.name.clone(), model.clone());
                    let function = functions::Function { name, model };
                    one("smt2", functions(&[function], ExportAdditions::default())?)
                }
                Subject::Question(_) | Subject::Circuit(..) => {
                    let circuit = self.circuit(options.shape);
                    one("smt2", smtlib::script(&about, &circuit, is_bad))
                }
            },
        })
    }
}
