//! The header is the one that is generated from the sources.

use crate::library::home;
use std::{env, fs};

#[test]
fn header_is_generated_from_these_sources() {
    let config = cbindgen::Config::from_file(home().join("cbindgen.toml")).expect("the settings");
    let mut generated = Vec::new();
    cbindgen::Builder::new()
        .with_crate(home())
        .with_config(config)
        .generate()
        .expect("cbindgen understands the sources")
        .write(&mut generated);
    let generated = String::from_utf8(generated).expect("text");
    let file = home().join("include/siftlock.h");
    if env::var_os("SIFTLOCK_RENEW").is_some() {
        fs::write(&file, &generated).expect("the header can be written");
    }
    let stored = fs::read_to_string(&file).unwrap_or_default();
    let differ = stored.lines().zip(generated.lines()).find(|(stored, made)| stored != made);
    assert!(
        stored == generated,
        "include/siftlock.h is not what src says. To renew it:\n    \
         SIFTLOCK_RENEW=1 cargo test -p siftlock-ffi header\nThe first lines that differ: {differ:?}"
    );
}
