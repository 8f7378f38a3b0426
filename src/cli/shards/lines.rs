//! The lines of a share: a header, then one line for each item.

use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::output::PROGRAM;
use mmasmt_core::machines::model::table_texts;
use mmasmt_numbers::base::excerpt::{excerpt, file_name};
use mmasmt_questions::claims::property::query_texts;
use mmasmt_questions::vectors::write::SCHEMA;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

/// The first line of what --shard writes: it says what the other lines are answers to. Behind it
/// each line has `item`, ascending, and the answer to that item. All shares of one work have the
/// same header but for `shard`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(in crate::cli) struct ShareHeader {
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u32,
    pub version: String,
    /// SHA-256 of the tables of models and of published claims.
    pub tables: String,
    pub command: String,
    /// All that the answers depend on.
    #[schemars(extend("type" = "object"))]
    pub asked: Value,
    /// How many items all shares have together.
    pub items: u64,
    /// I/N; 0/1 is everything.
    pub shard: String,
}

impl ShareHeader {
    /// The header of a share of a command's work, with the version and the tables of this program.
    pub fn new(command: &str, asked: &Value, items: u64, shard: String) -> ShareHeader {
        ShareHeader {
            schema: SCHEMA,
            version: PROGRAM.into(),
            tables: digest(table_texts().chain(query_texts())),
            command: command.into(),
            asked: asked.clone(),
            items,
            shard,
        }
    }

    /// Compares the work that two headers describe. If it differs, returns a text that names the
    /// first field that differs; otherwise `None`.
    pub fn difference(&self, expected: &ShareHeader) -> Option<String> {
        let texts = |header: &ShareHeader| {
            [
                ("schema", header.schema.to_string()),
                ("version", header.version.clone()),
                ("tables", header.tables.clone()),
                ("command", header.command.clone()),
            ]
        };
        let mut pairs = texts(self).into_iter().zip(texts(expected));
        if let Some(((what, found), (_, expected))) = pairs.find(|(own, other)| own != other) {
            return Some(format!("expected {what} {expected}, found {found}"));
        }
        let (own, other) = (&self.asked, &expected.asked);
        let keys = other.as_object().into_iter().chain(own.as_object());
        let mut keys = keys.flat_map(|object| object.keys());
        let differs = |key: &&String| own.get(key.as_str()) != other.get(key.as_str());
        let Some(key) = keys.find(differs) else {
            let (found, expected) = (self.items, expected.items);
            return (found != expected)
                .then(|| format!("expected {expected} items, found {found}"));
        };
        let text = |asked: &Value| {
            asked
                .get(key)
                .map_or("none".into(), |value| excerpt(&value.to_string()))
        };
        Some(format!(
            "expected {key} {}, found {}",
            text(other),
            text(own)
        ))
    }

    pub fn line(&self) -> Result<String, Error> {
        Ok(serde_json::to_string(self).map_err(io::Error::from)? + "\n")
    }
}

/// The key of the sum of a line, its last one.
const SUM: &str = ",\"sum\":\"";
/// The digits of a sum.
const DIGITS: usize = 16;

/// The sum of the line of an item, which is the text of an object without it: an edited line has
/// another one, and so has a line of other work.
fn sum(header: &ShareHeader, line: &str) -> String {
    let asked = header.asked.to_string();
    let all = [
        &*header.version,
        &header.tables,
        &header.command,
        &asked,
        line,
    ];
    let mut state = Sha256::new();
    for text in all {
        state.update((text.len() as u64).to_le_bytes());
        state.update(text);
    }
    let bytes = state.finalize();
    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
    digits.take(DIGITS / 2).collect()
}

/// The line of an item, an object in JSON, with its sum.
fn with_sum(header: &ShareHeader, object: &str) -> String {
    let sum = sum(header, object);
    let open = object.strip_suffix('}').unwrap_or(object);
    format!("{open}{SUM}{sum}\"}}\n")
}

/// Whether a line has the sum that it was written with.
fn has_its_sum(header: &ShareHeader, line: &str) -> bool {
    let line = line.trim_end();
    let Some((open, rest)) = line.rsplit_once(SUM) else {
        return false;
    };
    rest.strip_suffix("\"}") == Some(&sum(header, &format!("{open}}}")))
}

