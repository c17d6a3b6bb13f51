//! The notation: a row of actors, `"R,R W!I"`.
//!
//! Spaces separate actors. Commas separate an actor's sections, which follow one another. Behind
//! each `!` stands a section that a handler runs on the actor's thread, once, at every place in
//! turn that the thread's level admits. `R` `N` `B` `I` read as Thread, NonPreemptible, SoftIrq,
//! Irq; `W` writes. The next mark says how long the section waits: `t` for a while, `p` until a
//! moment that has passed, `?` not at all, by the try form. `u` waits for ever, and prepares its
//! write before it goes in. `f` fails to prepare, and leaves. The last mark says what happens
//! inside: `d` downgrades and reads on, `h` stays for ever, `x` frees the lock after the unlock, if
//! all others are done with it.

use siftlock_core::platform::Class;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    Endless,
    Timed,
    Past,
    Try,
    Update,
    FailedUpdate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Read(Class),
    Write,
}

/// One stay inside, or the attempt at one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) mode: Mode,
    pub(crate) patience: Patience,
    pub(crate) downgrades: bool,
    pub(crate) stays: bool,
    pub(crate) frees: bool,
}

/// What one thread does.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    pub(crate) sections: Vec<Section>,
    pub(crate) handlers: Vec<Section>,
}

pub(crate) fn parse(row: &str) -> Vec<Actor> {
    row.split(' ').map(actor).collect()
}

fn actor(text: &str) -> Actor {
    let mut parts = text.split('!');
    let sections = parts.next().expect("split gives one").split(',').map(section).collect();
    Actor { sections, handlers: parts.map(section).collect() }
}

fn section(text: &str) -> Section {
    let mut letters = text.chars();
    let mode = match letters.next() {
        Some('R') => Mode::Read(Class::Thread),
        Some('N') => Mode::Read(Class::NonPreemptible),
        Some('B') => Mode::Read(Class::SoftIrq),
        Some('I') => Mode::Read(Class::Irq),
        Some('W') => Mode::Write,
        other => panic!("a section begins with RNBIW, not with {other:?}"),
    };
    let patience = Patience::Endless;
    let mut section = Section { mode, patience, downgrades: false, stays: false, frees: false };
    for letter in letters {
        match letter {
            't' => section.patience = Patience::Timed,
            'p' => section.patience = Patience::Past,
            '?' => section.patience = Patience::Try,
            'u' => section.patience = Patience::Update,
            'f' => section.patience = Patience::FailedUpdate,
            'd' => section.downgrades = true,
            'h' => section.stays = true,
            'x' => section.frees = true,
            _ => panic!("no such letter: {letter:?}"),
        }
    }
    section
}
