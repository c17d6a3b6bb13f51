//! A lock is written and read as its value.

use super::Lock;
use crate::support::{Platform, on_each_platform};

on_each_platform!(rwsem_value_is_serialized_under_a_read);

fn rwsem_value_is_serialized_under_a_read<P: Platform>() {
    let lock = Lock::<_, P>::new(vec![1, 2]);
    let reader = lock.read();
    let text = serde_json::to_string(&lock).expect("readers share it");
    assert_eq!(text, "[1,2]");
    drop(reader);
    let read: Lock<Vec<u32>, P> = serde_json::from_str(&text).expect("it was written so");
    assert_eq!(*read.write(), [1, 2]);
}
