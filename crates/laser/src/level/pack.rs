//! The text that a pack of graded levels is kept in: each level with the recipe that makes
//! it again.
//!
//! ```text
//! # easy-07
//! # 3 pieces on 7 x 6, solved in 3 moves
//! # recipe size=7x6 pieces=3 walls=15 seed=1234
//! # proof moves=3 nodes=215
//! 7 6
//! W W W SvW W W
//! ...
//! ```
//!
//! Paragraphs are separated by blank lines, and one that has only `#` lines is a comment. A
//! level opens with four such lines: its name, which begins with its grade; a line for people;
//! the recipe; the result of the proof that it has one solution: the fewest moves, and the
//! choices that the solver tried when the pack was made.

use crate::board::Board;
use crate::format::{LevelFileError, counted};
use crate::generator::{GeneratedLevel, Grade, LevelRecipe, ProofEffort};
use std::str::FromStr;
use thiserror::Error;

/// A level of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackLevel<'a> {
    /// Its name: its grade, a dash and a number.
    pub name: &'a str,
    /// A line for people.
    pub purpose: &'a str,
    /// How hard it is, by its name.
    pub grade: Grade,
    /// What makes it again.
    pub recipe: LevelRecipe,
    /// The fewest moves in which it can be solved.
    pub moves: u32,
    /// Choices that the solver tried to prove that it has one solution, when it was made.
    pub nodes: u64,
    /// The level as a file has it.
    pub text: &'a str,
    /// The level.
    pub board: Board,
}

impl PackLevel<'_> {
    /// What its grade is taken from.
    ///
    /// ```
    /// let pack = laser::level::graded();
    /// assert!(pack.iter().all(|level| level.effort().pieces == level.recipe.pieces.number()));
    /// ```
    #[must_use]
    pub fn effort(&self) -> ProofEffort {
        ProofEffort {
            nodes: self.nodes,
            pieces: self.recipe.pieces.number(),
        }
    }
}

/// Why a text is no pack, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct PackError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: PackProblem,
}

/// What can be wrong with a pack.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackProblem {
    /// Another line, or none, where a level's head goes on.
    #[error("expected `{0}`")]
    Expected(&'static str),
    /// A field that says what it cannot say.
    #[error("`{field}` cannot be `{value}`")]
    Value {
        /// The field's name.
        field: &'static str,
        /// What stands there.
        value: String,
    },
    /// The level cannot be read; its own lines are counted from its size.
    #[error("{0}")]
    Level(LevelFileError),
}

/// Reads a pack.
///
/// # Errors
/// When a paragraph is neither a comment nor a level with its header.
///
/// ```
/// use laser::level::pack::read;
///
/// let head = "# easy-01\n# one mirror\n# recipe size=4x3 pieces=1 walls=0 seed=1\n";
/// let proof = "# proof moves=1 nodes=2\n";
/// let text = format!("{head}{proof}4 3\nW W SvW\nL>. . W\nW M/W W\n");
/// let levels = read(&text).expect("a pack of one");
/// assert_eq!((levels[0].name, levels[0].moves), ("easy-01", 1));
/// ```
pub fn read(text: &str) -> Result<Vec<PackLevel<'_>>, PackError> {
    let mut packed = Vec::new();
    let (mut begin, mut end, mut first) = (0, 0, 1);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if line.trim().is_empty() {
            packed.extend(level(first, &text[begin..end])?);
            begin = end + line.len();
            first = index + 2;
        }
        end += line.len();
    }
    packed.extend(level(first, &text[begin..end])?);
    Ok(packed)
}

/// The level of a paragraph that begins at line `first`; none in a comment.
fn level(first: usize, paragraph: &str) -> Result<Option<PackLevel<'_>>, PackError> {
    if paragraph.lines().all(|line| line.starts_with('#')) {
        return Ok(None);
    }
    let mut head = PackHeader {
        line: first,
        rest: paragraph,
    };
    let name = head.next("# grade-number")?;
    let grade = name
        .rsplit_once('-')
        .and_then(|(grade, _)| grade.parse().ok());
    let grade = grade.ok_or(PackError {
        line: first,
        problem: PackProblem::Expected("# grade-number"),
    })?;
    let purpose = head.next("# a line for people")?;
    let recipe = head.fields("recipe", ["size", "pieces", "walls", "seed"])?;
    let size = recipe.read(0, |size| {
        let (width, height) = size.split_once('x')?;
        Some((width.parse().ok()?, height.parse().ok()?))
    })?;
    let recipe = LevelRecipe {
        width: size.0,
        height: size.1,
        pieces: recipe.parse(1)?,
        walls: recipe.parse(2)?,
        seed: recipe.parse(3)?,
        difficulty: None,
    };
    let proof = head.fields("proof", ["moves", "nodes"])?;
    let (moves, nodes) = (proof.parse(0)?, proof.parse(1)?);
    let PackHeader { line, rest: text } = head;
    let board = text.parse().map_err(|error| PackError {
        line,
        problem: PackProblem::Level(error),
    })?;
    Ok(Some(PackLevel {
        name,
        purpose,
        grade,
        recipe,
        moves,
        nodes,
        text,
        board,
    }))
}

/// The lines before a level, taken one by one.
struct PackHeader<'a> {
    /// The number of the next one.
    line: usize,
    rest: &'a str,
}

