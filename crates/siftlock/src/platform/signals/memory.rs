//! Memory for a thread's notes: 53 KiB of address space, and one page of memory for each signal in
//! use.
//!
//! It is not thread-local storage, which is taken from the thread's stack and written when the
//! thread starts. The first signal that a thread defers maps it, perhaps in its handler: without
//! allocator or lock. It is never unmapped, and another thread uses it next.

use super::info::Info;
use crate::platform::mine::mine as words;
use siftlock_core::defer::Notes;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// One thread's notes, in a list of all that were ever made.
#[derive(Debug)]
pub(in crate::platform) struct Book {
    notes: Notes<Info>,
    in_use: AtomicBool,
    /// Written before the book is in the list.
    next: AtomicPtr<Book>,
}

static BOOKS: AtomicPtr<Book> = AtomicPtr::new(ptr::null_mut());

fn mine() -> Option<&'static Book> {
    // Relaxed: this thread's own.
    let book = words(|mine| mine.book.load(Ordering::Relaxed));
    // SAFETY: a book, never freed, or null.
    unsafe { book.as_ref() }
}

pub(super) fn notes() -> Option<&'static Notes<Info>> {
    mine().map(|book| &book.notes)
}

pub(super) fn make_notes() -> &'static Notes<Info> {
    notes().unwrap_or_else(open)
}

#[cold]
fn open() -> &'static Notes<Info> {
    let new = used().or_else(map).unwrap_or_else(|| out_of_memory());
    let book = ptr::from_ref(new).cast_mut();
    // In one step: a handler that interrupts this may open one itself, and note something there.
    // Relaxed: this thread's own.
    let (null, order) = (ptr::null_mut(), Ordering::Relaxed);
    match words(|mine| mine.book.compare_exchange(null, book, order, order)) {
        Ok(_) => {
            super::exit::call_at_thread_exit();
            &new.notes
        }
        Err(theirs) => {
            give_up(new);
            // SAFETY: a book, never freed.
            unsafe { &(*theirs).notes }
        }
    }
}

fn books() -> impl Iterator<Item = &'static Book> {
    // Acquire: pairs with the release in `map`.
    let first = BOOKS.load(Ordering::Acquire);
    // SAFETY: the list's entries are books, never freed.
    let first = unsafe { first.as_ref() };
    std::iter::successors(first, |book| {
        // SAFETY: as above. Relaxed: written before the book was published.
        unsafe { book.next.load(Ordering::Relaxed).as_ref() }
    })
}

/// A book that another thread has used, and given up.
fn used() -> Option<&'static Book> {
    // Acquire: pairs with the release in `give_up`.
    books().find(|book| !book.in_use.swap(true, Ordering::Acquire))
}

fn map() -> Option<&'static Book> {
    // SAFETY: asks for new memory.
    let book = unsafe {
        libc::mmap(
            ptr::null_mut(),
            size_of::<Book>(),
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if book == libc::MAP_FAILED {
        return None;
    }
    let at = book.cast::<Book>();
    // SAFETY: new, zeroed, aligned to a page and large enough; all-zero is a book without notes.
    let book = unsafe { &*at };
    book.in_use.store(true, Ordering::Relaxed);
    let mut first = BOOKS.load(Ordering::Relaxed);
    loop {
        book.next.store(first, Ordering::Relaxed);
        // Release: pairs with the acquire in `books`.
        match BOOKS.compare_exchange_weak(first, at, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return Some(book),
            Err(now) => first = now,
        }
    }
}

/// Gives the calling thread's notes, which are empty, to another thread.
pub(super) fn close() {
    if let Some(book) = mine() {
        // Relaxed: this thread's own.
        words(|mine| mine.book.store(ptr::null_mut(), Ordering::Relaxed));
        give_up(book);
    }
}

/// Frees the notes of the other threads, which are the parent's. For the only thread of a forked
/// child.
pub(super) fn close_others() {
    let mine = mine().map_or(ptr::null(), ptr::from_ref);
    for book in books().filter(|book| !ptr::eq(*book, mine)) {
        book.notes.clear();
        give_up(book);
    }
}

fn give_up(book: &Book) {
    // Release: pairs with the acquire in `used`.
    book.in_use.store(false, Ordering::Release);
}

/// There is no place for a signal that must neither be handled now nor be lost.
#[cold]
fn out_of_memory() -> ! {
    super::abort(format_args!("no memory to note a signal that arrived while it was masked"))
}
