//! Just enough linear algebra for a fit: symmetric positive definite matrices, dense.

/// How many rows are worked on together: 32 of a thousand numbers fill 256 KiB.
const BLOCK: usize = 32;

/// The rows from 0 to `size`, cut into blocks.
fn blocks(size: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..size)
        .step_by(BLOCK)
        .map(move |start| start..(start + BLOCK).min(size))
}

/// A square matrix, row after row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DenseMatrix {
    pub(super) size: usize,
    cells: Vec<f64>,
}

impl DenseMatrix {
    pub(super) fn zero(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.size + j]
    }

    pub(super) fn add(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.size + j] += value;
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.size..(i + 1) * self.size]
    }

    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.cells[i * self.size..(i + 1) * self.size]
    }

    /// Two rows, the second of them to be changed. `i` is not `j`.
    fn rows(&mut self, i: usize, j: usize) -> (&[f64], &mut [f64]) {
        let n = self.size;
        if i < j {
            let (head, tail) = self.cells.split_at_mut(j * n);
            (&head[i * n..(i + 1) * n], &mut tail[..n])
        } else {
            let (head, tail) = self.cells.split_at_mut(i * n);
            (&tail[..n], &mut head[j * n..(j + 1) * n])
        }
    }

    /// The inverse of a symmetric positive definite matrix.
    ///
    /// Cholesky's factor `L` with `L Lᵀ` the matrix, its inverse `K`, and then `Kᵀ K`. All
    /// loops run along rows, which is what the processor's wide registers want, and take
    /// [`BLOCK`] rows at a time to every other row, which is what its caches want.
    pub(super) fn inverse(mut self) -> Self {
        let n = self.size;
        // the upper triangle becomes Lᵀ, row by row
        for block in blocks(n) {
            for k in block.clone() {
                let pivot = self.at(k, k);
                debug_assert!(pivot > 0.0, "the matrix is not positive definite");
                let scale = 1.0 / pivot.sqrt();
                for cell in &mut self.row_mut(k)[k..] {
                    *cell *= scale;
                }
                for i in k + 1..block.end {
                    self.eliminate(k, i);
                }
            }
            for i in block.end..n {
                block.clone().for_each(|k| self.eliminate(k, i));
            }
        }
        // K = L⁻¹, lower triangular: K's row i is (e_i - sum of L[i][k] K[k]) / L[i][i]
        let mut lower = Self::zero(n);
        for block in blocks(n) {
            for i in block.start..n {
                for k in block.start..i.min(block.end) {
                    let (known, row) = lower.rows(k, i);
                    axpy(-self.at(k, i), &known[..=k], &mut row[..=k]);
                }
                if block.contains(&i) {
                    lower.add(i, i, 1.0);
                    let scale = 1.0 / self.at(i, i);
                    for cell in &mut lower.row_mut(i)[..=i] {
                        *cell *= scale;
                    }
                }
            }
        }
        let mut inverse = Self::zero(n);
        for block in blocks(n) {
            for i in 0..block.end {
                for k in block.start.max(i)..block.end {
                    let row = lower.row(k);
                    axpy(row[i], &row[..=i], &mut inverse.row_mut(i)[..=i]);
                }
            }
        }
        inverse.mirrored()
    }

    /// Takes the multiple of row `k` from row `i` that Cholesky's method wants.
    fn eliminate(&mut self, k: usize, i: usize) {
        let (upper, row) = self.rows(k, i);
        axpy(-upper[i], &upper[i..], &mut row[i..]);
    }

    /// `A B A` for this matrix `A` and another `B`, both symmetric.
    pub(super) fn around(&self, middle: &Self) -> Self {
        let n = self.size;
        let mut product = Self::zero(n);
        for block in blocks(n) {
            for i in 0..n {
                for k in block.clone() {
                    axpy(middle.at(i, k), self.row(k), product.row_mut(i));
                }
            }
        }
        let mut around = Self::zero(n);
        for block in blocks(n) {
            for i in 0..n {
                for k in block.clone() {
                    let from = &product.row(k)[..=i];
                    axpy(self.at(i, k), from, &mut around.row_mut(i)[..=i]);
                }
            }
        }
        around.mirrored()
    }

    /// Multiplies every cell.
    pub(super) fn scale(&mut self, factor: f64) {
        self.cells.iter_mut().for_each(|cell| *cell *= factor);
    }

    /// Copies the lower triangle to the upper one.
    fn mirrored(mut self) -> Self {
        for i in 0..self.size {
            for j in 0..i {
                self.cells[j * self.size + i] = self.cells[i * self.size + j];
            }
        }
        self
    }

    /// Takes `factor * column columnᵀ` away.
    pub(super) fn lessen(&mut self, factor: f64, column: &[f64]) {
        for (i, &value) in column.iter().enumerate() {
            axpy(-factor * value, column, self.row_mut(i));
        }
    }
}

/// Adds a multiple of one row to another.
fn axpy(factor: f64, from: &[f64], to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    fn random(size: usize, dice: &mut Dice) -> DenseMatrix {
        let mut matrix = DenseMatrix::zero(size);
        for i in 0..size {
            matrix.add(i, i, size as f64);
            for j in 0..=i {
                let value = dice.unit() - 0.5;
                matrix.add(i, j, value);
                matrix.add(j, i, value);
            }
        }
        matrix
    }

    fn product(a: &DenseMatrix, b: &DenseMatrix) -> DenseMatrix {
        let mut product = DenseMatrix::zero(a.size);
        for i in 0..a.size {
            for j in 0..a.size {
                let cell = (0..a.size).map(|k| a.at(i, k) * b.at(k, j)).sum();
                product.add(i, j, cell);
            }
        }
        product
    }

    fn distance(a: &DenseMatrix, b: &DenseMatrix) -> f64 {
        let gaps = a.cells.iter().zip(&b.cells).map(|(a, b)| (a - b).abs());
        gaps.fold(0.0, f64::max)
    }

    #[test]
    fn an_inverse_undoes_and_a_sandwich_is_two_products() {
        let mut dice = Dice::new(1);
        for size in [1, 2, 3, 31, 32, 33, 70] {
            let (a, b) = (random(size, &mut dice), random(size, &mut dice));
            let mut one = DenseMatrix::zero(size);
            (0..size).for_each(|i| one.add(i, i, 1.0));
            assert!(distance(&product(&a, &a.clone().inverse()), &one) < 1e-12);
            let slow = product(&product(&a, &b), &a);
            assert!(distance(&a.around(&b), &slow) < 1e-9 * (size * size * size) as f64);
        }
    }

    #[test]
    fn a_matrix_is_lessened_by_a_column_and_its_transpose() {
        let mut matrix = DenseMatrix::zero(2);
        matrix.lessen(2.0, &[3.0, 5.0]);
        assert_eq!(matrix.cells, [-18.0, -30.0, -30.0, -50.0]);
    }
}
