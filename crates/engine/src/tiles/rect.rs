use std::ops::Range;

/// A rectangle of a tile's cells; empty when `right <= left` or `bottom <= top`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TileRect {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

impl TileRect {
    /// All cells of a tile.
    pub(super) fn whole((wide, tall): (i32, i32)) -> Self {
        Self {
            left: 0,
            top: 0,
            right: wide,
            bottom: tall,
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    /// The least that holds both.
    pub(super) fn join(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// What lies in both.
    pub(super) fn meet(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    pub(super) fn grown(self, by: i32) -> Self {
        Self {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    pub(super) fn moved(self, dx: i32, dy: i32) -> Self {
        Self {
            left: self.left + dx,
            top: self.top + dy,
            right: self.right + dx,
            bottom: self.bottom + dy,
        }
    }

    /// Columns, of one that is not empty.
    pub(super) fn width(self) -> usize {
        (self.right - self.left) as usize
    }

    /// Rows, of one that is not empty.
    pub(super) fn height(self) -> usize {
        (self.bottom - self.top) as usize
    }

    pub(super) fn rows(self) -> Range<i32> {
        self.top..self.bottom
    }

    /// Of a part of a tile.
    pub(super) fn columns(self) -> Range<usize> {
        self.left as usize..self.right as usize
    }
}
