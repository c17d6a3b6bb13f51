//! Programs that are not ours: the locks that they wait for, and whether our lock under them is
//! worth it.

mod compare;
mod libraries;
mod program;
mod verdict;

use std::path::{Path, PathBuf};
use std::{env, ffi::OsString, fs};

use self::libraries::{LOCKS, Libraries, TRACER};
use self::program::Program;
use crate::cli::{Cli, TraceArgs, WITHOUT_FILE};
use crate::error::Error;
use crate::report::{JsonFile, say};

/// Carries out the command `trace`.
pub(crate) fn execute(args: &TraceArgs, cli: &Cli) -> Result<(), Error> {
    if let Some(option) = passed_over(cli) {
        return Err(Error::NotTraced(option));
    }
    let is_compared = match cli.compare.as_deref() {
        None => false,
        Some(path) if path == Path::new(WITHOUT_FILE) => true,
        Some(path) => return Err(Error::NoDashes(path.to_owned())),
    };
    let program = Program::find(&args.program)?;
    let libraries = Libraries::new(args.libraries.as_deref());
    if is_compared {
        let unused = [(args.folded.is_some(), "--folded"), (args.replaced, "--replaced")];
        if let Some(option) = first_given(&unused) {
            return Err(Error::NoReportCompared(option));
        }
        return compare::execute(&program, &libraries, args.rounds, cli.json.as_deref());
    }
    if args.rounds.is_some() {
        return Err(Error::NothingToRepeat);
    }
    trace(&program, &libraries, args, cli.json.as_deref())
}

/// The first given option that means nothing here.
fn passed_over(cli: &Cli) -> Option<&'static str> {
    first_given(&[
        (!cli.subjects.is_empty(), "--subjects"),
        (cli.list, "--list"),
        (cli.pin, "--pin"),
        (cli.no_pin, "--no-pin"),
        (cli.published, "--published"),
        (cli.pressure, "--pressure"),
    ])
}

/// The first of these options that is given.
fn first_given(options: &[(bool, &'static str)]) -> Option<&'static str> {
    options.iter().find_map(|&(is_given, option)| is_given.then_some(option))
}

/// Runs the program once, and prints its report, and those of the processes that it starts.
fn trace(
    program: &Program,
    libraries: &Libraries,
    args: &TraceArgs,
    json: Option<&Path>,
) -> Result<(), Error> {
    let folder = tempfile::tempdir().map_err(Error::NoFolder)?;
    let text = folder.path().join("report");
    let mut places = vec![text.clone()];
    if let Some(json) = json {
        places.push(ending_with(json, "json")?);
    }
    places.extend(args.folded.clone());
    // A file that cannot be written is refused before the program runs. (Pipes are left out: a
    // pipe's reader would take this look for the report.)
    let files = places.iter().skip(1).filter(|place| place.is_file() || !place.exists());
    files.map(|file| JsonFile::open(file)).try_for_each(|file| file.map(drop))?;
    let mut preloaded = vec![libraries.find(&TRACER)?];
    if args.replaced {
        preloaded.push(libraries.find(&LOCKS)?);
    }

    let ended = program.run(&preloaded, Some(list_of(&places)?))?;
    let reports = reports_in(folder.path(), &text);
    if reports.is_empty() {
        return Err(Error::NoReport { program: program.name(), ended: ended.to_string() });
    }
    reports.iter().for_each(|report| say(report));
    if ended.success() {
        Ok(())
    } else {
        Err(Error::ProgramFailed { program: program.name(), ended })
    }
}

/// The reports; the program's own comes first.
fn reports_in(folder: &Path, first: &Path) -> Vec<String> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort_by_key(|path| (path != first, path.clone()));
    paths.iter().flat_map(fs::read_to_string).collect()
}

fn ending_with(path: &Path, ending: &'static str) -> Result<PathBuf, Error> {
    match path.extension().is_some_and(|of| of == ending) {
        true => Ok(path.to_owned()),
        false => Err(Error::OtherEnding { path: path.to_owned(), ending }),
    }
}

/// The list as the tracer reads it. Its paths are absolute: the tracer takes others from the
/// program's folder, which the program may leave.
fn list_of(places: &[PathBuf]) -> Result<OsString, Error> {
    let absolute = places.iter().map(|place| std::path::absolute(place).unwrap_or(place.clone()));
    env::join_paths(absolute).map_err(|_| Error::ColonInPath)
}
