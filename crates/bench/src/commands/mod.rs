//! Carries out a command: looks at the machine, measures, shows the results, writes the file.

mod changes;
mod inquiry;
mod plane;
mod plans;
mod readers;
mod refuse;
#[cfg(target_os = "linux")]
mod scenes;
mod study;

use std::path::Path;
use std::time::Duration;

use self::inquiry::Inquiry;
use crate::cli::{Cli, Command, WITHOUT_FILE};
use crate::error::Error;
use crate::machine::{Machine, Others, Pinning};
use crate::report::{self, Document, Earlier, Extras, JsonFile, Progress, say};
use crate::simulate;
#[cfg(target_os = "linux")]
use crate::trace;

/// Carries out the command line.
pub(crate) fn execute(cli: &Cli) -> Result<(), Error> {
    if let Some(Command::Simulate { simulate }) = &cli.command {
        return simulate::execute(simulate, cli);
    }
    #[cfg(target_os = "linux")]
    if let Some(Command::Trace { trace }) = &cli.command {
        return trace::execute(trace, cli);
    }
    if cli.list {
        say(&report::roster());
        return Ok(());
    }
    // All refusals come first, before a minute is spent.
    refuse::refuse(cli)?;
    let file = cli.json.as_deref().map(JsonFile::open).transpose()?;
    if cli.compare.as_deref() == Some(Path::new(WITHOUT_FILE)) {
        return Err(Error::NoFileToCompare);
    }
    let earlier = cli.compare.as_deref().map(Earlier::read).transpose()?;
    let unasked = || (!cli.pin).then_some(Pinning::Off);
    let pinning = Pinning::new(plans::pins(cli)).or_else(unasked).ok_or(Error::NoPinning)?;
    let (name, mut inquiries) = plans::inquiries(cli, &pinning);
    inquiries.iter().try_for_each(Inquiry::check)?;
    inquiries.retain(|inquiry| inquiry.samples() != 0);
    if inquiries.is_empty() {
        return Err(Error::NobodyTakesPart { experiment: name });
    }
    if let Some(earlier) = &earlier {
        let parts: Vec<_> = inquiries.iter().map(|one| (one.name(), one.params())).collect();
        earlier.check_load(name, &parts)?;
    }

    let machine = Machine::look(&pinning);
    earlier.iter().try_for_each(|earlier| earlier.check_machine(&machine))?;
    say(&report::header(&machine));
    let takes = inquiries.iter().map(Inquiry::takes).sum::<Duration>();
    say(&report::outlook(inquiries.iter().map(Inquiry::samples).sum(), takes));

    let others = Others::look();
    let extras = Extras { published: cli.published, pressure: cli.pressure };
    let progress = Progress::over(takes);
    let mut document = Document::new(name, &machine);
    let mut words = Vec::new();
    for inquiry in &inquiries {
        let outcome = inquiry.carry_out(&machine, &progress, extras)?;
        progress.say(&outcome.shown);
        words.extend(outcome.words);
        document.add(inquiry.name(), outcome.params, outcome.rows);
    }
    progress.finish();
    say(&report::in_words(&words, machine.lines.sharing()));
    if let Some(note) = report::disturbed(others.since()) {
        say(&note);
    }
    let document = document.to_json();
    if let Some(earlier) = earlier {
        say(&earlier.beside(&document));
    }
    file.map_or(Ok(()), |file| file.write(&document))
}
