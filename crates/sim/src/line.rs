//! One cache line: who has it, who waits for it, and when each gets it.
//!
//! A line is *shared* by any number of cores, or one core *owns* it, having changed it. A core that has
//! not what it needs asks for it. Those who ask to own it, or want it from an owner, get it one after another,
//! in the order in which they asked:
//!
//! ```text
//! asked ── the request's way ──┐
//!      those before have it ───┴─ serial part of the way ── arrives ── kept for a while ── next
//!                              └ lost: the holders before have it until here
//! ```
//!
//! A core's step is made when the line arrives. Until another core's `lost` it may make more steps for nothing: that is
//! how a contended line serves one core several times.

use crate::machine::{Cycles, Distance, Machine};
use crate::noise::Noise;
use std::collections::VecDeque;

/// What a core wants a line for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// To load from it.
    Share,
    /// To change it.
    Own,
}

/// The answer to a core that wants a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It has the line.
    Hit,
    /// The line is on its way already, asked for by this core.
    OnItsWay { arrives: Cycles },
    /// The line was asked for.
    Asked { arrives: Cycles, is_far: bool, invalidates: u64 },
}

/// Who has a line.
#[derive(Clone, Debug, Default)]
struct Holders {
    owner: Option<usize>,
    /// A bit for each core that has it, the owner as well.
    cores: Vec<u64>,
}

impl Holders {
    fn has(&self, core: usize) -> bool {
        self.cores.get(core / 64).is_some_and(|word| word >> (core % 64) & 1 == 1)
    }

    fn add(&mut self, core: usize) {
        if self.cores.len() <= core / 64 {
            self.cores.resize(core / 64 + 1, 0);
        }
        self.cores[core / 64] |= 1 << (core % 64);
    }

    fn apply(&mut self, core: usize, need: Need) {
        self.owner = None;
        if need == Need::Own {
            self.cores.fill(0);
            self.owner = Some(core);
        }
        self.add(core);
    }

    /// Whether the core can do with it what it needs.
    fn serve(&self, core: usize, need: Need) -> bool {
        match need {
            Need::Share => self.has(core),
            Need::Own => self.owner == Some(core),
        }
    }

    fn others(&self, core: usize) -> impl Iterator<Item = usize> {
        let words = self.cores.iter().enumerate();
        let all = words.flat_map(|(at, &word)| Bits(word).map(move |bit| at * 64 + bit));
        all.filter(move |&other| other != core)
    }
}

/// The places of the bits that are set.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        (self.0 != 0).then(|| {
            let bit = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            bit
        })
    }
}

/// A line on its way.
#[derive(Clone, Copy, Debug)]
struct Grant {
    core: usize,
    need: Need,
    /// From here on the holders before have it no more, or not alone.
    lost: Cycles,
    arrives: Cycles,
}

/// See the [module](self).
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// Who has it now.
    now: Holders,
    /// Who will have it after all grants.
    last: Holders,
    grants: VecDeque<Grant>,
    /// The grant that was applied last, which may still be on its way.
    applied: Option<Grant>,
    /// When the core that gets it last has kept it for long enough.
    kept_until: Cycles,
}

impl Line {
    /// A line that this core owns: a node that a thread has just built.
    pub(crate) fn owned_by(core: usize) -> Self {
        let mut holders = Holders::default();
        holders.apply(core, Need::Own);
        Self { now: holders.clone(), last: holders, ..Self::default() }
    }

    /// What a core that wants the line now has to do.
    pub(crate) fn ask(
        &mut self,
        core: usize,
        need: Need,
        at: Cycles,
        machine: &Machine,
        noise: &mut Noise,
    ) -> Answer {
        self.settle(at);
        if self.now.serve(core, need) {
            return match self.applied {
                Some(grant) if grant.core == core && grant.arrives > at => {
                    Answer::OnItsWay { arrives: grant.arrives }
                }
                _ => Answer::Hit,
            };
        }
        let asked = self.grants.iter().find(|grant| {
            grant.core == core && (grant.need == need || grant.need == Need::Own)
        });
        if let Some(grant) = asked {
            return Answer::OnItsWay { arrives: grant.arrives };
        }
        self.request(core, need, at, machine, noise)
    }

    /// Hands the line on as far as its time has come.
    fn settle(&mut self, at: Cycles) {
        while let Some(grant) = self.grants.front().copied().filter(|grant| grant.lost <= at) {
            self.now.apply(grant.core, grant.need);
            self.applied = Some(grant);
            self.grants.pop_front();
        }
    }

    fn request(
        &mut self,
        core: usize,
        need: Need,
        at: Cycles,
        machine: &Machine,
        noise: &mut Noise,
    ) -> Answer {
        let (cost, is_far) = self.cost(core, need, machine);
        let cost = noise.about(cost);
        let from_owner = self.last.owner.is_some();
        let invalidates =
            if need == Need::Own { self.last.others(core).count() as u64 } else { 0 };
        // Copies of a line that nobody changes are made side by side.
        let grant = if need == Need::Share && !from_owner {
            let arrives = at.max(self.kept_until) + cost;
            Grant { core, need, lost: arrives - cost, arrives }
        } else {
            let serial = cost * machine.memory.serial / 16;
            let arrives = (at + cost).max(self.kept_until + serial);
            let keep = if need == Need::Own { noise.around(machine.memory.keep) } else { 0 };
            self.kept_until = arrives + keep;
            Grant { core, need, lost: arrives - serial, arrives }
        };
        // Grants begin in order, so that `settle` applies them in order.
        let lost = self.grants.back().map_or(grant.lost, |before| before.lost.max(grant.lost));
        self.grants.push_back(Grant { lost, ..grant });
        self.last.apply(core, need);
        Answer::Asked { arrives: grant.arrives, is_far, invalidates }
    }

    /// What the line's way to the core costs, and whether it leaves the socket.
    fn cost(&self, core: usize, need: Need, machine: &Machine) -> (Cycles, bool) {
        let distance = |other| machine.topology.distance(core, other);
        let is_far = |distance| distance >= Distance::OneHop;
        if let Some(owner) = self.last.owner {
            let distance = distance(owner);
            return (machine.memory.way(distance).dirty, is_far(distance));
        }
        let others = self.last.others(core).map(distance);
        // A reader takes the nearest copy; a writer waits for the farthest one to end.
        let one = if need == Need::Share { others.min() } else { others.max() };
        match one {
            Some(distance) => (machine.memory.way(distance).clean, is_far(distance)),
            // Its own copy is the only one.
            None if self.last.has(core) => (machine.memory.hit, false),
            None => (machine.memory.dram, false),
        }
    }
}
