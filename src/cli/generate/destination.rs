//! The destination of generated vectors, and its file format.

use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_questions::vectors::write::{
    JsonLinesWriter, LinesWriter, NpzWriter, Origin, Output, VectorWriter,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// How vectors are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum FileFormat {
    Lines,
    Jsonl,
    Npz,
}

/// The format of the output and its path. If there is no path, vectors go to standard output.
pub(super) struct Destination {
    pub format: FileFormat,
    path: Option<PathBuf>,
    inputs_only: bool,
}

impl FileFormat {
    /// The file format that the ending of the path stands for.
    ///
    /// # Errors
    /// If the name ends as files of another format do, such as `.csv`.
    fn of(path: &Path) -> Result<FileFormat, Error> {
        let name = path.to_string_lossy();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending {
            "jsonl" => Ok(FileFormat::Jsonl),
            "npz" if name.len() < path.as_os_str().len() => Err(Error::Usage(
                "--out: expected .npz without .gz, or .txt.gz or .jsonl.gz, found .npz.gz".into(),
            )),
            "npz" => Ok(FileFormat::Npz),
            "npy" | "csv" | "tsv" | "json" | "parquet" => Err(Error::Usage(format!(
                "--out: expected a file that ends in .txt, .jsonl or .npz, found .{ending}; --format says what to write to a file of any name"
            ))),
            _ => Ok(FileFormat::Lines),
        }
    }
}

impl Destination {
    /// The destination that the options ask for.
    pub fn of(
        path: Option<&Path>,
        format: Option<FileFormat>,
        inputs_only: bool,
        json: bool,
    ) -> Result<Self, Error> {
        let usage = |text: &str| Err(Error::Usage(text.into()));
        let by_name = || path.map_or(Ok(FileFormat::Lines), FileFormat::of);
        let format = format.map_or_else(by_name, Ok)?;
        if json && path.is_none() {
            return usage("--json needs --out FILE: standard output has the vectors");
        }
        if format == FileFormat::Npz && path.is_none() {
            return usage("--format npz needs --out FILE");
        }
        if inputs_only && format != FileFormat::Lines {
            return usage("--inputs-only: expected lines, found another --format");
        }
        Ok(Destination {
            inputs_only,
            format,
            path: path.map(Path::to_owned),
        })
    }

    /// The paths of the files for the results of `models` models: one for each model if the path
    /// contains `{}` and the format is lines, otherwise one for all. None for standard output.
    pub fn files(&self, models: usize) -> Vec<PathBuf> {
        let Some(path) = &self.path else {
            return Vec::new();
        };
        match path.to_str() {
            Some(text) if text.contains("{}") && self.format == FileFormat::Lines => (1..=models)
                .map(|number| text.replace("{}", &number.to_string()).into())
                .collect(),
            _ => vec![path.clone()],
        }
    }

    /// Opens the files, and returns the writer for them.
    pub fn writer(
        &self,
        signature: &Signature,
        origin: &Origin,
    ) -> Result<Box<dyn VectorWriter>, Error> {
        let paths = self.files(origin.models.len());
        if let (FileFormat::Npz, Some(path)) = (self.format, paths.first()) {
            let writer = NpzWriter::create(signature, origin, path).map_err(Error::file(path))?;
            return Ok(Box::new(writer));
        }
        let create = |path: &PathBuf| Output::create(path).map_err(Error::file(path));
        let mut outputs = paths.iter().map(create).collect::<Result<Vec<_>, _>>()?;
        let last = outputs.pop();
        let last = last.unwrap_or_else(|| Output::Stdout(std::io::stdout()));
        if self.format == FileFormat::Jsonl {
            return Ok(Box::new(JsonLinesWriter::new(*signature, origin, last)));
        }
        outputs.push(last);
        let lines = LinesWriter::new(*signature, origin, outputs);
        Ok(Box::new(if self.inputs_only {
            lines.inputs_only()
        } else {
            lines
        }))
    }
}
