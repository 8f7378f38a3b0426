//! Models of matrix units in a browser: two machines side by side, every bit of an evaluation, and a
//! search for differences by drawing operands. There is no solver here.
//!
//! | what | file |
//! | --- | --- |
//! | requests and answers, as JSON | `request` |
//! | machines, and the products that two of them have in common | `machines` |
//! | an evaluation of two models side by side | `side_by_side` |
//! | ordinary operands on which two models differ | `draw` |
//! | the calls between JavaScript and WebAssembly | `wasm` |

mod draw;
mod machines;
mod request;
mod side_by_side;
mod wasm;

pub use request::answer;
