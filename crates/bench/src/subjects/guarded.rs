//! Locks whose users hold them by a guard: std's, and every lock behind `lock_api`.

use super::Lock;

/// Implements [`Lock`] by the guards that two pairs of methods return. The result of such a method
/// is held even if it is poisoned: its drop unlocks.
macro_rules! guarded {
    ($lock:ty $(, $raw:ident: $bound:path)?; $read:ident $try_read:ident;
     $write:ident $try_write:ident; $got:ident) => {
        impl$(<$raw: $bound + Send + Sync + 'static>)? Lock for $lock {
            fn unlocked() -> Self {
                Self::new(())
            }

            #[inline]
            fn reading<T>(&self, section: impl FnOnce() -> T) -> T {
                let _held = self.$read();
                section()
            }

            #[inline]
            fn writing<T>(&self, section: impl FnOnce() -> T) -> T {
                let _held = self.$write();
                section()
            }

            #[inline]
            fn try_reading<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
                let held = self.$try_read();
                held.$got().then(section)
            }

            #[inline]
            fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
                let held = self.$try_write();
                held.$got().then(section)
            }
        }
    };
}

guarded!(std::sync::RwLock<()>; read try_read; write try_write; is_ok);
guarded!(std::sync::Mutex<()>; lock try_lock; lock try_lock; is_ok);
guarded!(crossbeam_utils::sync::ShardedLock<()>; read try_read; write try_write; is_ok);
guarded!(lock_api::RwLock<R, ()>, R: lock_api::RawRwLock; read try_read; write try_write; is_some);
guarded!(lock_api::Mutex<R, ()>, R: lock_api::RawMutex; lock try_lock; lock try_lock; is_some);
guarded!(lock_api_04::RwLock<R, ()>, R: lock_api_04::RawRwLock;
    read try_read; write try_write; is_some);
guarded!(spin::RwLock<()>; read try_read; write try_write; is_some);
