//! How a command is answered: look at the machine, measure, show, write.

mod plans;
mod study;

use std::time::Duration;

use crate::cli::Cli;
use crate::error::Error;
use crate::machine::{Machine, Pinning};
use crate::report::{self, Document, JsonFile, Progress, say};

/// Does what the command line asks for.
pub(crate) fn execute(cli: &Cli) -> Result<(), Error> {
    if cli.list {
        say(&report::roster());
        return Ok(());
    }
    // All that can be refused is refused here, before a minute is spent.
    let file = cli.json.as_deref().map(JsonFile::open).transpose()?;
    let pinning = Pinning::new(cli.pin).ok_or(Error::NoPinning)?;
    let (name, studies) = plans::studies(cli, &pinning);

    let machine = Machine::look(&pinning);
    say(&report::header(&machine));
    let takes = studies.iter().map(|study| study.plan.takes()).sum::<Duration>();
    say(&report::outlook(studies.iter().map(|study| study.plan.samples()).sum(), takes));

    let progress = Progress::over(takes);
    let mut document = Document::new(name, &machine);
    let mut words = Vec::new();
    for study in &studies {
        let results = study.carry_out(&machine, &progress)?;
        progress.say(&study.tables(&results, cli.seed_figures));
        progress.say(&study.settings());
        words.extend(study.words(&results));
        document.add(study.name(), study.params(), results);
    }
    progress.finish();
    say(&report::in_words(&words, machine.lines.sharing()));
    file.map_or(Ok(()), |file| file.write(&document))
}