impl<'a> PackHeader<'a> {
    /// The next line without its mark.
    fn next(&mut self, expected: &'static str) -> Result<&'a str, PackError> {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        let Some(words) = line.strip_prefix('#') else {
            return Err(PackError {
                line: self.line,
                problem: PackProblem::Expected(expected),
            });
        };
        self.line += 1;
        self.rest = rest;
        Ok(words.trim())
    }

    /// The next line as `word`, and then a value for each name, in this order.
    fn fields<const N: usize>(
        &mut self,
        word: &'static str,
        names: [&'static str; N],
    ) -> Result<PackFields<'a, N>, PackError> {
        let line = self.line;
        let wrong = |expected| PackError {
            line,
            problem: PackProblem::Expected(expected),
        };
        let mut words = self.next(word)?.split_whitespace();
        if words.next() != Some(word) {
            return Err(wrong(word));
        }
        let mut values = [""; N];
        for (value, name) in values.iter_mut().zip(names) {
            let field = words.next().and_then(|field| field.split_once('='));
            *value = match field {
                Some((found, value)) if found == name => value,
                _ => return Err(wrong(name)),
            };
        }
        match words.next() {
            Some(_) => Err(wrong("the end of the line")),
            None => Ok(PackFields {
                line,
                names,
                values,
            }),
        }
    }
}

/// What a line of fields says.
struct PackFields<'a, const N: usize> {
    line: usize,
    names: [&'static str; N],
    values: [&'a str; N],
}

impl<const N: usize> PackFields<'_, N> {
    fn parse<T: FromStr>(&self, index: usize) -> Result<T, PackError> {
        self.read(index, |value| value.parse().ok())
    }

    fn read<T>(&self, index: usize, read: impl Fn(&str) -> Option<T>) -> Result<T, PackError> {
        read(self.values[index]).ok_or_else(|| PackError {
            line: self.line,
            problem: PackProblem::Value {
                field: self.names[index],
                value: self.values[index].to_string(),
            },
        })
    }
}

/// Writes a level of a pack as [`read`] reads it.
///
/// ```
/// use laser::generator::{LevelRecipe, Pieces, generate};
/// use laser::level::pack::{read, write};
///
/// let recipe = LevelRecipe {
///     width: 6,
///     height: 6,
///     pieces: Pieces::Number(2),
///     walls: 20,
///     seed: 7,
///     difficulty: None,
/// };
/// let made = generate(&recipe, &mut |_| true)?;
/// let text = write("easy-01", &recipe, &made);
/// assert_eq!(read(&text)?[0].board, made.board);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write(name: &str, recipe: &LevelRecipe, made: &GeneratedLevel) -> String {
    let LevelRecipe {
        width,
        height,
        pieces,
        walls,
        seed,
        ..
    } = recipe;
    let GeneratedLevel {
        board,
        moves,
        effort,
        ..
    } = made;
    let nodes = effort.nodes;
    let number = counted(pieces.number(), "piece");
    let way = counted(*moves, "move");
    format!(
        "# {name}\n\
         # {number} on {width} x {height}, solved in {way}\n\
         # recipe size={width}x{height} pieces={pieces} walls={walls} seed={seed}\n\
         # proof moves={moves} nodes={nodes}\n\
         {board}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# talk\n\n# easy-01\n# 1 piece\n# recipe size=5x4 pieces=1 walls=0 seed=7\n\
                        # proof moves=1 nodes=9\n5 4\nW W SvW W\nWM/. . W\nL>. . . W\nW W W W W\n\n";

    #[test]
    fn a_level_is_read_with_its_head() {
        let packed = read(GOOD).unwrap();
        assert_eq!(packed.len(), 1);
        let PackLevel {
            name,
            grade,
            moves,
            nodes,
            ref recipe,
            ..
        } = packed[0];
        assert_eq!((name, grade, moves, nodes), ("easy-01", Grade::Easy, 1, 9));
        assert_eq!((recipe.width, recipe.height, recipe.seed), (5, 4, 7));
        assert_eq!(packed[0].board, packed[0].text.parse().unwrap());
        assert!(packed[0].text.starts_with("5 4\n"));
        let twice = format!("{GOOD}\n{}", GOOD.trim_end());
        assert_eq!(read(&twice).unwrap().len(), 2);
        assert_eq!(read("").unwrap(), []);
    }

    #[test]
    fn a_wrong_head_is_said_with_its_line() {
        for (from, to, words) in [
            (
                "# easy-01",
                "# tricky-01",
                "line 3: expected `# grade-number`",
            ),
            ("# 1 piece\n", "", "line 5: expected `recipe`"),
            ("size=5x4", "size=5", "line 5: `size` cannot be `5`"),
            ("size=5x4 ", "", "line 5: expected `size`"),
            ("pieces=1", "pieces=1Q", "line 5: `pieces` cannot be `1Q`"),
            (
                "seed=7",
                "seed=7 more",
                "line 5: expected `the end of the line`",
            ),
            ("nodes=9", "nodes=-9", "line 6: `nodes` cannot be `-9`"),
            ("# proof moves=1 nodes=9\n", "", "line 6: expected `proof`"),
            ("L>. ", "L?. ", "line 7: 4:2: "),
        ] {
            let text = GOOD.replace(from, to);
            let error = read(&text).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
