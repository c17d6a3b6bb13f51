//! The library begins at the first lock call, or when its constructor runs. The report is made by
//! its destructor.

use crate::{clock, end_of_thread, exports, forks, next, report, settings};
use core::sync::atomic::{AtomicBool, Ordering};

#[used]
#[unsafe(link_section = ".init_array")]
static WHEN_LOADED: unsafe extern "C" fn() = when_loaded;

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_EXIT: unsafe extern "C" fn() = at_exit;

/// Whether calls are measured.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// Points every exported function to its measured call, or to the next library if no report is
/// asked for. Several threads may do it at once: each stores the same values.
pub(crate) fn on_first_use() {
    next::find_all();
    if !settings::asks_for_report() {
        return exports::lead_on();
    }
    end_of_thread::prepare();
    // Relaxed: the constructor and the destructor run in one thread.
    if !IS_ON.swap(true, Ordering::Relaxed) {
        clock::begin();
    }
    exports::measure(next::tries_pass_writers());
}

/// Runs once, before `main`. Constructors of other libraries may have used locks earlier.
unsafe extern "C" fn when_loaded() {
    on_first_use();
    if !IS_ON.load(Ordering::Relaxed) {
        return;
    }
    forks::prepare();
    report::prepare();
}

unsafe extern "C" fn at_exit() {
    if IS_ON.load(Ordering::Relaxed) {
        report::at_exit();
    }
}
