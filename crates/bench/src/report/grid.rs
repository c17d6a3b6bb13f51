//! The form of every table: names left, numbers right, and no lines between rows.

use std::iter;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// Lines above and below the head, and at the end.
const STYLE: TableStyle = TableStyle::new()
    .top_border(LineStyle::none().fill('─').junction('─'))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// Blanks between columns.
const NEAR: u16 = 1;
/// Blanks between groups of columns.
const FAR: u16 = 3;

/// A table whose first column has names.
pub(crate) struct Grid(Table);

impl Grid {
    /// An empty table with this head.
    pub(super) fn new(head: &[String]) -> Self {
        let mut table = Table::new();
        table
            .load_style(STYLE)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(head);
        for (at, column) in table.column_iter_mut().enumerate() {
            column.set_padding((if at == 0 { 0 } else { NEAR }, 0));
        }
        Self(table)
    }

    /// An empty table whose columns hold numbers, except the first.
    pub(crate) fn of_numbers(head: &[String]) -> Self {
        let mut grid = Self::new(head);
        for column in grid.0.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        grid
    }

    /// Adds a row: its name, then its cells.
    pub(crate) fn row(&mut self, name: &str, cells: impl IntoIterator<Item = String>) {
        self.0.add_row(iter::once(name.to_owned()).chain(cells));
    }

    /// Sets the columns of numbers apart, in groups of `size`.
    pub(super) fn grouped(mut self, size: usize) -> Self {
        for column in self.0.column_iter_mut().skip(1).step_by(size) {
            column.set_padding((FAR, 0));
        }
        self
    }

    /// The table below its title.
    pub(crate) fn titled(&self, title: &str) -> String {
        let table = self.0.to_string();
        let lines: Vec<&str> = table.lines().map(str::trim_end).collect();
        format!("\n{title}\n{}", lines.join("\n"))
    }
}
