//! A panic of what is tested as a value: its place and its words, without a backtrace on the screen.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The result, or where it panicked. Other threads and later panics are shown as ever.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |about| {
            if !IS_QUIET.get() {
                return usual(about);
            }
            let place = about
                .location()
                .map(ToString::to_string)
                .unwrap_or_default();
            let file = place.rsplit("src/").next().unwrap_or_default().to_owned();
            PLACE.with(|known| *known.borrow_mut() = file);
        }));
    });
    let before = IS_QUIET.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    IS_QUIET.set(before);
    result.map_err(|_| PLACE.with(|known| known.borrow().clone()))
}
