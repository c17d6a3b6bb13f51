//! The file of results: machine, parameters, and every sample.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::machine::Machine;
use crate::stats::{Results, Series};

/// Everything about a run. The parameters of a single experiment stand by themselves. With several
/// experiments, parameters and results have the experiment's name.
pub(crate) struct Document<'a> {
    name: &'static str,
    machine: &'a Machine,
    parts: Vec<(&'static str, Value, Vec<Value>)>,
}

/// One metric of one subject at one number of threads.
#[derive(Serialize)]
struct Row<'a> {
    subject: &'static str,
    threads: usize,
    metric: &'static str,
    unit: &'static str,
    samples: &'a [f64],
    median: Option<f64>,
}

impl<'a> Document<'a> {
    /// A document of the run `name` without results yet.
    pub(crate) fn new(name: &'static str, machine: &'a Machine) -> Self {
        Self { name, machine, parts: Vec::new() }
    }

    /// Adds an experiment: its parameters, and an object for each row of its results.
    pub(crate) fn add(&mut self, name: &'static str, params: Value, rows: Vec<Value>) {
        self.parts.push((name, params, rows));
    }

    pub(crate) fn to_json(&self) -> Value {
        let single = self.parts.len() == 1;
        let params = match self.parts.as_slice() {
            [(_, params, _)] => params.clone(),
            parts => {
                let by_name =
                    |(name, params, _): &(&str, Value, _)| ((*name).to_owned(), params.clone());
                Value::Object(parts.iter().map(by_name).collect::<Map<_, _>>())
            }
        };
        let of_part = |(name, _, rows): &(&'static str, Value, Vec<Value>)| {
            let mut rows = rows.clone();
            if !single {
                for row in rows.iter_mut().filter_map(Value::as_object_mut) {
                    row.insert("experiment".to_owned(), json!(name));
                }
            }
            rows
        };
        let rows: Vec<Value> = self.parts.iter().flat_map(of_part).collect();
        json!({
            "machine": self.machine,
            "experiment": self.name,
            "params": params,
            "results": rows,
        })
    }
}

/// The samples of an experiment, as the file has them.
pub(crate) fn rows(results: &Results) -> Vec<Value> {
    let row = |series| serde_json::to_value(Row::new(series));
    let rows = results.series.iter().map(|series| row(series).expect("plain data is JSON"));
    rows.collect()
}

impl<'a> Row<'a> {
    fn new(series: &'a Series) -> Self {
        Self {
            subject: series.subject.name(),
            threads: series.threads,
            metric: series.metric.name(),
            unit: series.metric.unit(),
            samples: &series.samples,
            median: series.median(),
        }
    }
}

/// A file that was found writable before anything ran, and keeps its old content until there are
/// results. Where there was none, a run without results leaves none, even one that is killed.
pub(crate) struct JsonFile {
    path: PathBuf,
    /// The file, where there was one.
    file: Option<File>,
}

impl JsonFile {
    /// Opens the file. Where there is none, makes one and takes it away again.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let file = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => fs::remove_file(path).map(|()| None),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                OpenOptions::new().write(true).open(path).map(Some)
            }
            Err(error) => Err(error),
        };
        let unwritable = |source| Error::Unwritable { path: path.to_owned(), source };
        let file = file.map_err(unwritable)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Replaces the file's content.
    pub(crate) fn write(mut self, document: &Value) -> Result<(), Error> {
        let text = format!("{document:#}\n");
        let written = self.replace(&text);
        written.map_err(|source| Error::Unwritten { path: self.path, source })
    }

    fn replace(&mut self, text: &str) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return fs::write(&self.path, text);
        };
        // A pipe or a terminal has no length to cut.
        if file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        file.write_all(text.as_bytes())?;
        file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Metric, Reading};
    use crate::subjects::Subject;

    fn results(value: f64) -> Results {
        let mut results = Results::default();
        for value in [value, value + 1.0] {
            results.add(Subject::Std, 4, &[Reading { metric: Metric::Total, value }]);
        }
        results
    }

    #[test]
    fn document_of_one_experiment_keeps_each_sample() {
        let rows = rows(&results(1.0));
        insta::assert_snapshot!(serde_json::to_string(&rows).expect("rows"), @r#"[{"median":1.5,"metric":"total","samples":[1.0,2.0],"subject":"std","threads":4,"unit":"operations/s"}]"#);
    }

    #[test]
    fn file_keeps_its_contents_until_there_are_results() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.json");
        fs::write(&path, "old and long").expect("an old file");
        drop(JsonFile::open(&path).expect("a writable file"));
        assert_eq!(fs::read_to_string(&path).expect("still there"), "old and long");
        let mut file = JsonFile::open(&path).expect("a writable file");
        file.replace("new").expect("a write");
        assert_eq!(fs::read_to_string(&path).expect("still there"), "new");
    }

    #[test]
    fn file_is_made_when_there_are_results() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new.json");
        let file = JsonFile::open(&path).expect("a writable file");
        assert!(!path.exists());
        file.write(&json!([1])).expect("a write");
        assert!(path.exists());
    }

    #[test]
    fn file_in_no_directory_is_refused() {
        let error = JsonFile::open(Path::new("/no/such/place/x.json")).err().expect("an error");
        assert!(error.to_string().contains("cannot write /no/such/place/x.json"));
    }
}
