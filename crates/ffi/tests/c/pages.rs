//! The page for C and C++ has the examples unchanged, and names every function.

use crate::library::home;
use std::fs;

#[test]
fn page_has_the_examples() {
    let page = fs::read_to_string(home().join("../../docs/c.md")).expect("the page");
    for example in ["routes.c", "routes.cpp", "handler.c", "modules.cpp"] {
        let (_, language) = example.split_once('.').expect("an ending");
        let source =
            fs::read_to_string(home().join("examples").join(example)).expect("the example");
        assert!(
            page.contains(&format!("```{language}\n{source}```\n")),
            "not in docs/c.md: {example}"
        );
    }
}

/// The table of calls is complete.
#[test]
fn page_names_every_function() {
    let page = fs::read_to_string(home().join("../../docs/c.md")).expect("the page");
    let header = fs::read_to_string(home().join("include/siftlock.h")).expect("the header");
    let declared = header.split_whitespace().filter_map(|word| word.strip_prefix("siftlock_"));
    let calls = declared.filter_map(|word| word.split_once('(')).map(|(name, _)| name);
    let mut count = 0;
    for name in calls {
        let short = name.trim_start_matches("rwsem_").trim_start_matches("psrw_");
        let named = [format!("`{short}`"), format!("`siftlock_{name}`")];
        assert!(
            named.iter().any(|name| page.contains(name)),
            "siftlock_{name} is not in docs/c.md"
        );
        count += 1;
    }
    assert!(count > 20, "{count}");
}
