//! Tables of answers. The machine's costs tell which way a line came.

use super::*;
use crate::machine::{Memory, Topology, Way};
use crate::presets;

/// A line, and a machine of 16 cores: 0 and 1 share a cluster, 2 their socket; 4 and 12 are far.
struct Scene {
    line: Line,
    machine: Machine,
    noise: Noise,
}

impl Scene {
    /// Core 0 owns the line.
    fn new(keep: Cycles) -> Self {
        let mut machine = presets::all()[0].clone();
        machine.topology = Topology { sockets: 4, clusters: 2, cores: 2, threads: 1 };
        let ways = [1, 2, 3, 4].map(|far| Way { dirty: 100 * far, clean: 10 * far });
        machine.memory = Memory { ways, dram: 500, serial: 8, keep, ..machine.memory };
        Self { line: Line::owned_by(0), machine, noise: Noise::new(None) }
    }

    /// Cores 0 and 1 share the line from 100 on.
    fn shared() -> Self {
        let mut scene = Self::new(16);
        assert_eq!(scene.share(1, 0), asked(100, false, 0));
        scene
    }

    fn own(&mut self, core: usize, at: Cycles) -> Answer {
        self.line.ask(core, Need::Own, at, &self.machine, &mut self.noise)
    }

    fn share(&mut self, core: usize, at: Cycles) -> Answer {
        self.line.ask(core, Need::Share, at, &self.machine, &mut self.noise)
    }
}

fn asked(arrives: Cycles, is_far: bool, invalidates: u64) -> Answer {
    Answer::Asked { arrives, is_far, invalidates }
}

fn on_its_way(arrives: Cycles) -> Answer {
    Answer::OnItsWay { arrives }
}

#[test]
fn line_comes_from_memory_once() {
    let mut scene = Scene { line: Line::default(), ..Scene::new(16) };
    assert_eq!(scene.share(0, 0), asked(500, false, 0));
    assert_eq!(scene.share(0, 300), on_its_way(500));
    assert_eq!(scene.share(1, 1), asked(510, false, 0), "there is no copy before");
    assert_eq!(scene.share(0, 500), Answer::Hit);
}

#[test]
fn line_is_owned_for_nothing_by_the_only_sharer() {
    let mut scene = Scene { line: Line::default(), ..Scene::new(16) };
    assert_eq!(scene.share(0, 0), asked(500, false, 0));
    assert_eq!(scene.own(0, 500), Answer::Hit);
    assert_eq!(scene.share(1, 600), asked(700, false, 0), "it is dirty now");
}

#[test]
fn line_costs_its_distance_dirty_and_clean() {
    for (core, far, is_far) in [(1, 1, false), (2, 2, false), (4, 3, true), (12, 4, true)] {
        assert_eq!(Scene::new(16).own(core, 0), asked(100 * far, is_far, 1));
        assert_eq!(Scene::new(16).share(core, 0), asked(100 * far, is_far, 0));
    }
    for (core, far, is_far) in [(2, 2, false), (4, 3, true), (12, 4, true)] {
        assert_eq!(Scene::shared().share(core, 200), asked(200 + 10 * far, is_far, 0));
        assert_eq!(Scene::shared().own(core, 200), asked(200 + 10 * far, is_far, 2));
    }
}

#[test]
fn line_upgrade_waits_for_the_farthest_copy_to_end() {
    let mut scene = Scene::new(16);
    assert_eq!(scene.share(12, 0), asked(400, true, 0));
    assert_eq!(scene.own(0, 1_000), asked(1_040, true, 1));
    assert_eq!(scene.share(12, 1_020), Answer::Hit);
    assert_eq!(scene.share(12, 1_021), asked(1_421, true, 0));
    assert_eq!(scene.own(0, 1_040), Answer::Hit);
}

#[test]
fn line_goes_to_owners_in_the_order_in_which_they_asked() {
    let mut scene = Scene::new(16);
    assert_eq!(scene.own(1, 0), asked(100, false, 1));
    // Kept until 116, then the serial half of the way; the other half overlaps.
    assert_eq!(scene.own(2, 1), asked(216, false, 1));
    assert_eq!(scene.own(3, 2), asked(282, false, 1));
    assert_eq!(scene.own(0, 50), Answer::Hit, "lost after 50");
    assert_eq!(scene.own(0, 51), asked(398, false, 1));
    assert_eq!(scene.own(2, 60), on_its_way(216));
    assert_eq!(scene.own(1, 116), Answer::Hit);
    assert_eq!(scene.own(2, 216), Answer::Hit);
    assert_eq!(scene.own(3, 282), Answer::Hit);
}

#[test]
fn line_is_kept_at_least_for_the_step_that_it_was_asked_for() {
    let mut scene = Scene::new(0);
    assert_eq!(scene.own(1, 0), asked(100, false, 1));
    scene.own(2, 1);
    assert_eq!(scene.own(1, 100), Answer::Hit);
    let mut scene = Scene::new(0);
    assert_eq!(scene.share(1, 0), asked(100, false, 0));
    scene.own(2, 1);
    assert_eq!(scene.share(1, 100), Answer::Hit, "or readers starve among writers");
}

#[test]
fn line_is_copied_side_by_side() {
    let mut scene = Scene::shared();
    assert_eq!(scene.share(12, 200), asked(240, true, 0));
    assert_eq!(scene.share(2, 201), asked(221, false, 0), "a near copy overtakes");
    assert_eq!(scene.share(2, 221), Answer::Hit);
    assert_eq!(scene.share(12, 221), on_its_way(240));
    assert_eq!(scene.share(12, 240), Answer::Hit);
}

#[test]
fn line_is_owned_after_all_copies_arrived() {
    let mut scene = Scene::shared();
    assert_eq!(scene.share(12, 200), asked(240, true, 0));
    assert_eq!(scene.own(1, 201), asked(260, true, 2));
    assert_eq!(scene.share(4, 202), asked(502, true, 0), "a late reader is behind the owner");
    assert_eq!(scene.share(12, 240), Answer::Hit);
    assert_eq!(scene.share(0, 240), Answer::Hit);
    assert!(matches!(scene.share(0, 241), Answer::Asked { .. }));
    assert_eq!(scene.own(1, 260), Answer::Hit);
}

#[test]
fn line_on_its_way_serves_no_sibling_before_it_arrives() {
    let mut scene = Scene::new(16);
    assert_eq!(scene.own(1, 0), asked(100, false, 1));
    for at in [10, 60, 99] {
        assert_eq!(scene.own(1, at), on_its_way(100));
        assert_eq!(scene.share(1, at), on_its_way(100));
    }
    let mut scene = Scene::shared();
    scene.share(2, 200);
    scene.share(3, 200);
    assert_eq!(scene.share(2, 210), on_its_way(220), "the last copy is not the only one");
}
