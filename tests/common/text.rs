//! A text that who writes it may keep.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// What was written so far.
#[derive(Clone, Default)]
pub struct Text(pub Rc<RefCell<Vec<u8>>>);

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
