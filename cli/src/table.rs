//! A table of text for a terminal. It must not know what it shows.

use std::fmt;

pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(heads: &[&str]) -> Table {
        Table {
            rows: vec![heads.iter().map(|head| (*head).to_owned()).collect()],
        }
    }

    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (i, row) in self.rows.iter().enumerate() {
            let line: Vec<String> = row
                .iter()
                .zip(&widths)
                .map(|(cell, &width)| format!("{cell:width$}"))
                .collect();
            writeln!(f, "{}", line.join("  ").trim_end())?;
            if i == 0 {
                writeln!(
                    f,
                    "{}",
                    widths
                        .iter()
                        .map(|&width| "-".repeat(width))
                        .collect::<Vec<_>>()
                        .join("  ")
                )?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&["a", "lane"]);
        table.row(["long cell", "x"]);
        assert_eq!(
            table.to_string(),
            "a          lane\n---------  ----\nlong cell  x\n"
        );
    }
}
