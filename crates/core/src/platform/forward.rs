//! A platform that forwards to another one.

/// Writes methods of a [`Platform`](crate::platform::Platform) that forward to the platform
/// `$base`.
///
/// Each name stands for a group of methods. The implementing type writes the other methods itself.
///
/// | group | methods |
/// | --- | --- |
/// | `records` | `prepare`, `current`, `current_or_nobody`, `current_number`, `record`, `records` |
/// | `sleep` | `wait` |
/// | `wake` | `wake`, `wake_all` |
/// | `bias` | `bias`, `is_private`, `is_time_to_ask`, `ask_again_after`, `heavy_fence` |
/// | `time` | `now`, `handoff_after` |
/// | `processors` | `yield_now`, `GIVES_WAY`, `give_way`, `may_spin`, `processors`, `may_spin_on`, `processor_time`, `nap` |
/// | `masking` | `raise`, `restore`, `shield`, `unshield` |
/// | `level` | `level`, `misused` |
#[doc(hidden)]
#[macro_export]
macro_rules! forward_platform {
    (@records $base:ty) => {
        #[inline]
        fn prepare() {
            <$base as $crate::platform::Platform>::prepare();
        }
        #[inline]
        fn current() -> &'static $crate::record::Record {
            <$base as $crate::platform::Platform>::current()
        }
        #[inline]
        fn current_or_nobody() -> &'static $crate::record::Record {
            <$base as $crate::platform::Platform>::current_or_nobody()
        }
        #[inline]
        fn current_number() -> u32 {
            <$base as $crate::platform::Platform>::current_number()
        }
        #[inline]
        fn record(id: $crate::record::RecordId) -> &'static $crate::record::Record {
            <$base as $crate::platform::Platform>::record(id)
        }
        #[inline]
        fn records() -> u32 {
            <$base as $crate::platform::Platform>::records()
        }
    };
    (@sleep $base:ty) => {
        #[inline]
        fn wait(
            record: &$crate::record::Record,
            word: &$crate::sync::AtomicU32,
            seen: u32,
            until: Option<$crate::platform::Instant>,
        ) {
            <$base as $crate::platform::Platform>::wait(record, word, seen, until);
        }
    };
    (@wake $base:ty) => {
        #[inline]
        fn wake(record: &$crate::record::Record, word: &$crate::sync::AtomicU32) {
            <$base as $crate::platform::Platform>::wake(record, word);
        }
        #[inline]
        fn wake_all(word: &$crate::sync::AtomicU32) {
            <$base as $crate::platform::Platform>::wake_all(word);
        }
    };
    (@bias $base:ty) => {
        #[inline]
        fn bias() -> Option<&'static $crate::platform::Bias> {
            <$base as $crate::platform::Platform>::bias()
        }
        #[inline]
        fn is_private(lock: *const ()) -> bool {
            <$base as $crate::platform::Platform>::is_private(lock)
        }
        #[inline]
        fn is_time_to_ask(weight: u32) -> bool {
            <$base as $crate::platform::Platform>::is_time_to_ask(weight)
        }
        #[inline]
        fn ask_again_after(reads: u32) {
            <$base as $crate::platform::Platform>::ask_again_after(reads);
        }
        #[inline]
        fn heavy_fence() {
            <$base as $crate::platform::Platform>::heavy_fence();
        }
    };
    (@time $base:ty) => {
        #[inline]
        fn now() -> $crate::platform::Instant {
            <$base as $crate::platform::Platform>::now()
        }
        #[inline]
        fn handoff_after(usual: u64) -> u64 {
            <$base as $crate::platform::Platform>::handoff_after(usual)
        }
    };
    (@processors $base:ty) => {
        #[inline]
        fn yield_now() {
            <$base as $crate::platform::Platform>::yield_now();
        }
        const GIVES_WAY: bool = <$base as $crate::platform::Platform>::GIVES_WAY;
        #[inline]
        fn give_way() {
            <$base as $crate::platform::Platform>::give_way();
        }
        #[inline]
        fn may_spin() -> bool {
            <$base as $crate::platform::Platform>::may_spin()
        }
        #[inline]
        fn processors() -> u32 {
            <$base as $crate::platform::Platform>::processors()
        }
        #[inline]
        fn may_spin_on(owner: &$crate::record::Record) -> bool {
            <$base as $crate::platform::Platform>::may_spin_on(owner)
        }
        #[inline]
        fn processor_time(owner: &$crate::record::Record) -> Option<u64> {
            <$base as $crate::platform::Platform>::processor_time(owner)
        }
        #[inline]
        fn nap() {
            <$base as $crate::platform::Platform>::nap();
        }
    };
    (@masking $base:ty) => {
        #[inline]
        fn raise(
            to: $crate::platform::Class,
            held: $crate::platform::Raised,
        ) -> $crate::platform::Raised {
            <$base as $crate::platform::Platform>::raise(to, held)
        }
        #[inline]
        fn restore(held: $crate::platform::Raised) {
            <$base as $crate::platform::Platform>::restore(held);
        }
        #[inline]
        fn shield() -> u64 {
            <$base as $crate::platform::Platform>::shield()
        }
        #[inline]
        fn unshield(shield: u64) {
            <$base as $crate::platform::Platform>::unshield(shield);
        }
    };
    (@level $base:ty) => {
        #[inline]
        #[track_caller]
        fn level() -> $crate::platform::Class {
            <$base as $crate::platform::Platform>::level()
        }
        #[cold]
        #[track_caller]
        fn misused(why: ::core::fmt::Arguments<'_>) -> ! {
            <$base as $crate::platform::Platform>::misused(why)
        }
    };
    ($base:ty: $($group:ident),+) => {
        $($crate::forward_platform!(@$group $base);)+
    };
}
