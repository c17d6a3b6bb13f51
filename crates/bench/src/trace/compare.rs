//! Runs a program by turns without and with our lock under it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use super::libraries::{LOCKS, Libraries};
use super::program::Program;
use super::verdict::{Ratio, in_words, table};
use crate::error::Error;
use crate::machine::Usage;
use crate::report::{JsonFile, Progress, say};

/// Enough for an interval of a few percent where runs differ by a few percent.
const ROUNDS: usize = 10;

/// The cost of one run, in seconds.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Cost {
    pub(super) wall: f64,
    pub(super) user: f64,
    pub(super) system: f64,
}

/// A round: one run of each kind, in a random order.
#[derive(Serialize)]
pub(super) struct Round {
    pub(super) without: Cost,
    pub(super) with: Cost,
}

/// Compares, and prints the result.
pub(super) fn execute(
    program: &Program,
    libraries: &Libraries,
    rounds: Option<usize>,
    json: Option<&Path>,
) -> Result<(), Error> {
    let file = json.map(JsonFile::open).transpose()?;
    let with = vec![libraries.find(&LOCKS)?];
    let count = rounds.unwrap_or(ROUNDS);
    // The first run of each kind fills the system's caches, and shows how long the others take.
    let first = run(program, &[])?.wall + run(program, &with)?.wall;
    let progress = Progress::over(Duration::from_secs_f64(first * count as f64));
    let rounds = (0..count).map(|_| {
        let round = round(program, &with);
        progress.end(Duration::from_secs_f64(first));
        round
    });
    let rounds = rounds.collect::<Result<Vec<_>, _>>()?;
    progress.finish();

    let ratios: Vec<_> = [("wall", wall as Part), ("user", user), ("system", system)]
        .into_iter()
        .map(|(name, part)| Ratio::of(name, &rounds, part))
        .collect();
    say(&table(&program.name(), &ratios, count));
    say(&in_words(&ratios));
    let document = json!({ "program": program.name(), "rounds": rounds, "ratios": ratios });
    file.map_or(Ok(()), |file| file.write(&document))
}

/// Chooses a figure.
pub(super) type Part = fn(&Cost) -> f64;

fn wall(cost: &Cost) -> f64 {
    cost.wall
}

fn user(cost: &Cost) -> f64 {
    cost.user
}

fn system(cost: &Cost) -> f64 {
    cost.system
}

/// One round, in a random order, so that changes in the machine favour neither kind.
fn round(program: &Program, with: &[PathBuf]) -> Result<Round, Error> {
    if fastrand::bool() {
        let without = run(program, &[])?;
        return Ok(Round { without, with: run(program, with)? });
    }
    let with = run(program, with)?;
    Ok(Round { without: run(program, &[])?, with })
}

fn run(program: &Program, under: &[PathBuf]) -> Result<Cost, Error> {
    let (before, began) = (Usage::of_children().unwrap_or_default(), Instant::now());
    let ended = program.run_silently(under)?;
    let (wall, used) = (began.elapsed(), Usage::of_children().unwrap_or_default().since(before));
    if !ended.success() {
        return Err(Error::NotComparable { program: program.name(), ended });
    }
    let (user, system) = (used.user.as_secs_f64(), used.system.as_secs_f64());
    Ok(Cost { wall: wall.as_secs_f64(), user, system })
}