/// The SHA-256 of the texts, joined without separators.
fn digest(texts: impl Iterator<Item = &'static str>) -> String {
    let mut state = Sha256::new();
    texts.for_each(|text| state.update(text));
    let bytes = state.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The part that is read of the line of an item.
#[derive(Deserialize)]
pub(in crate::cli) struct Item {
    /// The number of the item.
    pub item: u64,
    /// The status that its answer gives to the whole work.
    #[serde(default)]
    pub status: Status,
}

/// The line of an item without its sum.
#[derive(Serialize)]
struct AnsweredItem<'x, T> {
    item: u64,
    #[serde(flatten)]
    answer: &'x T,
    #[serde(skip_serializing_if = "Status::is_yes")]
    status: Status,
}

/// The lines of a file, one by one.
pub(in crate::cli) struct LinesOfFile<'x> {
    path: &'x Path,
    from: BufReader<File>,
    pub header: ShareHeader,
    /// The number of bytes in the whole lines that were read.
    read: u64,
    number: u64,
}

impl<'x> LinesOfFile<'x> {
    /// Opens the file at `path`, and reads its header.
    ///
    /// # Errors
    /// If the file cannot be read, or its first line is no header.
    pub fn open(path: &'x Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::file(path))?;
        let mut from = BufReader::new(file);
        let line = read_line(&mut from).map_err(Error::file(path))?;
        let header = serde_json::from_str(&line).ok();
        let header = header.ok_or_else(|| {
            wrong(
                path,
                1,
                "expected the first line of a share, as --shard writes it",
            )
        })?;
        Ok(LinesOfFile {
            path,
            from,
            header,
            read: line.len() as u64,
            number: 1,
        })
    }

    /// The next whole line, with the number and the status of its item. `None` at the end of the
    /// file, or if the last line was cut off.
    ///
    /// # Errors
    /// If the line cannot be read, or is no line of an item.
    pub fn next(&mut self) -> Result<Option<(Item, String)>, Error> {
        let line = read_line(&mut self.from).map_err(Error::file(self.path))?;
        if !line.ends_with('\n') {
            return Ok(None);
        }
        self.number += 1;
        let item: Item = serde_json::from_str(&line)
            .map_err(|_| wrong(self.path, self.number, "expected an object with `item`"))?;
        if !has_its_sum(&self.header, &line) {
            let what = "expected the sum of this line at its end, found another: it was changed after it was written";
            return Err(wrong(self.path, self.number, what));
        }
        self.read += line.len() as u64;
        Ok(Some((item, line)))
    }
}

/// The most bytes of a line: 64 MiB.
const LONGEST: u64 = 1 << 26;

/// The next line, with its line end unless it was cut off; empty at the end of the file.
fn read_line(from: &mut impl BufRead) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(LONGEST).read_until(b'\n', &mut bytes)?;
    // A line that was cut off may end within a character.
    let line = if bytes.ends_with(b"\n") {
        String::from_utf8(bytes).map_err(io::Error::other)?
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    };
    if line.len() as u64 == LONGEST && !line.ends_with('\n') {
        let expected = format!("expected lines of at most {LONGEST} bytes, found more");
        return Err(io::Error::other(expected));
    }
    Ok(line)
}

/// The error that something is wrong in a line of a file.
pub(in crate::cli) fn wrong(path: &Path, line: u64, what: &str) -> Error {
    Error::Usage(format!("{}: line {line}: {what}", file_name(path)))
}

