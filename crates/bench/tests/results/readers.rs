//! Readers that scale.

use crate::program::program;
use crate::{results, rows};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

#[test]
fn results_of_readers_tell_shares_of_writes_and_forms_of_ours() {
    let line = ["readers", "--threads", "2", "--rounds", "2", "--seconds", "0.02"];
    let document = results(&[&line[..], &["--writes", "0,10", "--policies"]].concat());
    assert_eq!(document["params"]["writes"], serde_json::json!([0.0, 10.0]));
    let totals = rows(&document).iter().filter(|row| row["metric"] == "total");
    let told: Vec<_> =
        totals.map(|row| (row["writes"].as_f64(), row["subject"].as_str())).collect();
    let forms = ["rwsem", "rwsem-unbiased", "rwsem-eager"];
    let expected: Vec<_> = [0.0, 10.0]
        .into_iter()
        .flat_map(|writes| forms.map(|form| (Some(writes), Some(form))))
        .collect();
    assert_eq!(told.len(), expected.len());
    assert!(expected.iter().all(|one| told.contains(one)), "{told:?}");
}

#[test]
fn results_of_readers_under_pressure_are_shown_for_each_share_of_writes() {
    let line = ["readers", "--threads", "2", "--rounds", "1", "--seconds", "0.01", "--writes", "0"];
    program(&[&line[..], &["--policies", "--pressure"]].concat())
        .assert()
        .success()
        .stdout(contains("Readers, 0 % writes under pressure, 2 threads: sections"));
}

#[cfg(target_os = "linux")]
#[test]
fn results_of_readers_have_the_cost_of_a_revocation_by_threads() {
    let document = results(&["readers", "--revoke", "--threads", "3,1", "--rounds", "2"]);
    let readers: Vec<_> = rows(&document).iter().map(|row| row["readers"].as_u64()).collect();
    assert_eq!(readers, [Some(1), Some(3)]);
    assert_eq!(rows(&document)[1]["cold"].as_array().map(Vec::len), Some(2));
}

#[test]
fn results_of_readers_have_the_price_of_biases_as_ratios() {
    let line = ["readers", "--price", "--threads", "1,2", "--rounds", "3", "--seconds", "0.01"];
    program(&line).assert().success().stdout(
        contains("membarrier")
            .and(contains("read and write in turn"))
            .and(contains("where they cannot pay, at worst: ")),
    );
}
