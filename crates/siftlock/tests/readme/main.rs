#![allow(unused, dead_code)]
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

#[path = "symbols.rs"]
mod symbols {
    include!("symbols.rs");
    pub(super) fn run() {
        main().unwrap()
    }
    pub(super) fn change() {
        let mut s = SYMBOLS.write();
        if s.len() > 64 {
            *s = Vec::new();
        }
        s.push((0x1000, "main"));
    }
}

#[test]
fn hangs() {
    symbols::run();
    if std::env::var_os("ONE").is_some() {
        unsafe { libc::mallopt(-8, 1) };
    }
    static STOP: AtomicBool = AtomicBool::new(false);
    static DONE: AtomicU64 = AtomicU64::new(0);
    let churn = || {
        let tid = unsafe { libc::pthread_self() };
        thread::spawn(|| {
            unsafe {
                let mut event: libc::sigevent = std::mem::zeroed();
                event.sigev_notify = libc::SIGEV_THREAD_ID;
                event.sigev_signo = libc::SIGPROF;
                event.sigev_notify_thread_id = libc::gettid();
                let mut timer = std::mem::zeroed();
                let mut times: libc::itimerspec = std::mem::zeroed();
                times.it_value.tv_nsec = 1_000_000;
                times.it_interval = times.it_value;
                assert_eq!(0, libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer));
                assert_eq!(0, libc::timer_settime(timer, 0, &times, std::ptr::null_mut()));
            }
            while !STOP.load(Relaxed) {
                black_box(vec![0_u8; 4000]);
                black_box((0..20).map(|n| vec![0_u8; 64 * n]).collect::<Vec<_>>());
            }
        });
        tid
    };
    churn();
    churn();
    thread::spawn(|| {
        while !STOP.load(Relaxed) {
            symbols::change();
            DONE.fetch_add(1, Relaxed);
        }
    });
    let start = Instant::now();
    let mut last = (0, Instant::now());
    while start.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(100));
        let now = DONE.load(Relaxed);
        if now != last.0 {
            last = (now, Instant::now());
        }
        if last.1.elapsed() > Duration::from_secs(10) {
            eprintln!("hangs after {:?}, {now} changes", start.elapsed());
            std::process::abort();
        }
    }
    eprintln!("{} changes", DONE.load(Relaxed));
}
