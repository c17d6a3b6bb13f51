//! Functions in front of the C library's own: the linker binds this program's calls to these. Each
//! records that it was called, and then does the same as the one behind it.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// A lock call that is watched.
#[derive(Clone, Copy)]
struct Watch {
    words: *const [AtomicU64],
    /// The words as they were when the call began.
    before: [u64; MOST],
}

/// A lock has so many words at most.
const MOST: usize = 3;

thread_local! {
    static WATCH: Cell<Option<Watch>> = const { Cell::new(None) };
}

/// The first function that was called while it must not be; null: none.
static CAUGHT: AtomicPtr<c_char> = AtomicPtr::new(ptr::null_mut());

/// Makes a lock call of the calling thread. While anything of the lock is the caller's, its words
/// are not as they were: then none of the functions below may be called. The call also leaves
/// `errno` as it was.
pub(crate) fn watched<T>(words: &[AtomicU64], call: impl FnOnce() -> T) -> T {
    const ERRNO: c_int = 77;
    // SAFETY: the thread's own, here and below.
    unsafe { *libc::__errno_location() = ERRNO };
    WATCH.set(Some(Watch { words, before: values(words) }));
    let result = call();
    WATCH.set(None);
    // SAFETY: as above.
    if unsafe { *libc::__errno_location() } != ERRNO {
        catch(c"errno");
    }
    result
}

/// The function that was caught, if any.
pub(crate) fn caught() -> Option<&'static CStr> {
    let name = CAUGHT.load(Ordering::Relaxed);
    // SAFETY: set to names of functions below, which are strings of the program.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })
}

fn values(words: &[AtomicU64]) -> [u64; MOST] {
    std::array::from_fn(|n| words.get(n).map_or(0, |word| word.load(Ordering::Relaxed)))
}

fn called(name: &'static CStr) {
    let Some(Watch { words, before }) = WATCH.get() else { return };
    // SAFETY: the lock outlives the call that is watched.
    if values(unsafe { &*words }) != before {
        catch(name);
    }
}

fn catch(name: &'static CStr) {
    let (null, name) = (ptr::null_mut(), name.as_ptr().cast_mut());
    let _ = CAUGHT.compare_exchange(null, name, Ordering::Relaxed, Ordering::Relaxed);
}

/// Stands in front of a function that the C library offers under a second name.
macro_rules! hook {
    ($($name:ident => $behind:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        unsafe extern "C" {
            $(fn $behind($($argument: $type),*) -> $result;)*
        }
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($argument: $type),*) -> $result {
                const NAME: &str = concat!(stringify!($name), "\0");
                called(CStr::from_bytes_with_nul(NAME.as_bytes()).unwrap_or_default());
                // SAFETY: the caller's promises are this function's.
                unsafe { $behind($($argument),*) }
            }
        )*
    };
}

hook! {
    malloc => __libc_malloc(size: usize) -> *mut c_void;
    calloc => __libc_calloc(number: usize, size: usize) -> *mut c_void;
    realloc => __libc_realloc(place: *mut c_void, size: usize) -> *mut c_void;
    free => __libc_free(place: *mut c_void) -> ();
    aligned_alloc => __libc_memalign(align: usize, size: usize) -> *mut c_void;
    open => __open(path: *const c_char, flags: c_int, mode: c_int) -> c_int;
    open64 => __open64(path: *const c_char, flags: c_int, mode: c_int) -> c_int;
    read => __read(file: c_int, to: *mut c_void, size: usize) -> isize;
    close => __close(file: c_int) -> c_int;
    nanosleep => __nanosleep(time: *const c_void, left: *mut c_void) -> c_int;
    pthread_key_create => __pthread_key_create(key: *mut c_void, end: *mut c_void) -> c_int;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(to: *mut *mut c_void, align: usize, size: usize) -> c_int {
    called(c"posix_memalign");
    // SAFETY: the caller's place; `__libc_memalign` is declared for `aligned_alloc` above.
    unsafe {
        *to = __libc_memalign(align, size);
        if (*to).is_null() { libc::ENOMEM } else { 0 }
    }
}

unsafe extern "C" {
    fn __register_atfork(
        before: *const c_void,
        parent: *const c_void,
        child: *const c_void,
        library: *const c_void,
    ) -> c_int;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_atfork(
    before: *const c_void,
    parent: *const c_void,
    child: *const c_void,
) -> c_int {
    called(c"pthread_atfork");
    // SAFETY: the caller's functions; the program itself is never unloaded.
    unsafe { __register_atfork(before, parent, child, ptr::null()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clock_nanosleep(
    clock: c_int,
    flags: c_int,
    time: *const c_void,
    left: *mut c_void,
) -> c_int {
    called(c"clock_nanosleep");
    // SAFETY: the caller's places.
    let answer = unsafe {
        raw(
            libc::SYS_clock_nanosleep,
            [clock as usize, flags as usize, time.addr(), left.addr(), 0, 0],
        )
    };
    -answer as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void {
    called(c"dlsym");
    type Dlsym = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;
    static BEHIND: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    let mut behind = BEHIND.load(Ordering::Relaxed);
    if behind.is_null() {
        // SAFETY: valid strings.
        behind =
            unsafe { libc::dlvsym(libc::RTLD_NEXT, c"dlsym".as_ptr(), c"GLIBC_2.2.5".as_ptr()) };
        BEHIND.store(behind, Ordering::Relaxed);
    }
    // SAFETY: the C library's own, of this type; the caller's promises are this function's.
    unsafe { std::mem::transmute::<*mut c_void, Dlsym>(behind)(library, name) }
}

/// Any system call. It is caught if it registers the process, which waits for all threads of the
/// system.
#[unsafe(no_mangle)]
unsafe extern "C" fn syscall(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> c_long {
    if number == libc::SYS_membarrier
        && a == libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED as usize
    {
        REGISTERED.fetch_add(u64::from(WATCH.get().is_some()), Ordering::Relaxed);
        called(c"membarrier");
    }
    // SAFETY: the caller's promises are this function's.
    let answer = unsafe { raw(number, [a, b, c, d, e, f]) };
    if (-4095..0).contains(&answer) {
        // SAFETY: the thread's own `errno`.
        unsafe { *libc::__errno_location() = -answer as c_int };
        return -1;
    }
    answer
}

/// How often a lock call has registered the process, whatever the caller held.
static REGISTERED: AtomicU64 = AtomicU64::new(0);

pub(crate) fn registered() -> u64 {
    REGISTERED.load(Ordering::Relaxed)
}

/// The bare system call.
unsafe fn raw(number: c_long, [a, b, c, d, e, f]: [usize; 6]) -> c_long {
    let answer;
    // SAFETY: the system changes these registers and what the caller's arguments say.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number => answer,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    answer
}
