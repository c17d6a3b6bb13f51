//! See the program's own documentation.

mod actor;
mod bursts;
mod comers;
mod duets;
mod forks;
mod guards;
mod leaks;
mod options;
mod place;
mod post;
mod raw;
#[path = "../../support/mod.rs"]
mod support;
mod travel;
mod ward;
mod watchdog;
mod world;

use self::actor::Actor;
use self::options::{Asked, Options, USAGE};
use self::post::{Post, found, posts, set_seed};
use self::watchdog::Watchdog;
use self::world::World;
use fastrand::Rng;
use std::panic;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

pub(crate) fn main() -> ExitCode {
    match options::options() {
        Ok(Asked::Run(options)) => run(options),
        Ok(Asked::Nothing) => {}
        Err(mistake) => {
            eprintln!("{mistake}\n{USAGE}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn run(options: Options) {
    set_seed(options.seed);
    println!("chaos: {options:?}");
    panic::set_hook(Box::new(|panic| found!("{panic}")));
    let (mail, parcels) = sync_channel(8);
    let (first, for_first) = sync_channel(2);
    let (second, for_second) = sync_channel(2);
    let world: &'static World = Box::leak(Box::new(World::new(options, mail, vec![first, second])));

    let mut dice = Rng::with_seed(options.seed);
    let mut threads = Vec::new();
    let mut start = |live: Box<dyn FnOnce(&mut Actor) + Send>| {
        let mut actor = Actor { rng: dice.fork(), post: Post::take(), world, floor: 0 };
        threads.push(thread::spawn(move || {
            live(&mut actor);
            actor.post.idle();
        }));
    };
    start(Box::new(move |actor| travel::be_a_postman(&parcels, actor)));
    start(Box::new(move |actor| duets::be_a_guest(&for_first, actor)));
    start(Box::new(move |actor| duets::be_a_guest(&for_second, actor)));
    (0..options.threads).for_each(|_| start(Box::new(Actor::live)));

    let mut watchdog = Watchdog::default();
    watchdog.watch(world, options.run_for, || false);
    // A short run on a busy machine goes on until each kind of event has happened.
    watchdog.watch(world, options.patience, || !counts(world).contains(&0));
    world.end();
    watchdog.watch(world, Duration::MAX, || threads.iter().all(thread::JoinHandle::is_finished));
    sum_up(world);
}

/// Looks at all locks once more, and says what there was.
fn sum_up(world: &'static World) {
    let calls: u64 = posts().map(|(_, post)| post.done()).sum();
    let mut actor = Actor { rng: Rng::with_seed(0), post: Post::take(), world, floor: 0 };
    for place in world.places() {
        if !place.alone(&mut actor, &mut |_, _| {}) {
            found!("all threads have ended, and one is there: {}", place.state());
        }
    }
    let [renewed, duets, comers, forks, parcels] = counts(world);
    println!(
        "chaos: {calls} calls, {renewed} locks made anew, {duets} duets, {comers} threads that came, \
         {forks} forks, {parcels} guards sent"
    );
}

/// How often each of the rarer events has happened.
fn counts(world: &World) -> [u64; 5] {
    // Relaxed: counters.
    [&world.renewed, &duets::DUETS, &comers::COMERS, &forks::FORKS, &travel::PARCELS]
        .map(|count| count.load(Ordering::Relaxed))
}
