//! Which units parts have. It knows no order: a unit that is there twice is compared and taken once.

use crate::{PartError, PartPlan, PartReader, UnitDigest, UnitSet, part_files};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// What takes each unit that is new, with its number.
pub type NewUnitVisitor<'v, P, E> =
    dyn for<'a> FnMut(u64, <P as PartPlan>::Unit<'a>) -> Result<(), E> + 'v;

/// The units of some parts, each with the file that it is in and its digest.
#[derive(Debug, Default)]
pub struct UnitIndex {
    files: Vec<PathBuf>,
    units: HashMap<u64, (u32, UnitDigest)>,
    faults: BTreeMap<u64, String>,
}

impl UnitIndex {
    /// Without a unit.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The units of all parts of a folder.
    ///
    /// # Errors
    /// A part cannot be read, is damaged or of another plan, or two have different results.
    pub fn of_folder<P: PartPlan>(folder: &Path, plan: &P) -> Result<Self, PartError> {
        let mut index = Self::new();
        for path in part_files(folder)? {
            index.add(&path, plan, &mut |_, _| Ok::<_, PartError>(()))?;
        }
        Ok(index)
    }

    /// Adds the units of a file, and hands over those that are new, with their numbers. Returns how
    /// many these are.
    ///
    /// # Errors
    /// The file cannot be read, is damaged or of another plan, or has another result for a unit; or
    /// what the visitor says.
    pub fn add<P: PartPlan, E: From<PartError>>(
        &mut self,
        path: &Path,
        plan: &P,
        visitor: &mut NewUnitVisitor<'_, P, E>,
    ) -> Result<usize, E> {
        let first = self.files.first().map(|path| path.display().to_string());
        let origin = first.as_deref().unwrap_or("the plan");
        let reader = PartReader::open(path, plan, origin)?;
        if !reader.has_plan() {
            return Ok(0);
        }
        self.files.push(path.into());
        let file = u32::try_from(self.files.len() - 1).expect("there are fewer files");
        let before = self.units.len();
        let reader = reader.visit(&mut |line| match self.units.entry(line.number) {
            Entry::Occupied(there) => match plan.is_repeatable() && there.get().1 != line.digest {
                true => Err(E::from(PartError::TwoResults {
                    unit: line.number,
                    name: plan.unit_name(line.number).unwrap_or_default(),
                    path: self.files[there.get().0 as usize].clone(),
                    other: path.display().to_string(),
                })),
                false => Ok(()),
            },
            Entry::Vacant(place) => {
                place.insert((file, line.digest));
                visitor(line.number, line.unit)
            }
        })?;
        for fault in reader.faults() {
            self.faults.insert(fault.number(), fault.problem().into());
        }
        Ok(self.units.len() - before)
    }

    /// Compares a unit that was done again with the part that has it.
    ///
    /// # Errors
    /// The results differ; the second file is called `this run`.
    pub fn compare<P: PartPlan>(
        &self,
        plan: &P,
        number: u64,
        digest: &UnitDigest,
    ) -> Result<(), PartError> {
        match self.units.get(&number) {
            Some((file, kept)) if kept != digest => Err(PartError::TwoResults {
                unit: number,
                name: plan.unit_name(number).unwrap_or_default(),
                path: self.files[*file as usize].clone(),
                other: "this run".into(),
            }),
            _ => Ok(()),
        }
    }

    /// The units that are there.
    #[must_use]
    pub fn units(&self) -> UnitSet {
        self.units.keys().copied().collect()
    }

    /// Whether a unit is there.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.units.contains_key(&number)
    }

    /// The units that no part has, of those that could not be done, and why.
    pub fn faults(&self) -> impl Iterator<Item = (u64, &str)> {
        let faults = self.faults.iter();
        let faults = faults.filter(|(number, _)| !self.units.contains_key(number));
        faults.map(|(number, problem)| (*number, problem.as_str()))
    }
}