/// The first bytes of a file, at most `most` of them.
fn beginning(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(most as u64)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The output to which the lines of a share are written.
pub(super) struct ShareLines<'x> {
    /// The path of the file to go on with, the open file, and the numbers of the items that it had
    /// before; `None` for standard output.
    file: Option<(&'x Path, File, Vec<u64>)>,
    header: ShareHeader,
    out: &'x mut dyn Write,
}

impl<'x> ShareLines<'x> {
    /// Begins the output with the header. If the file `resume` is given, goes on behind its whole
    /// lines.
    ///
    /// # Errors
    /// If the file belongs to other work, or cannot be written.
    pub fn begin(
        header: &ShareHeader,
        resume: Option<&'x Path>,
        out: &'x mut dyn Write,
    ) -> Result<Self, Error> {
        let Some(path) = resume else {
            out.write_all(header.line()?.as_bytes())?;
            out.flush()?;
            let header = header.clone();
            return Ok(ShareLines {
                file: None,
                header,
                out,
            });
        };
        let at = Error::file(path);
        let mut options = File::options();
        let options = options.create(true).append(true).read(true);
        let mut file = options.open(path).map_err(at)?;
        // The lock goes with the file, however this process ends.
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = file_name(path);
                return Err(Error::Usage(format!(
                    "{path}: another process writes to it: wait for its end, or name another file"
                )));
            }
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(at(error)),
        }
        // A file that ends within its header has nothing to resume.
        let text = header.line()?;
        let is_cut =
            |there: Vec<u8>| there.len() < text.len() && text.as_bytes().starts_with(&there);
        let is_there = !is_cut(beginning(path, text.len()).map_err(at)?);
        let mut items = Vec::new();
        let mut end = 0;
        if is_there {
            let mut there = LinesOfFile::open(path)?;
            let difference = there.header.difference(header).or_else(|| {
                let (found, expected) = (&there.header.shard, &header.shard);
                (found != expected).then(|| format!("expected shard {expected}, found {found}"))
            });
            if let Some(difference) = difference {
                let what = format!("{difference}: it is not of this work; name another file");
                return Err(wrong(path, 1, &what));
            }
            while let Some((item, _)) = there.next()? {
                items.push(item.item);
            }
            end = there.read;
        }
        file.set_len(end).map_err(at)?;
        if !is_there {
            file.write_all(text.as_bytes()).map_err(at)?;
        }
        let file = Some((path, file, items));
        let header = header.clone();
        Ok(ShareLines { file, header, out })
    }

    /// The number of items that the file has already.
    pub fn written(&self) -> usize {
        self.file.as_ref().map_or(0, |(_, _, items)| items.len())
    }

    /// Checks that the item at `place` in the file, from 0, is `item`.
    ///
    /// # Errors
    /// If the file has another item there.
    pub fn expect(&self, item: u64, place: usize) -> Result<(), Error> {
        match &self.file {
            Some((path, _, items)) if items.get(place) != Some(&item) => Err(wrong(
                path,
                place as u64 + 2,
                &format!("expected item {item} of this share"),
            )),
            _ => Ok(()),
        }
    }

    /// Writes the whole line of an item.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn write<T: Serialize>(
        &mut self,
        item: u64,
        answer: &T,
        status: Status,
    ) -> Result<(), Error> {
        let line = AnsweredItem {
            item,
            answer,
            status,
        };
        let line = serde_json::to_string(&line).map_err(io::Error::from)?;
        let line = with_sum(&self.header, &line);
        match &mut self.file {
            Some((path, file, _)) => {
                let written = file.write_all(line.as_bytes());
                written.map_err(Error::file(path))
            }
            None => {
                self.out.write_all(line.as_bytes())?;
                Ok(self.out.flush()?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::{ShareHeader, has_its_sum, with_sum};
    use serde_json::json;

    /// Any other character, and any other work, has another sum.
    #[test]
    fn a_line_that_was_changed_has_another_sum() {
        let header =
            |asked: &str| ShareHeader::new("prove", &json!({ "of": asked }), 2, "0/1".into());
        let own = header("a");
        let line = with_sum(&own, "{\"item\":1,\"verdict\":\"proved\"}");
        assert!(
            line.ends_with("\"}\n") && has_its_sum(&own, &line),
            "{line}"
        );
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok());
        assert!(!has_its_sum(&header("b"), &line));
        for at in 0..line.trim_end().len() {
            let mut bytes = line.clone().into_bytes();
            bytes[at] ^= 1;
            assert!(
                !has_its_sum(&own, &String::from_utf8(bytes).unwrap()),
                "{at}"
            );
        }
        assert!(!has_its_sum(&own, "{\"item\":1}\n"));
    }
}
