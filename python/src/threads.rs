//! The threads that all calls share. A process that was forked has none of them, so it makes its own.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;

/// The threads of a process.
struct Shared {
    process: u32,
    pool: ThreadPool,
}

/// The most forks one behind the other whose processes have threads.
const MOST: usize = 64;

/// The threads of this process, behind those of the processes that it was forked from. No mutex guards
/// them: a thread that holds one may not be there after a fork.
static SHARED: [OnceLock<Shared>; MOST] = [const { OnceLock::new() }; MOST];

/// What `work` gives on the threads of this process; on this thread alone if none can be made.
pub(crate) fn on_shared<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match shared() {
        Some(pool) => pool.install(work),
        None => match ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(work),
            Err(_) => work(),
        },
    }
}

fn shared() -> Option<&'static ThreadPool> {
    let process = std::process::id();
    for place in &SHARED {
        if place.get().is_none() {
            let pool = ThreadPoolBuilder::new().build().ok()?;
            // Another thread of this process may have been faster.
            let _ = place.set(Shared { process, pool });
        }
        if let Some(shared) = place.get().filter(|shared| shared.process == process) {
            return Some(&shared.pool);
        }
    }
    None
}
