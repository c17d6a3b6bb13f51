//! The machine code of try-read's way through a free lock: zero a register, add the share, one
//! locked compare-and-swap, one forward branch that is taken only on failure, and home. Also of
//! raising and lowering a thread: an addition, a subtraction, and one such branch. `psrw` checks
//! the pairs of `PsRwLock`.

#![cfg(target_arch = "x86_64")]

mod listing;
mod psrw;

use listing::{Listing, compile, compile_at};

/// One reader in the count.
const SHARE: &str = "256";

#[test]
fn rwsem_try_read_takes_a_free_lock_in_one_step() {
    let assembly = compile();
    for function in ["probe_raw_try_read", "probe_try_read"] {
        let listing = Listing::of(function, &assembly);
        if let Err(why) = check(&listing) {
            panic!("{function}: {why}\n{listing}");
        }
    }
}

/// Follows the code with no branch taken, to the return.
fn check(listing: &Listing) -> Result<(), &'static str> {
    let end = listing.position(|i| i.name == "ret").ok_or("there is no return")?;
    let path = &listing.instructions[..end];
    let ensure = |so: bool, why| if so { Ok(()) } else { Err(why) };

    let step = path.iter().position(|i| i.locked).ok_or("no locked step")?;
    let (before, after) = (&path[..step], &path[step + 1..]);
    ensure(path[step].name == "cmpxchg", "the step is no compare-and-swap")?;
    ensure(after.iter().all(|i| !i.locked), "more than one locked step")?;

    ensure(!path.iter().any(|i| i.name == "call" || i.name == "jmp"), "a call or a jump")?;
    let branches: Vec<_> = path.iter().filter(|i| i.is_branch()).collect();
    ensure(branches.len() == 1, "more than one branch, or none")?;
    ensure(after.first().is_some_and(|i| i.is_branch()), "no branch right behind the step")?;
    ensure(after[0].name == "jne", "the branch is not taken on failure")?;
    ensure(listing.target(&after[0]) > Some(end), "the branch does not lead forward")?;

    ensure(!before.iter().chain(after).any(|i| i.touches_memory()), "it touches more memory")?;
    ensure(before.iter().any(|i| i.is("xor", "%eax, %eax")), "it does not expect 0")?;
    let adds_share = |i: &listing::Instruction| match i.name.as_str() {
        "mov" => i.operands.starts_with(&format!("${SHARE}, ")),
        "lea" => i.operands.starts_with(&format!("{SHARE}(%rax)")),
        _ => false,
    };
    ensure(before.iter().any(adds_share), "it does not add one share")
}

/// Read and unlock by slot stand inline, without a locked step. Read and unlock by a share also
/// stand inline, of one step each. All else is one call for the read and one for the unlock. With
/// more calls the way by slot would have registers to save.
#[test]
fn rwsem_read_is_short_and_the_rest_is_one_call() {
    for level in ["2", "3"] {
        let listing = Listing::of("probe_read", &compile_at(level));
        // In a program the linker makes an addition to the thread pointer of a call of
        // `__tls_get_addr`.
        let is_call =
            |i: &listing::Instruction| i.name == "call" && !i.operands.contains("__tls_get_addr");
        let steps = |what: &dyn Fn(&listing::Instruction) -> bool| {
            listing.instructions.iter().filter(|i| what(i)).count()
        };
        // 27 to read, two of them for the call that is not made, 7 to unlock, 1 that looks at the
        // value. The rest enters and leaves the function, or finds the thread's own variables from
        // a library.
        match listing.shortest_path(|i| !is_call(i) && !i.locked) {
            Some(path) => assert!(path <= 50, "{path} instructions\n{listing}"),
            None => panic!("no way through without a call\n{listing}"),
        }
        assert_eq!(steps(&|i| i.locked), 2, "the steps of a share\n{listing}");
        assert_eq!(steps(&is_call), 2, "calls\n{listing}");
        assert!(steps(&|i| i.name.starts_with("push")) <= 3, "registers to save\n{listing}");
    }
}

#[test]
fn context_raise_and_lower_are_two_additions_and_a_look() {
    let listing = Listing::of("probe_masked", &compile());
    if let Err(why) = check_masked(&listing) {
        panic!("{why}\n{listing}");
    }
}

/// Follows the code with no branch taken, to the return.
fn check_masked(listing: &Listing) -> Result<(), &'static str> {
    let end = listing.position(|i| i.name == "ret").ok_or("there is no return")?;
    let path = &listing.instructions[..end];
    let ensure = |so: bool, why| if so { Ok(()) } else { Err(why) };
    ensure(path.iter().all(|i| !i.locked), "a locked step")?;
    // In a program the linker makes of this call an addition to the thread pointer.
    let calls = path.iter().filter(|i| i.name == "call" && !i.operands.contains("__tls_get_addr"));
    ensure(calls.count() == 0, "a call")?;
    let branches: Vec<_> = path.iter().filter(|i| i.is_branch()).collect();
    ensure(branches.len() == 1, "more than one branch, or none")?;
    ensure(listing.target(branches[0]) > Some(end), "the branch does not lead forward")?;
    // Raise, the section itself, lower, look; and saved registers.
    let steps = path.iter().filter(|i| i.operands.contains('(') && i.touches_memory()).count();
    ensure(steps <= 6, "it touches more memory")
}

/// The check is strict. It refuses the loop that a compiler makes of the plain source.
#[test]
fn machine_code_check_refuses_a_loop_that_looks_first() {
    let merged = "\
f:
	xorl	%eax, %eax
.LBB0_1:
	movq	%rax, %rcx
	testl	$-2147483641, %ecx
	jne	.LBB0_3
	leaq	256(%rcx), %rdx
	movq	%rcx, %rax
	lock		cmpxchgq	%rdx, (%rdi)
	jne	.LBB0_1
.LBB0_3:
	sete	%al
	retq
.Lfunc_end0:
";
    assert!(check(&Listing::of("f", merged)).is_err());
    let loads = "\
f:
	movq	(%rdi), %rcx
	xorl	%eax, %eax
	movl	$256, %edx
	lock		cmpxchgq	%rdx, (%rdi)
	jne	.LBB0_3
	retq
.LBB0_3:
	ud2
.Lfunc_end0:
";
    assert_eq!(check(&Listing::of("f", loads)), Err("it touches more memory"));
    let seed = loads.replacen("\tmovq\t(%rdi), %rcx\n", "", 1);
    assert_eq!(check(&Listing::of("f", &seed)), Ok(()));
}
