//! The compiler's own listing of a function: the instructions that it gives to the assembler.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::{fmt, fs};

/// Compiles the probes as a user's release, whatever this test is compiled with: nothing is inlined
/// at the time of linking.
pub(crate) fn compile() -> String {
    compile_at("3")
}

/// Compiles the probes as a user's release, at this level of optimization.
pub(crate) fn compile_at(level: &str) -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machine_code").join(level);
    fs::create_dir_all(&dir).expect("a place for the listing");
    let listing = dir.join("probe.s");
    let built = Command::new(env!("CARGO"))
        .args(["rustc", "--release", "--offline", "--quiet", "--example", "machine_code_probe"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .arg("--target-dir")
        .arg(&dir)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)
        .args(["--", "-Cdebuginfo=0"])
        .arg(format!("--emit=asm={}", listing.display()))
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    fs::read_to_string(listing).expect("the listing")
}

/// A function, instruction by instruction.
pub(crate) struct Listing {
    pub(crate) instructions: Vec<Instruction>,
    /// Where each label stands.
    labels: HashMap<String, usize>,
}

pub(crate) struct Instruction {
    /// `mov` for `movl` and `movq`.
    pub(crate) name: String,
    pub(crate) operands: String,
    pub(crate) locked: bool,
}

impl Listing {
    /// The function of this name in an assembler text (AT&T notation).
    pub(crate) fn of(function: &str, assembly: &str) -> Self {
        let mut listing = Self { instructions: Vec::new(), labels: HashMap::new() };
        // The compiler gives two functions of the same code one body.
        let alias = format!("{function} = ");
        let function =
            assembly.lines().find_map(|line| line.strip_prefix(&alias)).unwrap_or(function);
        let start = format!("{function}:");
        let lines = assembly.lines().skip_while(|line| line.trim() != start).skip(1);
        for line in lines.take_while(|line| !line.starts_with(".Lfunc_end")) {
            let line = line.split('#').next().unwrap_or("").trim();
            if let Some(label) = line.strip_suffix(':') {
                listing.labels.insert(label.to_owned(), listing.instructions.len());
            } else if !line.is_empty() && !line.starts_with('.') {
                listing.instructions.push(Instruction::parse(line));
            }
        }
        assert!(!listing.instructions.is_empty(), "no {function} in the listing");
        listing
    }

    pub(crate) fn position(&self, what: impl Fn(&Instruction) -> bool) -> Option<usize> {
        self.instructions.iter().position(what)
    }

    /// Where a branch leads.
    pub(crate) fn target(&self, branch: &Instruction) -> Option<usize> {
        self.labels.get(&branch.operands).copied()
    }
}

impl Listing {
    /// How many instructions the shortest way to a return has on which all instructions are
    /// `allowed`. Each branch may go either way.
    pub(crate) fn shortest_path(&self, allowed: impl Fn(&Instruction) -> bool) -> Option<usize> {
        let mut seen = vec![false; self.instructions.len()];
        let mut front = vec![0];
        for steps in 1.. {
            let mut next = Vec::new();
            for place in front {
                let Some(i) = self.instructions.get(place).filter(|i| allowed(i)) else { continue };
                if std::mem::replace(&mut seen[place], true) {
                    continue;
                }
                match i.name.as_str() {
                    "ret" => return Some(steps),
                    "jmp" => next.extend(self.target(i)),
                    _ if i.is_branch() => {
                        next.extend(self.target(i).into_iter().chain([place + 1]));
                    }
                    _ => next.push(place + 1),
                }
            }
            if next.is_empty() {
                break;
            }
            front = next;
        }
        None
    }
}

impl Instruction {
    fn parse(line: &str) -> Self {
        let (locked, line) = match line.strip_prefix("lock") {
            Some(rest) => (true, rest.trim_start()),
            None => (false, line),
        };
        let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Self { name: without_size(name).to_owned(), operands: operands.trim().to_owned(), locked }
    }

    pub(crate) fn is(&self, name: &str, operands: &str) -> bool {
        self.name == name && self.operands == operands
    }

    /// A conditional branch.
    pub(crate) fn is_branch(&self) -> bool {
        self.name.starts_with('j') && self.name != "jmp"
    }

    /// Reads or writes memory. `lea` only computes an address.
    pub(crate) fn touches_memory(&self) -> bool {
        let stack = ["push", "pop", "leave"].iter().any(|name| self.name.starts_with(name));
        stack || self.operands.contains('(') && self.name != "lea"
    }
}

/// The name without the letter for the operands' size, for the names that matter.
fn without_size(name: &str) -> &str {
    let known = ["call", "cmpxchg", "lea", "mov", "ret", "xor"];
    let sized = |base: &&&str| name.strip_prefix(**base).is_some_and(|size| "bwlq".contains(size));
    known.iter().find(sized).copied().unwrap_or(name)
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Instruction { name, operands, locked }) in self.instructions.iter().enumerate()
        {
            for (label, _) in self.labels.iter().filter(|(_, at)| **at == place) {
                writeln!(f, "{label}:")?;
            }
            writeln!(f, "    {}{name} {operands}", if *locked { "lock " } else { "" })?;
        }
        Ok(())
    }
}
