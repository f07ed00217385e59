//! `gridpaper search orphan`: cells that no pattern becomes, Gardens of Eden.

use super::{SearchDisplay, SearchOptions, SearchWords, SymmetryOption, sides, stopped};
use crate::argument::SizeArgument;
use crate::failure::CliFailure;
use crate::interrupt::InterruptGuard;
use crate::progress::LiveTerminalLines;
use census::StateBox;
use clap::Args;
use grid::Point;
use search::{AllowedStates, FoundPattern, OrphanAnswer, OrphanSearch, SearchFlow, count_parents};
use std::time::Instant;

/// Look for an orphan: cells that nothing becomes, so that every world with them is a Garden of
/// Eden
///
/// A beam search over targets, by the number of their parents. What is found is counted again,
/// exactly; where nothing is found, nothing is proven, and the exit code is 3.
#[derive(Debug, Args)]
pub(super) struct SearchOrphanArgs {
    /// The box, all of whose cells are decided: columns and rows
    #[arg(long, value_name = "WxH")]
    size: SizeArgument,

    /// How many targets are carried on at a time
    #[arg(long, value_name = "N", default_value_t = 64)]
    beam: usize,

    #[command(flatten)]
    symmetry: SymmetryOption,

    #[command(flatten)]
    options: SearchOptions,
}

impl SearchOrphanArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        self.options.refuse_for("a search for an orphan")?;
        if self.options.patterns() != 1 {
            let message = "--all and --limit: a search for an orphan ends with the first";
            return Err(CliFailure::wrong(message));
        }
        let (width, height) = sides(self.size)?;
        let rule = self.options.rule()?;
        let symmetry = self.symmetry.symmetry;
        let begun = Instant::now();
        let search = OrphanSearch::new(
            &rule,
            (width, height),
            symmetry,
            self.beam,
            self.options.seed,
        );
        let mut search = search.map_err(CliFailure::wrong)?;
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let mut watch = SearchDisplay::new(&self.options, begun);
        let answer = search.run(&mut |progress, state| {
            let partial = || {
                let cell = |index: u32| match state(index) {
                    None => '?',
                    Some(0) => '.',
                    Some(_) => 'o',
                };
                let rows = (0..height)
                    .map(|y| (0..width).map(|x| cell(y * width + x)).collect::<String>());
                rows.collect::<Vec<_>>().join("\n")
            };
            watch.show(&mut lines, "beam", progress, &partial);
            let goes_on = !interrupts.asked_to_stop()
                && watch.has_room()
                && progress.bytes <= self.options.memory.0;
            if goes_on {
                SearchFlow::Continue
            } else {
                SearchFlow::Stop
            }
        });
        lines.clear();
        let place = format!("{width} x {height}, {symmetry}, {rule}");
        match answer {
            OrphanAnswer::Found(states) => {
                let target: Vec<AllowedStates> = states
                    .iter()
                    .map(|&state| AllowedStates::only(state))
                    .collect();
                let parents = count_parents(&rule, width, &target).map_err(CliFailure::wrong)?;
                if parents != 0_u32.into() {
                    return Err(CliFailure::wrong(format_args!(
                        "what was found has {parents} parents"
                    )));
                }
                let cells = states.iter().zip(0_i64..).map(|(&state, index)| {
                    (
                        Point::new(index % i64::from(width), index / i64::from(width)),
                        state,
                    )
                });
                let cells: Vec<_> = cells.collect();
                let cells = StateBox::from_cells(cells.into_iter());
                let words = SearchWords {
                    kind: "orphan",
                    question: format!(
                        "search orphan: {place}; all {width} x {height} cells count, dead ones too"
                    ),
                    none: String::new(),
                    size: (width, height),
                    rule,
                    keeps_place: true,
                };
                let found = FoundPattern {
                    population: cells.population(),
                    cells,
                    ..FoundPattern::default()
                };
                self.options
                    .tell(&found, &words, begun.elapsed().as_secs_f64())
            }
            OrphanAnswer::NotFound => Err(CliFailure::limit(format_args!(
                "no orphan among the targets that were kept: {place}; that proves nothing, and a larger --beam or another --seed may find one"
            ))),
            OrphanAnswer::Stopped => {
                let message = watch.ended(None);
                Err(stopped(&interrupts, message))
            }
        }
    }
}
