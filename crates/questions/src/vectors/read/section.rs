//! A member of a zip archive as an independent stream; several streams may read one file.

use flate2::read::DeflateDecoder;
use flate2::{Crc, CrcReader};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;
use zip::CompressionMethod;
use zip::read::ZipFile;

/// A range of bytes of a file. Other sections may read the same file.
struct Section {
    file: Rc<RefCell<File>>,
    at: u64,
    left: u64,
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| buffer.len().min(left));
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(&mut buffer[..most])?;
        self.at += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}

/// The content of a member of an archive. After the content has been read, [`finish`](Self::finish)
/// checks that it is intact.
pub struct SectionMember {
    content: CrcReader<BufReader<Box<dyn Read>>>,
    crc: u32,
}

impl SectionMember {
    /// The content of `entry`, an entry of the archive in `file`; `None` if the entry is encrypted,
    /// or neither stored nor deflated.
    pub fn new<R: Read>(entry: &ZipFile<'_, R>, file: &Rc<RefCell<File>>) -> Option<SectionMember> {
        let section = Section {
            file: Rc::clone(file),
            at: entry.data_start()?,
            left: entry.compressed_size(),
        };
        let content: Box<dyn Read> = match entry.compression() {
            _ if entry.encrypted() => return None,
            CompressionMethod::Stored => Box::new(section),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(BufReader::new(section))),
            _ => return None,
        };
        Some(SectionMember {
            content: CrcReader::new(BufReader::with_capacity(1 << 16, content)),
            crc: entry.crc32(),
        })
    }

    /// Whether the content has been read to its end and has the recorded checksum.
    pub fn finish(&mut self) -> io::Result<bool> {
        let is_over = self.content.read(&mut [0])? == 0;
        let crc: &Crc = self.content.crc();
        Ok(is_over && crc.sum() == self.crc)
    }
}

impl Read for SectionMember {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.content.read(buffer)
    }
}
