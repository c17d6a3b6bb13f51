//! E3: tables and words.

use super::columns::{self, Cell, Column};
use super::numbers::{self, figure, percent};
use super::standing;
use crate::stats::{Metric, Results};
use crate::subjects::Subject;

/// A table for each number of clients.
pub(crate) fn tables(results: &Results, published: bool) -> String {
    let mut out: Vec<String> =
        results.threads().into_iter().map(|clients| table(results, clients)).collect();
    if published {
        out.push(PUBLISHED.to_owned());
    }
    out.join("\n")
}

/// The report's columns, as two readings of `vmstat` give them.
const PUBLISHED: &str = "\
the anon-vma report (exim on 4 sockets, as many clients as CPUs; vmstat, two readings each): the kernel's mutex
  476,975 and 479,676 cs, 14 % user, 72 % system, 14 % idle; its rwsem 690,741 and 692,949 cs, 13 %
  user, 71 % system, 16 % idle, and 8 % fewer messages";

const COLUMNS: [Column; 9] = [
    ("messages\n/s ±%", Cell::Spread(Metric::Total, figure)),
    ("×best\npeer", Cell::ToBestPeer(Metric::Total)),
    ("cs\n/s", Cell::Median(Metric::ContextSwitches, figure)),
    ("user\n%", Cell::Median(Metric::UserShare, percent)),
    ("system\n%", Cell::Median(Metric::SystemShare, percent)),
    ("idle\n%", Cell::Median(Metric::IdleShare, percent)),
    ("waiting\n%", Cell::Median(Metric::WaitShare, percent)),
    ("cs\n/message", Cell::Median(Metric::SwitchesPerMessage, figure)),
    ("user+sys\nµs/message", Cell::Median(Metric::CpuMicrosPerMessage, figure)),
];

fn table(results: &Results, clients: usize) -> String {
    let grid = columns::table(results, clients, &COLUMNS);
    let clients = numbers::threads(&[clients]).replace("thread", "client");
    grid.titled(&format!("E3 with {clients}: messages of a mail server that forks for each"))
}

/// Where we stand, and the effect of each of the report's tweaks.
pub(crate) fn words(results: &Results) -> Vec<String> {
    let standings = [
        ("E3, messages", Metric::Total),
        ("E3, context switches for a message", Metric::SwitchesPerMessage),
        ("E3, processor time for a message", Metric::CpuMicrosPerMessage),
    ];
    let tweaks = [
        ("E3, messages with spinning on the owner over without", Subject::RwsemNoSpin),
        ("E3, messages with looking before writing over without", Subject::RwsemNoLook),
        ("E3, messages with stealing over without", Subject::RwsemNoStealing),
    ];
    let standings = standings
        .into_iter()
        .filter_map(|(what, metric)| standing::sentence(what, results, metric));
    let tweaks = tweaks
        .into_iter()
        .filter_map(|(what, before)| standing::change(what, results, before, Subject::Rwsem));
    standings.chain(tweaks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Reading;

    fn results() -> Results {
        let mut results = Results::default();
        let rates =
            [(Subject::Rwsem, 120.0), (Subject::RwsemNoSpin, 60.0), (Subject::StdMutex, 100.0)];
        for (subject, rate) in rates {
            let values = [(Metric::Total, Some(rate)), (Metric::IdleShare, Some(0.15))];
            results.add(subject, 2, &Reading::known(values));
        }
        results
    }

    #[test]
    fn mail_table_has_a_row_for_each_subject_and_a_dash_for_what_is_unknown() {
        let table = tables(&results(), true);
        let row = table.lines().find(|line| line.starts_with("rwsem ")).expect("our row");
        insta::assert_snapshot!(row.split_whitespace().collect::<Vec<_>>().join(" "), @"rwsem 120 1.20 – – – 15 – – –");
        assert!(table.contains("with 2 clients") && table.contains("the anon-vma report"));
    }

    #[test]
    fn mail_words_tell_the_standing_and_the_tweaks() {
        insta::assert_snapshot!(words(&results()).join("\n"), @r"
        E3, messages: ahead of every peer at 2 threads (1.20 × std-mutex)
        E3, messages with spinning on the owner over without: 2.00 × at 2 threads
        ");
    }
}
