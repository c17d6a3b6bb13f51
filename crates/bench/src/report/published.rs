//! The figures that the source documents give, to be shown beside ours.

/// A source's table.
pub(crate) struct Published {
    /// The description of its rows.
    pub(super) note: &'static str,
    pub(crate) rows: &'static [Row],
}

/// A row of a source's table: thousands of operations a second by number of threads.
pub(crate) struct Row {
    pub(super) label: &'static str,
    pub(crate) figures: &'static [(usize, f64)],
}

impl Row {
    /// The source's figure at this number of threads, in operations a second.
    pub(super) fn at(&self, threads: usize) -> Option<f64> {
        let figure = self.figures.iter().find(|(number, _)| *number == threads);
        figure.map(|&(_, kops)| kops * 1e3)
    }
}

/// The try-read patch: read-trylock with a load of 10.
pub(crate) const TRYLOCK: Published = Published {
    note: "the try-read patch: the kernel's rwsem, load 10; before: load first, after: CAS first",
    rows: &[
        Row {
            label: "kernel x86-64 before",
            figures: &[(1, 14_496.0), (2, 8_644.0), (4, 6_799.0), (8, 5_664.0)],
        },
        Row {
            label: "kernel x86-64 after",
            figures: &[(1, 14_716.0), (2, 8_453.0), (4, 6_983.0), (8, 7_190.0)],
        },
        Row {
            label: "kernel ARM64 before",
            figures: &[(1, 23_676.0), (2, 7_697.0), (4, 4_945.0), (8, 2_641.0)],
        },
        Row {
            label: "kernel ARM64 after",
            figures: &[(1, 24_488.0), (2, 9_502.0), (4, 3_440.0), (8, 1_603.0)],
        },
    ],
};

/// The whole-queue patch: equal numbers of readers and writers on 240 CPUs.
pub(crate) const MIXED: Published = Published {
    note: "the whole-queue patch: the kernel's rwsem on 8 sockets; before: batches of readers end at the \
           first writer, after: from the whole queue",
    rows: &[
        Row {
            label: "kernel before",
            figures: &[(4, 1_641.0), (8, 731.0), (16, 564.0), (32, 78.0), (64, 38.0), (240, 50.0)],
        },
        Row {
            label: "kernel after",
            figures: &[
                (4, 1_674.0),
                (8, 1_062.0),
                (16, 924.0),
                (32, 300.0),
                (64, 195.0),
                (240, 149.0),
            ],
        },
    ],
};
