//! Places that lie together, as few boxes: sets of values on each axis.

/// How many axes the plane has: hold, pause, threads, writes.
pub(super) const AXES: usize = 4;

/// All places whose value on each axis is one of these, by their numbers on the axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region(pub(super) [Vec<usize>; AXES]);

impl Region {
    /// Whether a place is inside.
    pub(super) fn has(&self, place: [usize; AXES]) -> bool {
        place.iter().zip(&self.0).all(|(value, values)| values.contains(value))
    }

    /// How many places it has.
    fn size(&self) -> usize {
        self.0.iter().map(Vec::len).product()
    }

    /// Both in one, if they differ on this axis alone.
    fn joined(&self, other: &Self, axis: usize) -> Option<Self> {
        let alike = (0..AXES).all(|at| at == axis || self.0[at] == other.0[at]);
        alike.then(|| {
            let mut both = self.clone();
            both.0[axis].extend(&other.0[axis]);
            both.0[axis].sort_unstable();
            both
        })
    }
}

/// These places as boxes without overlap, the largest first. Boxes are joined axis by axis, in each
/// order of the axes; the order that leaves the fewest boxes is taken.
pub(super) fn regions(places: &[[usize; AXES]]) -> Vec<Region> {
    let single = |place: &[usize; AXES]| Region(place.map(|value| vec![value]));
    let all: Vec<Region> = places.iter().map(single).collect();
    let ways = orders().into_iter().map(|order| order.into_iter().fold(all.clone(), joined));
    let mut fewest = ways.min_by_key(Vec::len).unwrap_or_default();
    fewest.sort_by_key(|region| std::cmp::Reverse(region.size()));
    fewest
}

/// Joins regions that differ on this axis alone.
fn joined(regions: Vec<Region>, axis: usize) -> Vec<Region> {
    let mut out: Vec<Region> = Vec::new();
    for region in regions {
        let with =
            out.iter().enumerate().find_map(|(at, one)| Some((at, one.joined(&region, axis)?)));
        match with {
            Some((at, both)) => out[at] = both,
            None => out.push(region),
        }
    }
    out
}

/// Every order of the axes.
fn orders() -> Vec<[usize; AXES]> {
    let all = 0..AXES.pow(AXES as u32);
    let digits = all.map(|number| std::array::from_fn(|at| number / AXES.pow(at as u32) % AXES));
    digits.filter(|order: &[usize; AXES]| (0..AXES).all(|axis| order.contains(&axis))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_join_what_lies_together() {
        let mut places = Vec::new();
        for pause in 0..2 {
            for writes in 2..4 {
                places.push([1, pause, 2, writes]);
            }
        }
        places.push([3, 3, 0, 0]);
        let regions = regions(&places);
        let expected =
            [[vec![1], vec![0, 1], vec![2], vec![2, 3]], [vec![3], vec![3], vec![0], vec![0]]];
        assert_eq!(regions, expected.map(Region));
    }

    #[test]
    fn regions_have_each_place_once() {
        let places = [[0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, 2, 0, 0], [2, 0, 1, 1]];
        let regions = regions(&places);
        for place in places {
            assert_eq!(regions.iter().filter(|region| region.has(place)).count(), 1);
        }
        assert_eq!(regions.iter().map(Region::size).sum::<usize>(), places.len());
    }

    #[test]
    fn regions_of_nothing_are_none() {
        assert!(regions(&[]).is_empty());
        assert_eq!(orders().len(), 24);
    }
}
