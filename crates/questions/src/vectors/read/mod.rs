//! Reads vector files of any format: hexadecimal lines, JSON Lines or `.npz`, each compressed by
//! gzip or not.
//!
//! If a file states its operands, it is refused for a model with other operands. Lines may have at
//! most 4 MiB, and files 64 GiB unpacked.

mod jsonl;
mod npz;
mod section;

pub use npz::is_unstated_archive;
pub use section::SectionMember;

use super::Vector;
use super::error::VectorError;
use super::file::Lines;
use super::line::{parse_inputs, read_line};
use super::metadata::MetadataLayout;
use super::source::{beginning, is_stdin, unpacked};
use mmasmt_core::machines::algorithms::Inputs;
use npz::Arrays;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

/// The first bytes of a zip archive.
const ZIP: &[u8] = b"PK\x03\x04";

/// The most registers that [`VectorFile::read_all`] keeps in memory: one gibibyte of registers.
const MOST: usize = 1 << 27;

/// The results to read from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results<'m> {
    /// No results are read; the vectors need not have results.
    None,
    /// The results of the file's only model.
    Only,
    /// The results of the model with this canonical name; if the file has results of only one
    /// model, the results of that model, whatever its name.
    Of(&'m str),
}

/// The vectors of a file.
pub struct VectorFile {
    layout: MetadataLayout,
    content: Content,
    vector: Vector,
}

/// The content of a file, by the format of the file.
enum Content {
    /// Hexadecimal lines, and whether their results are read.
    Lines(Lines<Reader>, bool),
    /// The lines of a file of JSON Lines; the position in `d` of the result to read (`None` if no
    /// results are read); and, if the first line is a vector and not a header, its number and text.
    Json(Lines<Reader>, Option<usize>, Option<(usize, String)>),
    Arrays(Box<Arrays>),
}

pub(super) type Reader = BufReader<Box<dyn Read>>;

impl VectorFile {
    /// Opens the vectors in the file at `path`, or on standard input if `path` is `-`.
    ///
    /// # Errors
    /// If the file cannot be opened, or its header states other operands than those of `layout`.
    pub fn open(
        path: &Path,
        layout: impl Into<MetadataLayout>,
        results: Results<'_>,
    ) -> Result<VectorFile, VectorError> {
        let layout = layout.into();
        if is_stdin(path) {
            return VectorFile::read(io::stdin().lock(), layout, results);
        }
        let mut file = File::open(path).map_err(VectorError::Closed)?;
        let mut first = Vec::new();
        let is_archive = (file.by_ref().take(4).read_to_end(&mut first)).is_ok() && first == ZIP;
        if is_archive {
            let arrays = Arrays::open(file, layout, results.wanted())?;
            return Ok(VectorFile::new(layout, Content::Arrays(Box::new(arrays))));
        }
        VectorFile::read(io::Cursor::new(first).chain(file), layout, results)
    }

    /// Opens the vectors in the content of `reader`. An archive is first copied to an anonymous
    /// file.
    ///
    /// # Errors
    /// If the content cannot be read, or its header states other operands than those of `layout`.
    pub fn read(
        reader: impl Read + 'static,
        layout: impl Into<MetadataLayout>,
        results: Results<'_>,
    ) -> Result<VectorFile, VectorError> {
        let layout = layout.into();
        let signature = &layout.signature;
        let unreadable = |error| VectorError::Unreadable { line: 1, error };
        let (first, mut whole) =
            beginning::<4>(unpacked(reader).map_err(unreadable)?).map_err(unreadable)?;
        if first == ZIP {
            let mut copy = || {
                let mut file = tempfile::tempfile()?;
                io::copy(&mut whole, &mut file)?;
                file.rewind()?;
                Ok(file)
            };
            let arrays = Arrays::open(copy().map_err(unreadable)?, layout, results.wanted())?;
            return Ok(VectorFile::new(layout, Content::Arrays(Box::new(arrays))));
        }
        let whole: Box<dyn Read> = Box::new(whole);
        let mut lines = Lines::of(BufReader::new(whole), *signature);
        if first.first() != Some(&b'{') {
            let content = Content::Lines(lines, results != Results::None);
            return Ok(VectorFile::new(layout, content));
        }
        let (line, text) = lines.next_line()?.unwrap_or((1, ""));
        let (column, waiting) = match jsonl::about(text, line)? {
            None => (0, Some((line, text.to_owned()))),
            Some(about) => match results.wanted() {
                Some(model) => (about.column(line, signature, model)?, None),
                None => {
                    about.check(line, signature)?;
                    (0, None)
                }
            },
        };
        let column = results.wanted().map(|_| column);
        let content = Content::Json(lines, column, waiting);
        Ok(VectorFile::new(layout, content))
    }

    fn new(layout: MetadataLayout, content: Content) -> Self {
        VectorFile {
            layout,
            content,
            vector: Vector {
                inputs: Inputs::zero(&layout.signature),
                d: 0,
            },
        }
    }

    /// The text that is not read yet, if the file consists of hexadecimal lines; otherwise `None`.
    pub(super) fn text(&mut self) -> Option<&mut Reader> {
        match &mut self.content {
            Content::Lines(lines, _) => Some(lines.rest()),
            _ => None,
        }
    }

    /// Reads the next vector, and returns it with its number from 1: the number of its line, or, in
    /// an archive, its own. At the end, returns `None`. If no results are read, the result of the
    /// vector is 0.
    ///
    /// # Errors
    /// If the file cannot be read, or the next line or entry is not a vector of the signature.
    pub fn next_vector(&mut self) -> Result<Option<(usize, &Vector)>, VectorError> {
        let VectorFile {
            layout,
            content,
            vector,
        } = self;
        let number = match content {
            Content::Arrays(arrays) => match arrays.next(vector)? {
                None => return Ok(None),
                Some(number) => number,
            },
            Content::Lines(lines, with_result) => {
                let Some((number, text)) = lines.next_line()? else {
                    return Ok(None);
                };
                if *with_result {
                    read_line(text, number, layout, vector)?
                } else {
                    vector.inputs = parse_inputs(text, number, *layout)?
                }
                number
            }
            Content::Json(lines, column, waiting) => {
                let waiting = waiting.take();
                let (number, text) = match &waiting {
                    Some((number, text)) => (*number, &**text),
                    None => match lines.next_line()? {
                        None => return Ok(None),
                        Some(line) => line,
                    },
                };
                *vector = jsonl::read_object(text, number, layout, *column)?;
                number
            }
        };
        Ok(Some((number, vector)))
    }

    /// All vectors with their numbers.
    ///
    /// # Errors
    /// As [`next_vector`](Self::next_vector), and if the vectors have more than 2^27 registers in
    /// all.
    pub fn read_all(mut self) -> Result<Vec<(usize, Vector)>, VectorError> {
        let most = MOST / (2 * self.layout.signature.products as usize + 16);
        let mut all = Vec::new();
        while let Some((line, vector)) = self.next_vector()? {
            if all.len() >= most {
                return Err(VectorError::TooMany { line, most: MOST });
            }
            all.push((line, vector.clone()));
        }
        Ok(all)
    }
}

impl<'m> Results<'m> {
    /// `None` if no results are read; `Some(Some(name))` for the results of the model `name`, and
    /// `Some(None)` for the results of the only model in the file.
    fn wanted(self) -> Option<Option<&'m str>> {
        match self {
            Results::None => None,
            Results::Only => Some(None),
            Results::Of(model) => Some(Some(model)),
        }
    }
}
