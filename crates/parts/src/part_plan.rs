//! What a kind of work says of its plans and units.

use crate::UnitDigest;

/// A plan that work in parts is done by.
///
/// ```
/// use parts::{PartPlan, PlanMismatch, UnitLine, close_line, read_digested, text_digest};
///
/// /// Squares of numbers, a unit each.
/// struct Squares(u64);
///
/// impl Squares {
///     fn line_of(unit: u64) -> String {
///         close_line(format!("{{\"unit\":{unit},\"square\":{}}}", unit * unit)).0
///     }
/// }
///
/// impl PartPlan for Squares {
///     type Unit<'a> = u64;
///     const WORK: &'static str = "table of squares";
///
///     fn plan_line(&self) -> String {
///         format!("squares below {}", self.0)
///     }
///
///     fn plan_digest(&self) -> String {
///         text_digest(&self.plan_line())
///     }
///
///     fn plan_version(&self) -> &str {
///         "1"
///     }
///
///     fn compare_line(&self, line: &str) -> Result<(), PlanMismatch> {
///         let below = line.strip_prefix("squares below ").ok_or(PlanMismatch::Foreign)?;
///         match below == self.0.to_string() {
///             true => Ok(()),
///             false => Err(PlanMismatch::differs("number of squares", below, self.0)),
///         }
///     }
///
///     fn unit_name(&self, number: u64) -> Option<String> {
///         (number < self.0).then(|| format!("{number} times {number}"))
///     }
///
///     fn read_line<'a>(&self, line: &'a str) -> Result<UnitLine<u64>, &'static str> {
///         let (text, digest) = read_digested(line)?;
///         let text = text.strip_prefix("{\"unit\":").ok_or("it is no unit")?;
///         let (number, square) = text.split_once(",\"square\":").ok_or("it is no unit")?;
///         let read = |text: &str| text.parse().map_err(|_| "it is no number");
///         Ok(UnitLine { number: read(number)?, digest, unit: read(square)? })
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// let (plan, path) = (Squares(5), folder.path().join("1-of-1.gpart"));
/// let mut part = parts::PartFile::open(&path, &plan)?;
/// part.append(&Squares::line_of(3))?;
/// part.append(&Squares::line_of(4))?;
/// let mut sum = 0;
/// let mut index = parts::UnitIndex::new();
/// index.add(&path, &plan, &mut |_, square| Ok::<_, parts::PartError>(sum += square))?;
/// assert_eq!((sum, index.units().missing(5).to_string()), (25, "0-2".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PartPlan: 'static {
    /// A unit as its line says it.
    type Unit<'a>;

    /// The kind of work in one word: `census`.
    const WORK: &'static str;

    /// The first line of a part, without its end.
    fn plan_line(&self) -> String;

    /// The SHA-256 of that line, in hexadecimal digits.
    fn plan_digest(&self) -> String;

    /// The version of the program that the plan is for.
    fn plan_version(&self) -> &str;

    /// Compares with the first line of a part.
    ///
    /// # Errors
    /// It is no plan, or one of something else.
    fn compare_line(&self, line: &str) -> Result<(), PlanMismatch>;

    /// What a unit is, in words, where the plan has such a one.
    fn unit_name(&self, number: u64) -> Option<String>;

    /// Reads a line without its end.
    ///
    /// # Errors
    /// It is not exactly the line of a unit of this plan.
    fn read_line<'a>(&self, line: &'a str) -> Result<UnitLine<Self::Unit<'a>>, &'static str>;

    /// Whether a unit has the same result wherever it is done; else the first one is taken.
    fn is_repeatable(&self) -> bool {
        true
    }
}

/// A unit that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitLine<U> {
    /// Its number in the plan.
    pub number: u64,
    /// Equal for equal results alone.
    pub digest: UnitDigest,
    /// What it says.
    pub unit: U,
}

/// How the first line of a part does not fit a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanMismatch {
    /// It is no plan of this kind of work.
    Foreign,
    /// It is another plan.
    Differs {
        /// What differs first: `rule`.
        what: String,
        /// Its value in the line.
        kept: String,
        /// Its value in the plan.
        wanted: String,
    },
}

impl PlanMismatch {
    /// Another plan: what differs, its value in the line, its value in the plan.
    ///
    /// ```
    /// use parts::PlanMismatch;
    ///
    /// let mismatch = PlanMismatch::differs("number of soups", 10, 20);
    /// assert!(matches!(mismatch, PlanMismatch::Differs { kept, .. } if kept == "10"));
    /// ```
    #[must_use]
    pub fn differs(what: &str, kept: impl ToString, wanted: impl ToString) -> Self {
        Self::Differs {
            what: what.into(),
            kept: kept.to_string(),
            wanted: wanted.to_string(),
        }
    }
}
