use clap::Parser;

use super::*;

fn planned(line: &[&str]) -> (&'static str, Vec<Inquiry>) {
    let line = [&["siftlock-bench"], line].concat();
    inquiries(&Cli::try_parse_from(line).expect("a good line"), &Pinning::Off)
}

/// The plan of the only study that a line asks for.
fn plan(line: &[&str]) -> Plan {
    match planned(line).1.as_slice() {
        [Inquiry::Study(study)] => study.plan.clone(),
        other => panic!("{} inquiries", other.len()),
    }
}

#[test]
fn plans_of_no_arguments_take_about_a_minute_and_a_half() {
    let (name, quick) = planned(&[]);
    let seconds: f64 = quick.iter().map(|one| one.takes().as_secs_f64()).sum();
    assert_eq!((name, quick[2].name()), ("quick", "mixed"));
    assert!((45.0..90.0).contains(&seconds), "{seconds} s of measuring alone");
}

#[test]
fn plans_take_each_number_of_threads_once() {
    let plan = plan(&["mixed", "--threads", "4,2,4", "--rounds", "2"]);
    assert_eq!((plan.threads.as_slice(), plan.rounds), ([4, 2].as_slice(), 2));
}

#[test]
fn plans_take_each_hold_once() {
    let names: Vec<_> =
        planned(&["holds", "--holds", "1us,0us,1us"]).1.iter().map(Inquiry::name).collect();
    assert_eq!(names, ["holds-1us", "holds-0us"]);
}

#[test]
fn plans_take_each_share_of_writes_once() {
    let planned = planned(&["readers", "--writes", "0,1,0"]).1;
    assert_eq!(planned[0].params()["writes"], serde_json::json!([0.0, 1.0]));
}

#[test]
fn plans_of_trylock_show_both_forms_of_ours() {
    let plan = plan(&["trylock"]);
    for form in TRY_READ_FORMS {
        assert!(plan.subjects.contains(&form), "{}", form.name());
    }
}

#[test]
fn plans_of_policies_leave_peers_out_unless_named() {
    let alone = plan(&["mixed", "--policies"]);
    assert_eq!(alone.subjects.len(), MIXED_POLICIES.len());
    let with = plan(&["mixed", "--policies", "--subjects", "std"]);
    assert_eq!(with.subjects.len(), MIXED_POLICIES.len() + 1);
}

#[test]
fn plans_of_named_subjects_take_no_other() {
    let plan = plan(&["trylock", "--subjects", "std,busted,std"]);
    assert_eq!(plan.subjects, [Subject::Std, Subject::Busted]);
}

#[cfg(target_os = "linux")]
#[test]
fn plans_of_full_tests_are_as_long_as_in_2008() {
    let (_, inquiries) = planned(&["delays", "--full", "--rounds", "1", "--subjects", "psrw"]);
    assert_eq!(inquiries[0].takes(), Duration::from_secs(5 * 10 + 60));
}

#[cfg(target_os = "linux")]
#[test]
fn plans_of_latency_pin_unless_asked_not_to() {
    let pinned = |line: &[&str]| pins(&Cli::try_parse_from(line).expect("a good line"));
    assert!(pinned(&["siftlock-bench", "latency"]));
    assert!(!pinned(&["siftlock-bench", "latency", "--no-pin"]));
    assert!(!pinned(&["siftlock-bench", "mixed"]));
}
