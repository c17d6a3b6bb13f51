//! Which cores have a line, and which one owns it.

use super::Need;

/// The cores that have a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Holders {
    pub(super) owner: Option<usize>,
    /// A bit for each core that has the line, the owner included.
    cores: Vec<u64>,
}

impl Holders {
    pub(super) fn has(&self, core: usize) -> bool {
        self.cores.get(core / 64).is_some_and(|word| word >> (core % 64) & 1 == 1)
    }

    fn add(&mut self, core: usize) {
        if self.cores.len() <= core / 64 {
            self.cores.resize(core / 64 + 1, 0);
        }
        self.cores[core / 64] |= 1 << (core % 64);
    }

    pub(super) fn apply(&mut self, core: usize, need: Need) {
        self.owner = None;
        if need == Need::Own {
            self.cores.fill(0);
            self.owner = Some(core);
        }
        self.add(core);
    }

    /// Whether the core's right to the line suffices for its need.
    pub(super) fn serve(&self, core: usize, need: Need) -> bool {
        match need {
            Need::Share => self.has(core),
            Need::Own => self.owner == Some(core),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cores.iter().all(|&word| word == 0)
    }

    /// Whether this core has the line and no other core has it.
    pub(super) fn is_only(&self, core: usize) -> bool {
        self.has(core) && self.others(core).next().is_none()
    }

    pub(super) fn others(&self, core: usize) -> impl Iterator<Item = usize> {
        let words = self.cores.iter().enumerate();
        let all = words.flat_map(|(at, &word)| Bits(word).map(move |bit| at * 64 + bit));
        all.filter(move |&other| other != core)
    }
}

/// The places of a word's set bits.
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
