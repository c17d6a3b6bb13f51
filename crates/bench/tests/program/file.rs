//! The file of results that the program writes.

use super::program::program;
use serde_json::Value;

/// Runs the program with these arguments and reads that file.
pub(crate) fn results(line: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("results.json");
    let path = file.to_str().expect("a path in UTF-8");
    program(&[line, &["--json", path]].concat()).assert().success();
    let text = std::fs::read_to_string(&file).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}
