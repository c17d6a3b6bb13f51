//! The pages hold together: links lead somewhere, and figures stand where they are said to come
//! from.

use std::fs;
use std::path::{Path, PathBuf};

/// Where the README's links lead, since it is also shown outside of the repository.
const HOME: &str = "https://github.com/siftlock/siftlock/blob/HEAD/";

const BENCHMARKS: &str = "docs/benchmarks.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The pages, by their path from the root.
fn pages() -> Vec<String> {
    let docs = fs::read_dir(root().join("docs")).expect("the folder of pages");
    let names = docs.map(|file| file.expect("a page").file_name().into_string().expect("a name"));
    let docs = names.map(|name| format!("docs/{name}"));
    ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"]
        .map(str::to_owned)
        .into_iter()
        .chain(docs)
        .collect()
}

/// The anchor that GitHub makes of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

/// The text under the heading with this anchor, the headings below it included.
fn section<'a>(page: &'a str, sought: &str) -> Option<&'a str> {
    let level = |line: &str| line.chars().take_while(|c| *c == '#').count();
    let mut begin = None;
    let mut at = 0;
    let mut fenced = false;
    for line in page.split_inclusive('\n') {
        fenced ^= line.starts_with("```");
        let depth = if fenced { 0 } else { level(line) };
        if depth > 0 {
            match begin {
                Some((from, outer)) if depth <= outer => return Some(&page[from..at]),
                None if anchor(line.trim_start_matches('#')) == sought => begin = Some((at, depth)),
                _ => {}
            }
        }
        at += line.len();
    }
    begin.map(|(from, _)| &page[from..])
}

/// The targets of the links in a text.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// The numbers in a text, with their commas and points, but not those that are part of a name.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || ".,_".contains(c)));
    let words = words.map(|word| word.trim_matches(['.', ',']));
    words.filter(|word| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
    })
}

/// The cells of a table's row.
fn cells(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn pages_link_to_what_is_there() {
    for page in pages() {
        let text = read(&page);
        let folder = Path::new(&page).parent().expect("a folder");
        for link in links(&text) {
            let path = match link.strip_prefix(HOME) {
                Some(path) => path.to_owned(),
                None if link.contains("://") => continue,
                None if link.starts_with('#') => format!("{page}{link}"),
                None => folder.join(link).to_str().expect("a name").to_owned(),
            };
            let (file, heading) = path.split_once('#').unwrap_or((&path, ""));
            assert!(root().join(file).exists(), "{page}: {link} leads nowhere");
            let found = heading.is_empty() || section(&read(file), heading).is_some();
            assert!(found, "{page}: {link} is the name of no heading");
        }
    }
}

/// If the last cell of a row links to a section of the benchmarks, that section has all the row's
/// numbers.
#[test]
fn readme_figures_stand_in_the_benchmarks() {
    let (readme, benchmarks) = (read("README.md"), read(BENCHMARKS));
    let mut checked = 0;
    for row in readme.lines().filter(|line| line.starts_with("| ")) {
        let cells = cells(row);
        let Some((from, figures)) = cells.split_last() else { continue };
        let source = links(from).find_map(|link| link.strip_prefix(HOME)?.strip_prefix(BENCHMARKS));
        let Some(heading) = source.and_then(|source| source.strip_prefix('#')) else { continue };
        let source = section(&benchmarks, heading).expect("the link leads somewhere");
        for figure in figures.iter().skip(1).flat_map(|cell| numbers(cell)) {
            let stands = numbers(source).any(|number| number == figure);
            assert!(stands, "{figure} does not stand in {BENCHMARKS}#{heading}: {row}");
            checked += 1;
        }
    }
    for bar in readme.lines().filter(|line| line.contains('█')) {
        let figure = numbers(bar).last().expect("each bar has its figure");
        assert!(numbers(&benchmarks).any(|number| number == figure), "nowhere measured: {bar}");
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

/// Each measurement is below the promised bound.
#[test]
fn fairness_has_no_figure_above_its_bound() {
    let (fairness, benchmarks) = (read("docs/fairness.md"), read(BENCHMARKS));
    let table = section(&fairness, "the-bounds-and-the-measurements").expect("the section");
    let number = |cell: &str| -> f64 {
        let digits = numbers(cell).next().unwrap_or_else(|| panic!("no number: {cell}"));
        digits.replace(',', "").parse().expect("a number")
    };
    let rows = table.lines().filter(|row| row.starts_with("| E2 ") || row.starts_with("| holds "));
    let mut checked = 0;
    for row in rows {
        let cells = cells(row);
        let (bound, measured) = (number(cells[4]), number(cells[5]));
        assert!(measured <= bound, "{row}");
        let figure = numbers(cells[5]).next().expect("a figure");
        assert!(numbers(&benchmarks).any(|number| number == figure), "nowhere measured: {row}");
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
}
