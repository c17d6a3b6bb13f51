//! The machine code of uncontended pairs of `PsRwLock`. One compare-and-swap takes the lock, and
//! one locked step leaves it. A caller that does not have to wait or wake calls nothing.

use crate::listing::{Instruction, Listing, compile};

#[test]
fn psrw_uncontended_pair_is_two_steps() {
    let assembly = compile();
    for function in ["probe_psrw_read", "probe_psrw_read_awake", "probe_psrw_write"] {
        let listing = Listing::of(function, &assembly);
        if let Err(why) = check(&listing) {
            panic!("{function}: {why}\n{listing}");
        }
    }
}

/// All ways through the code on which the compare-and-swap succeeds and nothing is called.
fn check(listing: &Listing) -> Result<(), String> {
    let mut ways = Vec::new();
    follow(listing, 0, Vec::new(), &mut ways)?;
    let two = |way: &&Vec<&str>| matches!(way[..], ["cmpxchg", "xaddq" | "subq"]);
    match ways.iter().find(|way| !two(way)) {
        Some(way) => Err(format!("a way with the locked steps {way:?}")),
        None if ways.is_empty() => Err("no way without a call".into()),
        None => Ok(()),
    }
}

/// Goes on from the instruction at `place`, with the locked steps behind it in `steps`.
fn follow<'a>(
    listing: &'a Listing,
    mut place: usize,
    mut steps: Vec<&'a str>,
    ways: &mut Vec<Vec<&'a str>>,
) -> Result<(), String> {
    loop {
        let Some(instruction) = listing.instructions.get(place) else { return Ok(()) };
        let target = listing.target(instruction);
        if target.is_some_and(|target| target <= place) {
            return Err("a loop".into());
        }
        if instruction.locked {
            steps.push(&instruction.name);
        }
        match instruction.name.as_str() {
            "ret" => {
                ways.push(steps);
                return Ok(());
            }
            // Finds the thread's level. In a program the linker makes an instruction of the call.
            "call" if instruction.operands.starts_with("__tls_get_addr") => place += 1,
            "call" | "ud2" => return Ok(()),
            "jmp" => match target {
                Some(target) => place = target,
                None => return Ok(()), // a call of the last moment
            },
            _ if instruction.is_branch() => {
                let target = target.ok_or("a branch out of the function")?;
                match succeeds(listing, place, instruction) {
                    Some(true) => place = target,
                    Some(false) => place += 1,
                    None => {
                        follow(listing, target, steps.clone(), ways)?;
                        place += 1;
                    }
                }
            }
            _ => place += 1,
        }
    }
}

/// Whether this branch is taken because the compare-and-swap before it has succeeded. `None`: the
/// branch is about something else.
fn succeeds(listing: &Listing, place: usize, branch: &Instruction) -> Option<bool> {
    let before = &listing.instructions[place.checked_sub(1)?];
    if !(before.locked && before.name == "cmpxchg") {
        return None;
    }
    match branch.name.as_str() {
        "je" => Some(true),
        "jne" => Some(false),
        _ => None,
    }
}

#[test]
fn psrw_machine_code_check_refuses_a_third_step() {
    let pair = "\
f:
	xorl	%eax, %eax
	lock		cmpxchgq	%rcx, (%rdi)
	jne	.LBB0_2
.LBB0_1:
	lock		subq	$64, (%rdi)
	retq
.LBB0_2:
	callq	slow
	testb	%al, %al
	jne	.LBB0_1
.Lfunc_end0:
";
    assert_eq!(check(&Listing::of("f", pair)), Ok(()));
    let third = pair.replace("\tretq", "\tlock\t\tsubq\t$64, (%rsi)\n\tretq");
    assert!(check(&Listing::of("f", &third)).is_err());
    let calls = pair.replace("\tretq", "\tcallq\twake\n\tretq");
    assert_eq!(check(&Listing::of("f", &calls)), Err("no way without a call".into()));
    let looks_first = pair.replace("\txorl", "\ttestb\t%al, %al\n\tje\tf\n\txorl");
    assert!(check(&Listing::of("f", &looks_first)).is_err());
}
