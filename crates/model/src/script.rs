//! The notation of the models: a row of actors, `"R,R W"`.
//!
//! Spaces separate actors. Commas separate an actor's sections, which follow one another. A section
//! begins with the way the lock is taken:
//!
//! | letter | |
//! | --- | --- |
//! | `R` `W` `U` | read, write, upgradable read |
//! | `r` | recursive read |
//! | `L` | takes nothing: the holders found inside leave, a writer or all readers at once |
//! | `B` | as `L`, but not before the lock is reserved |
//!
//! and goes on with the acts inside, in this order:
//!
//! | letter | |
//! | --- | --- |
//! | `d` | downgrade: a writer or an upgradable reader becomes a reader |
//! | `g` | downgrade: a writer becomes an upgradable reader |
//! | `s` | switch the symmetric bias on |
//! | `k` | find that the system makes heavy fences |
//! | `u` | upgrade |
//! | `r` | read once more, recursively |
//! | `a` | read once more, plainly: under a policy that notes reads, which lets such a read in |
//! | `b` | stay until the lock is reserved, or no section is still to come |
//! | `f` | the unlock is a fair one |
//! | `h` | stays inside for ever |
//! | `x` | frees the lock after the unlock, if all others are done with it |
//! | `i` | a handler interrupts the section's first sleep, and reads the lock as well |
//!
//! A mark after a taking, upgrade or recursive read says how long it waits: `t` for a while at
//! most, `p` until a moment that has passed, `?` not at all. `.` means not at all, and step by
//! step, in the unlock too. `!` means for ever, by the call that refuses a reader too many. `o`
//! makes the thread overdue as soon as it waits, like a real-time thread.

/// How long a call waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// For ever.
    Endless,
    /// For ever, by the call that refuses a reader too many.
    Refusable,
    /// For a while.
    Timed,
    /// The deadline has passed.
    Past,
    /// Not at all: the `try` call.
    Try,
    /// Not at all, step by step.
    Steps,
}

/// A step of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Takes the lock for reading.
    Read(Patience),
    /// Takes the lock for reading, past all waiters.
    ReadRecursive(Patience),
    /// Reads the lock once more, by a plain read.
    ReadAgain(Patience),
    /// Takes the lock for writing.
    Write(Patience),
    /// Takes the lock for reading, with the right to upgrade.
    Upgradable(Patience),
    /// Upgradable reader to writer.
    Upgrade(Patience),
    /// Writer or upgradable reader to reader.
    Downgrade,
    /// Writer to upgradable reader.
    DowngradeToUpgradable,
    /// A reader inside by a share switches the lock's symmetric bias on.
    SwitchOn,
    /// From now on the system makes heavy fences.
    FindFence,
    /// The holders found inside leave.
    LetOut,
    /// Waits until the lock is reserved.
    AwaitReservation,
}

impl Step {
    /// How long the step may wait, if it may.
    pub(crate) fn patience(self) -> Option<Patience> {
        match self {
            Self::Read(patience)
            | Self::ReadRecursive(patience)
            | Self::ReadAgain(patience)
            | Self::Write(patience)
            | Self::Upgradable(patience)
            | Self::Upgrade(patience) => Some(patience),
            _ => None,
        }
    }

    /// Whether the step is a read, upgradable or not, with a time limit.
    pub(crate) fn reads_in_time(self) -> bool {
        let reads = matches!(self, Self::Read(_) | Self::ReadRecursive(_) | Self::Upgradable(_));
        let is_endless = matches!(self.patience(), Some(Patience::Endless | Patience::Refusable));
        reads && !is_endless
    }
}

/// One stay inside, or the attempt at one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The steps; the first takes the lock.
    pub steps: Vec<Step>,
    /// The last unlock is fair.
    pub fair: bool,
    /// There is no unlock.
    pub stays: bool,
    /// Frees the lock afterwards.
    pub frees: bool,
    /// Overdue from the beginning.
    pub overdue: bool,
    /// A handler interrupts the first sleep, and reads as well.
    pub interrupted: bool,
}

/// The actors of a row, each with its sections.
///
/// # Panics
/// If the row is not well-formed.
#[must_use]
pub fn parse(row: &str) -> Vec<Vec<Section>> {
    row.split(' ').map(|actor| actor.split(',').map(section).collect()).collect()
}

fn section(text: &str) -> Section {
    let mut section = Section {
        steps: Vec::new(),
        fair: false,
        stays: false,
        frees: false,
        overdue: false,
        interrupted: false,
    };
    for letter in text.chars() {
        let step = match letter {
            'R' => Step::Read(Patience::Endless),
            'W' => Step::Write(Patience::Endless),
            'U' => Step::Upgradable(Patience::Endless),
            'r' => Step::ReadRecursive(Patience::Endless),
            'a' => Step::ReadAgain(Patience::Endless),
            'u' => Step::Upgrade(Patience::Endless),
            'd' => Step::Downgrade,
            'g' => Step::DowngradeToUpgradable,
            's' => Step::SwitchOn,
            'k' => Step::FindFence,
            'L' => Step::LetOut,
            'b' => Step::AwaitReservation,
            'B' => {
                section.steps.push(Step::AwaitReservation);
                section.steps.push(Step::LetOut);
                continue;
            }
            _ => {
                remark(&mut section, letter);
                continue;
            }
        };
        assert!(letter.is_uppercase() == section.steps.is_empty() || letter == 'r', "{text}");
        section.steps.push(step);
    }
    assert!(!section.steps.is_empty(), "a section takes the lock: {text:?}");
    section
}

fn remark(section: &mut Section, letter: char) {
    let patience = match letter {
        '!' => Patience::Refusable,
        't' => Patience::Timed,
        'p' => Patience::Past,
        '?' => Patience::Try,
        '.' => Patience::Steps,
        'f' => return section.fair = true,
        'h' => return section.stays = true,
        'x' => return section.frees = true,
        'o' => return section.overdue = true,
        'i' => return section.interrupted = true,
        _ => panic!("no such letter: {letter:?}"),
    };
    match section.steps.last_mut() {
        Some(
            Step::Read(p)
            | Step::ReadRecursive(p)
            | Step::ReadAgain(p)
            | Step::Write(p)
            | Step::Upgradable(p)
            | Step::Upgrade(p),
        ) => *p = patience,
        other => panic!("{letter:?} after {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Patience, Step, parse};

    #[test]
    fn script_row_parses() {
        let row = parse("R,W?h Uut");
        assert_eq!(row.len(), 2);
        assert_eq!(row[0][0].steps, [Step::Read(Patience::Endless)]);
        assert_eq!(row[0][1].steps, [Step::Write(Patience::Try)]);
        assert!(row[0][1].stays && !row[0][0].stays);
        let upgrades = [Step::Upgradable(Patience::Endless), Step::Upgrade(Patience::Timed)];
        assert_eq!(row[1][0].steps, upgrades);
    }

    #[test]
    #[should_panic(expected = "no such letter")]
    fn script_unknown_letter_is_refused() {
        let _ = parse("Rz");
    }
}
