//! Which files may stand beside a run: those of the same machine, experiment and load.

use serde_json::Value;

/// The parameters that say what a cell of an experiment is, where its rows do not say it.
const LOAD: [&str; 4] = ["load", "mix", "hold", "every"];

/// The first difference between the experiments and loads of a file and of a run, as theirs and
/// ours; `parts` are the names and parameters of the run's experiments.
pub(super) fn difference(
    document: &Value,
    experiment: &str,
    parts: &[(&'static str, Value)],
) -> Option<(String, String)> {
    let theirs = document["experiment"].as_str().unwrap_or("no experiment");
    if theirs != experiment {
        return Some((theirs.to_owned(), experiment.to_owned()));
    }
    let differs = |(name, ours): &(&'static str, Value)| {
        // The parameters of a single experiment stand by themselves.
        let params = &document["params"];
        let alone = || params["subjects"].is_array().then_some(params);
        let theirs = params.get(name).or_else(alone)?;
        let key = LOAD.iter().find(|&&key| theirs[key] != ours[key])?;
        Some([theirs, ours].map(|params| format!("{experiment}, {key} {}", said(&params[key]))))
    };
    parts.iter().find_map(differs).map(|[theirs, ours]| (theirs, ours))
}

/// A parameter in words.
fn said(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The name of a machine; with a quota it is another machine.
pub(super) fn machine(machine: &Value) -> String {
    let text = |key: &str| machine[key].as_str().unwrap_or("an unknown processor").to_owned();
    let quota = machine["cgroup_cpu_max"].as_str();
    let quota = quota.map_or_else(String::new, |quota| format!(", quota {quota}"));
    format!("{}, {} CPU(s), {}{quota}", text("cpu"), machine["cpus"], text("arch"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn differs(file: &Value, run: &Value) -> Option<(String, String)> {
        let document = json!({ "experiment": "mixed", "params": file });
        difference(&document, "mixed", &[("mixed", run.clone())])
    }

    #[test]
    fn files_of_another_experiment_are_not_alike() {
        let document = json!({ "experiment": "trylock", "params": {} });
        let differs = difference(&document, "mixed", &[]);
        assert_eq!(differs, Some(("trylock".to_owned(), "mixed".to_owned())));
        assert!(difference(&document, "trylock", &[]).is_none());
    }

    #[test]
    fn files_of_another_load_are_not_alike() {
        let usual = json!({ "subjects": [], "load": 10, "mix": "dedicated", "rounds": 3 });
        let with = |key: &str, value: Value| {
            let mut params = usual.clone();
            params[key] = value;
            params
        };
        assert_eq!(differs(&with("rounds", json!(5)), &usual), None);
        let load = differs(&with("load", json!(1000)), &usual).expect("a difference");
        assert_eq!(load, ("mixed, load 1000".to_owned(), "mixed, load 10".to_owned()));
        let mix = differs(&with("mix", json!("each")), &usual).expect("a difference");
        assert_eq!(mix, ("mixed, mix each".to_owned(), "mixed, mix dedicated".to_owned()));
        for (key, value) in [("hold", 1e-6), ("every", 0.1)] {
            assert!(differs(&with(key, json!(value)), &usual).is_some(), "{key}");
        }
    }

    #[test]
    fn files_of_several_experiments_are_alike_part_by_part() {
        let holds = |load: u32| json!({ "subjects": [], "load": load, "hold": 1e-6 });
        let document = json!({ "experiment": "holds", "params": { "holds-1us": holds(0) } });
        let differs = |load| {
            let parts = [("holds-1us", holds(load)), ("holds-10us", holds(load))];
            difference(&document, "holds", &parts)
        };
        assert_eq!(differs(0), None);
        assert!(differs(5).is_some());
    }

    #[test]
    fn machine_with_a_quota_is_another() {
        let mut this = json!({ "cpu": "Z80", "cpus": 2, "arch": "z80" });
        assert_eq!(machine(&this), "Z80, 2 CPU(s), z80");
        this["cgroup_cpu_max"] = json!("150000 100000");
        assert_eq!(machine(&this), "Z80, 2 CPU(s), z80, quota 150000 100000");
    }
}
