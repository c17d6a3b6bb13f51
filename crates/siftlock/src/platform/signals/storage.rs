//! Whether a thread's first access to a thread-local variable of ours may allocate.
//!
//! A program, and the libraries that it starts with, have such storage in each thread from its
//! start. For a library that is loaded later with `dlopen`, glibc allocates it at a thread's first
//! access. That may be in a handler that has interrupted the allocator. Under the cfg
//! `siftlock_initial_exec` each thread has it as soon as the library is loaded.

use super::set;
use std::ffi::c_void;
use std::{io, ptr};

unsafe extern "C" {
    /// Sets whether the calling thread can be cancelled.
    fn pthread_setcancelstate(state: libc::c_int, before: *mut libc::c_int) -> libc::c_int;
}

/// The value of glibc and musl.
const PTHREAD_CANCEL_DISABLE: libc::c_int = 1;

/// Whether a new thread lacks the storage until its first access.
///
/// It never does where this is part of the program itself. Else a new thread looks. It is made
/// without `std`, whose own thread-local variables are in the same storage.
pub(super) fn is_lazy() -> io::Result<bool> {
    if Module::ours().is_program {
        return Ok(false);
    }
    extern "C" fn look(answer: *mut c_void) -> *mut c_void {
        // SAFETY: the place is the caller's, which waits for this thread.
        unsafe { *answer.cast::<bool>() = Module::ours().lacks_storage };
        ptr::null_mut()
    }
    let mut answer = false;
    // A handler in the new thread might make the very access that is asked about.
    let mask = set::block(set::all());
    // SAFETY: a function that returns, a place for its answer, and a thread that was made. Nothing
    // ends the wait for it early: the answer is on this stack.
    let error = unsafe {
        let mut before = 0;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &mut before);
        let mut thread = std::mem::zeroed();
        let error =
            match libc::pthread_create(&mut thread, ptr::null(), look, (&raw mut answer).cast()) {
                0 => libc::pthread_join(thread, ptr::null_mut()),
                error => error,
            };
        pthread_setcancelstate(before, ptr::null_mut());
        error
    };
    set::put_back(&mask);
    if error == 0 { Ok(answer) } else { Err(io::Error::from_raw_os_error(error)) }
}

/// The loader's answer about the program or library that this code is in.
#[derive(Clone, Copy)]
struct Module {
    is_program: bool,
    /// The calling thread has not got the storage that this needs.
    lacks_storage: bool,
}

impl Module {
    /// Uses no thread-local variable.
    fn ours() -> Self {
        struct Search {
            at: usize,
            place: usize,
            found: Module,
        }
        extern "C" fn each(
            info: *mut libc::dl_phdr_info,
            _: libc::size_t,
            search: *mut c_void,
        ) -> libc::c_int {
            // SAFETY: what the loader and the caller below give.
            let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
            let segments = 0..usize::from(info.dlpi_phnum);
            let has_it = segments.into_iter().any(|n| {
                // SAFETY: there are so many segments.
                let segment = unsafe { &*info.dlpi_phdr.add(n) };
                let start = (info.dlpi_addr as usize).wrapping_add(segment.p_vaddr as usize);
                segment.p_type == libc::PT_LOAD
                    && search.at.wrapping_sub(start) < segment.p_memsz as usize
            });
            if has_it {
                let lacks_storage = info.dlpi_tls_modid != 0 && info.dlpi_tls_data.is_null();
                search.found = Module { is_program: search.place == 0, lacks_storage };
            }
            search.place += 1;
            has_it.into()
        }
        let at = Self::ours as *const () as usize;
        // Not found: a program without a loader.
        let found = Self { is_program: true, lacks_storage: false };
        let mut search = Search { at, place: 0, found };
        // SAFETY: a function for each, and what it is given.
        unsafe { libc::dl_iterate_phdr(Some(each), (&raw mut search).cast()) };
        search.found
    }
}
