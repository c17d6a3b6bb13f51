//! One cache line: the cores that have it, the cores that wait for it, and when each gets it.
//!
//! Any number of cores *share* a line, or one core *owns* it and may change it. A core without
//! the right to its access asks for the line. An owner, and a reader that takes the line from an
//! owner or from memory, get it one after another, in the order in which they asked:
//!
//! ```text
//! asked ── the request's way ──┐
//!      those before have it ───┴─ serial part of the way ── arrives ── kept for a while ── next
//!                              └ lost: the holders before have it until here
//! ```
//!
//! Copies of a shared line are made side by side, and take it from no core. A core makes its step
//! when the line arrives. It may make more steps at no cost until the next core's `lost`.
//!
//! Invariant: no grant's `lost` comes before the arrival of a grant that it ends. Otherwise a
//! core would lose the line before it made the step that it waited for.

mod holders;
#[cfg(test)]
mod tests;

use self::holders::Holders;
use crate::machine::{Cycles, Distance, Machine};
use crate::noise::Noise;
use std::collections::VecDeque;

/// The purpose for which a core wants a line.
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
    /// The core has the line.
    Hit,
    /// The core asked earlier, and the line is on its way.
    OnItsWay { arrives: Cycles },
    /// The core has now asked for the line.
    Asked { arrives: Cycles, is_far: bool, invalidates: u64 },
}

/// A line on its way.
#[derive(Clone, Copy, Debug)]
struct Grant {
    core: usize,
    need: Need,
    /// When the earlier holders lose the line, or no longer own it. A copy ends no hold: for a copy
    /// this is the arrival.
    lost: Cycles,
    arrives: Cycles,
}

/// See the [module](self).
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// The cores that have it now.
    now: Holders,
    /// The cores that will have it after all grants.
    last: Holders,
    grants: VecDeque<Grant>,
    /// The grant that was applied last, which may still be on its way.
    applied: Option<Grant>,
    /// When the core of the last grant that is no copy has kept the line for long enough.
    kept_until: Cycles,
    /// When the last copy arrives. A core that asked to share the line makes its access before it
    /// loses the line.
    shared_until: Cycles,
}

impl Line {
    /// A line that this core owns: a node that a thread has just built.
    pub(crate) fn owned_by(core: usize) -> Self {
        let mut holders = Holders::default();
        holders.apply(core, Need::Own);
        Self { now: holders.clone(), last: holders, ..Self::default() }
    }

    /// Answers a core that wants the line now.
    pub(crate) fn ask(
        &mut self,
        core: usize,
        need: Need,
        at: Cycles,
        machine: &Machine,
        noise: &mut Noise,
    ) -> Answer {
        self.settle(at);
        if need == Need::Own && self.grants.is_empty() && self.now.is_only(core) {
            // The holder of the only copy becomes the owner without a message to other cores.
            self.now.apply(core, need);
            self.last.apply(core, need);
        }
        if self.now.serve(core, need) {
            return match self.applied {
                Some(grant) if grant.core == core && grant.arrives > at => {
                    Answer::OnItsWay { arrives: grant.arrives }
                }
                _ => Answer::Hit,
            };
        }
        let asked = self
            .grants
            .iter()
            .find(|grant| grant.core == core && (grant.need == need || grant.need == Need::Own));
        if let Some(grant) = asked {
            return Answer::OnItsWay { arrives: grant.arrives };
        }
        self.request(core, need, at, machine, noise)
    }

    /// Applies the grants whose time has come. At the very moment of `lost` the earlier core still
    /// has the line: its own step may be due at that moment.
    fn settle(&mut self, at: Cycles) {
        let is_due = |grant: &Grant| grant.lost < at || grant.arrives <= at;
        while let Some(grant) = self.grants.front().copied().filter(is_due) {
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
        let invalidates = if need == Need::Own { self.last.others(core).count() as u64 } else { 0 };
        let is_copy = need == Need::Share && !from_owner && !self.last.is_empty();
        let grant = if is_copy {
            let arrives = at.max(self.kept_until) + cost;
            self.shared_until = self.shared_until.max(arrives);
            Grant { core, need, lost: arrives, arrives }
        } else {
            let serial = cost * machine.memory.serial / 16;
            let free = self.kept_until.max(self.shared_until);
            let arrives = (at + cost).max(free + serial);
            let keep = if need == Need::Own { noise.around(machine.memory.keep) } else { 0 };
            self.kept_until = arrives + keep;
            Grant { core, need, lost: arrives - serial, arrives }
        };
        // A near copy overtakes a far one. `settle` applies grants in the order of `lost`.
        let place = self.grants.partition_point(|before| before.lost <= grant.lost);
        self.grants.insert(place, grant);
        self.last.apply(core, need);
        Answer::Asked { arrives: grant.arrives, is_far, invalidates }
    }

    /// The cost of the line's way to the core, and whether the way leaves the socket.
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
