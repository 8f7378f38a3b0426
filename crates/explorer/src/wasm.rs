//! The calls between JavaScript and WebAssembly: a request is written into memory of this module,
//! and the answer is read from it. There is one thread.
#![allow(unsafe_code, reason = "memory is handed over as address and length")]

use super::request::answer;

/// Memory for `length` bytes of a request.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    let bytes = vec![0_u8; length].into_boxed_slice();
    Box::into_raw(bytes).cast()
}

/// Answers the request of `length` bytes at `address`, which [`reserve`] gave, and frees it. Returns
/// the address of the answer: its length in four bytes, lowest first, then the answer. The answer
/// must be freed by [`release`].
///
/// # Safety
/// `address` and `length` must be those of one call of [`reserve`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(address: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: the caller guarantees that this is the memory of `reserve`.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) };
    let answered = answer(&String::from_utf8_lossy(&request));
    let length = (answered.len() as u32).to_le_bytes();
    let bytes = [&length, answered.as_bytes()].concat().into_boxed_slice();
    Box::into_raw(bytes).cast()
}

/// Frees an answer of `length` bytes with its length before it.
///
/// # Safety
/// `address` must be what [`ask`] returned, and `length` the length of the answer plus four.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(address: *mut u8, length: usize) {
    // SAFETY: the caller guarantees that this is the memory of an answer.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) });
}
