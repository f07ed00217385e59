//! What is measured, against whom, and what is asked of it.

/// One line of the table.
pub(super) struct PeerWorkload {
    pub(super) group: WorkloadGroup,
    /// Its name within the group; `GROUP/NAME` is what a person types.
    pub(super) name: &'static str,
    /// What is run, for the table.
    pub(super) what: &'static str,
    pub(super) task: WorkloadTask,
    pub(super) targets: &'static [FigureTarget],
}

impl PeerWorkload {
    pub(super) fn full_name(&self) -> String {
        format!("{}/{}", self.group.name(), self.name)
    }
}

/// What belongs into one table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkloadGroup {
    Hashlife,
    Memory,
    Multistate,
    Plane,
    Torus,
    Radius,
    Edges,
    Threads,
    Loading,
    Census,
}

impl WorkloadGroup {
    pub(super) const ALL: [Self; 10] = [
        Self::Hashlife,
        Self::Memory,
        Self::Multistate,
        Self::Plane,
        Self::Torus,
        Self::Radius,
        Self::Edges,
        Self::Threads,
        Self::Loading,
        Self::Census,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Hashlife => "hashlife",
            Self::Memory => "memory",
            Self::Multistate => "multistate",
            Self::Plane => "plane",
            Self::Torus => "torus",
            Self::Radius => "radius",
            Self::Edges => "edges",
            Self::Threads => "threads",
            Self::Loading => "loading",
            Self::Census => "census",
        }
    }
}

/// Where the cells come from.
#[derive(Clone, Copy)]
pub(super) enum WorkloadStart {
    /// A file in the data folder's patterns.
    File(&'static str),
    /// A soup, half full, of so many columns and rows.
    Soup(u64),
}

/// Where rule files lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkloadRuleFiles {
    /// The rule needs none.
    None,
    /// Written by us.
    Own,
    /// The data folder's.
    Data,
}

/// What is run, and who else runs it.
#[derive(Clone, Copy)]
pub(super) enum WorkloadTask {
    /// Whole runs of a file through hashing, from the program's start to its end.
    Leap {
        file: &'static str,
        generations: u64,
        /// Golly's algorithm.
        algorithm: &'static str,
        lifelib: bool,
    },
    /// The same, with as much memory as it likes and with a quarter of that.
    Capped {
        file: &'static str,
        generations: u64,
    },
    /// Stepping alone, on the plane.
    Plane {
        start: WorkloadStart,
        generations: u64,
    },
    /// Cells a second of a soup on a torus.
    Torus {
        rule: &'static str,
        side: u64,
        states: u16,
        rules: WorkloadRuleFiles,
        /// Whether rows that rest cost us nothing: then ours runs as many generations as
        /// Golly, and no more.
        rests: bool,
        golly: Option<GollyWorkload>,
        lifelib: Option<LifelibWorkload>,
    },
    /// Cells a second of Life on a torus too large for a file, in vectors of so many bits.
    Narrow { side: u64, bits: u32 },
    /// Cells a second of Life with these edges, and on the plain torus.
    Edges { edges: &'static str, side: u64 },
    /// One thread and two.
    Threads(ThreadedTask),
    /// A file read, and its cells counted.
    Load { file: &'static str },
    /// Steps of one length and of another, with hashing.
    Steps {
        file: &'static str,
        generations: u64,
        even: u64,
        odd: u64,
    },
    /// Soups counted.
    Census {
        /// As lifelib writes it.
        rule: &'static str,
        soups: u64,
        /// Whether both are to find equally many objects.
        equal: bool,
    },
    /// Soups of Life, settled by readings and exactly.
    CensusExact { soups: u64 },
    /// Soups counted by us alone, and five times as many.
    CensusAlone { rule: &'static str, soups: u64 },
    /// Soups of Life counted by one thread and by two.
    CensusThreads { soups: u64 },
}

/// How Golly runs a soup on a torus.
#[derive(Clone, Copy)]
pub(super) struct GollyWorkload {
    pub(super) algorithm: &'static str,
    /// From the start: its cost follows what lives.
    pub(super) generations: u64,
}

/// How lifelib runs it.
#[derive(Clone, Copy)]
pub(super) struct LifelibWorkload {
    /// The rule as it writes it, and the bit planes of a cell; Life has tiles of its own.
    pub(super) rule: Option<(&'static str, u32)>,
    pub(super) generations: u64,
}

/// What two threads may share.
#[derive(Clone, Copy)]
pub(super) enum ThreadedTask {
    Leap {
        file: &'static str,
        generations: u64,
    },
    Plane {
        side: u64,
        generations: u64,
    },
    Torus {
        rule: &'static str,
        side: u64,
        states: u16,
    },
}

/// What is asked of the figures of a line. They have names: `ours`, `bgolly`, `lifelib`, and
/// what the task measures besides.
#[derive(Clone, Copy)]
pub(super) enum FigureTarget {
    /// Ours is so many times as fast.
    Times(&'static str, f64),
    /// A figure is at most this.
    Most(&'static str, f64),
    /// A figure is at least this.
    Least(&'static str, f64),
    /// A figure is at most so many times another.
    MostOf(&'static str, f64, &'static str),
    /// A figure is at least so many times another.
    LeastOf(&'static str, f64, &'static str),
    /// A figure is at most another and this.
    MostAbove(&'static str, &'static str, f64),
}

use FigureTarget::{Least, LeastOf, Most, MostAbove, MostOf, Times};

/// What is asked of the geometric mean of a group: how many times as fast as whom.
pub(super) const MEANS: [(WorkloadGroup, &str, f64); 2] = [
    (WorkloadGroup::Hashlife, "bgolly", 4.5),
    (WorkloadGroup::Hashlife, "lifelib", 5.0),
];

/// What a program may take beside what `--memory` counts: itself, the file as read, and the
/// pattern before it becomes a world.
const BESIDE: f64 = 64.0 * MIB;
const MIB: f64 = 1_048_576.0;
const GIGA: f64 = 1e9;

const fn leap(
    name: &'static str,
    what: &'static str,
    file: &'static str,
    log: u32,
) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Hashlife,
        name,
        what,
        task: WorkloadTask::Leap {
            file,
            generations: 1 << log,
            algorithm: "HashLife",
            lifelib: true,
        },
        targets: &[
            Times("bgolly", 1.0),
            Times("lifelib", 1.0),
            MostOf("ours peak", 0.6, "bgolly peak"),
        ],
    }
}

const fn census(
    name: &'static str,
    what: &'static str,
    rule: &'static str,
    soups: u64,
    equal: bool,
) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Census,
        name,
        what,
        task: WorkloadTask::Census { rule, soups, equal },
        targets: &[Times("apgluxe", 1.8), Most("ours peak", CENSUS_PEAK)],
    }
}

/// What a census takes at most, however long it is.
const CENSUS_PEAK: f64 = 200.0 * MIB;

const fn capped(
    name: &'static str,
    what: &'static str,
    file: &'static str,
    log: u32,
) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Memory,
        name,
        what,
        task: WorkloadTask::Capped {
            file,
            generations: 1 << log,
        },
        targets: &[
            MostOf("capped", 1.2, "ours"),
            MostAbove("capped peak", "cap", BESIDE),
        ],
    }
}

const fn multistate(
    name: &'static str,
    what: &'static str,
    file: &'static str,
    generations: u64,
) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Multistate,
        name,
        what,
        task: WorkloadTask::Leap {
            file,
            generations,
            algorithm: "RuleLoader",
            lifelib: false,
        },
        targets: &[Times("bgolly", 4.0)],
    }
}

const fn plane(
    name: &'static str,
    what: &'static str,
    start: WorkloadStart,
    generations: u64,
    targets: &'static [FigureTarget],
) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Plane,
        name,
        what,
        task: WorkloadTask::Plane { start, generations },
        targets,
    }
}

/// A soup on a torus that is run by whoever is named.
const fn torus(
    name: &'static str,
    rule: &'static str,
    (side, states): (u64, u16),
    golly: Option<GollyWorkload>,
    lifelib: Option<LifelibWorkload>,
    targets: &'static [FigureTarget],
) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Torus,
        name,
        what: rule,
        task: WorkloadTask::Torus {
            rule,
            side,
            states,
            rules: WorkloadRuleFiles::None,
            rests: false,
            golly,
            lifelib,
        },
        targets,
    }
}

/// A soup of a rule that is a table in a file; of large ones, rows may rest.
const fn table(
    name: &'static str,
    rule: &'static str,
    states: u16,
    (rules, rests): (WorkloadRuleFiles, bool),
    targets: &'static [FigureTarget],
) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Torus,
        name,
        what: rule,
        task: WorkloadTask::Torus {
            rule,
            side: 1024,
            states,
            rules,
            rests,
            golly: Some(golly("RuleLoader", 48)),
            lifelib: None,
        },
        targets,
    }
}

const fn golly(algorithm: &'static str, generations: u64) -> GollyWorkload {
    GollyWorkload {
        algorithm,
        generations,
    }
}

const fn lifelib(rule: &'static str, planes: u32, generations: u64) -> LifelibWorkload {
    LifelibWorkload {
        rule: Some((rule, planes)),
        generations,
    }
}

/// A soup of a rule of large radius.
const fn radius(name: &'static str, rule: &'static str, side: u64) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Radius,
        name,
        what: rule,
        task: WorkloadTask::Torus {
            rule,
            side,
            states: 2,
            rules: WorkloadRuleFiles::None,
            rests: false,
            golly: None,
            lifelib: None,
        },
        targets: &[],
    }
}

const fn narrow(
    name: &'static str,
    what: &'static str,
    bits: u32,
    targets: &'static [FigureTarget],
) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Torus,
        name,
        what,
        task: WorkloadTask::Narrow { side: 16384, bits },
        targets,
    }
}

const fn edges(name: &'static str, edges: &'static str) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Edges,
        name,
        what: edges,
        task: WorkloadTask::Edges { edges, side: 4096 },
        targets: &[LeastOf("ours", 2.0 / 3.0, "plain")],
    }
}

const fn threads(name: &'static str, what: &'static str, shared: ThreadedTask) -> PeerWorkload {
    PeerWorkload {
        group: WorkloadGroup::Threads,
        name,
        what,
        task: WorkloadTask::Threads(shared),
        targets: &[MostOf("two threads", 1.0 / 1.6, "one thread")],
    }
}

const BROKEN_LINES: &str = "golly/HashLife/Eventful/broken-lines.mc";
const JAGGED: &str = "golly/HashLife/Eventful/jagged.mc";
const TOTAL: &str = "golly/HashLife/Eventful/totalperiodic.mc";
const GALAXY: &str = "golly/HashLife/Metacell/metapixel-galaxy.mc.gz";
const WATERBEAR: &str = "gol_engines/very_large_patterns/waterbear.mc.gz";
const GEMINI: &str = "gol_engines/very_large_patterns/gemini.mc.gz";
const CATERPILLAR: &str = "gol_engines/very_large_patterns/caterpillar.mc.gz";

const LIFE: &str = "B3/S23";
const BOSCO: &str = "R5,C0,M1,S34..58,B34..45,NM";
/// 512 bits drawn at random; the first is clear, so that the plane stays empty.
const RANDOM_MAP: &str =
    "MAPJU3KGCUwux1tEyze1iN7LtkeP3IfyxlxF0SU1kk8nVw0YL4xIB5p/tqg7ui5mX9cfCmZ/a/lkyU81lSvTfrXFA";

const METHUSELAH: &[FigureTarget] = &[Times("lifelib", 1.5), Times("bgolly", 6.0)];
const SOON: &[FigureTarget] = &[Times("lifelib", 2.5)];
const LATE: &[FigureTarget] = &[Times("lifelib", 1.8)];
const FORTY: &[FigureTarget] = &[Least("ours", 40.0 * GIGA)];

#[rustfmt::skip]
pub(super) const WORKLOADS: &[PeerWorkload] = &[
    leap("broken-lines", "2^22 generations", BROKEN_LINES, 22),
    leap("jagged", "2^22 generations", JAGGED, 22),
    leap("totalperiodic", "2^20 generations", TOTAL, 20),
    leap("metapixel-galaxy", "2^22 generations", GALAXY, 22),
    leap("waterbear", "2^14 generations", WATERBEAR, 14),
    leap("gemini", "2^17 generations", GEMINI, 17),
    leap("caterpillar", "2^8 generations", CATERPILLAR, 8),
    capped("broken-lines", "2^22 generations", BROKEN_LINES, 22),
    capped("jagged", "2^22 generations", JAGGED, 22),
    capped("totalperiodic", "2^20 generations", TOTAL, 20),
    capped("metapixel-galaxy", "2^22 generations", GALAXY, 22),
    capped("waterbear", "2^14 generations", WATERBEAR, 14),
    capped("gemini", "2^17 generations", GEMINI, 17),
    capped("caterpillar", "2^8 generations", CATERPILLAR, 8),
    multistate("langtons-loops", "10,000 generations", "golly/Loops/Langtons-Loops.rle", 10_000),
    multistate("sdsr-loop", "10,000 generations", "golly/Loops/SDSR-Loop.rle", 10_000),
    multistate("wireworld-primes", "2^22 generations", "golly/WireWorld/primes.mc", 1 << 22),
    plane("soup-1024-soon", "1024 x 1024 soup to 1,000", WorkloadStart::Soup(1024), 1_000, &[]),
    plane("soup-1024-late", "1024 x 1024 soup to 10,000", WorkloadStart::Soup(1024), 10_000, &[]),
    plane("soup-2048-soon", "2048 x 2048 soup to 1,000", WorkloadStart::Soup(2048), 1_000, SOON),
    plane("soup-2048-late", "2048 x 2048 soup to 10,000", WorkloadStart::Soup(2048), 10_000, LATE),
    plane("52513m", "to 52,514", WorkloadStart::File("golly/Life/Methuselahs/52513m.rle"), 52_514, METHUSELAH),
    plane("justyna", "to 26,458", WorkloadStart::File("golly/Life/Methuselahs/justyna.rle"), 26_458, METHUSELAH),
    plane("natural-lwss", "to 23,334", WorkloadStart::File("golly/Life/Methuselahs/natural-LWSS.rle"), 23_334, METHUSELAH),
    torus(
        "life-4096",
        LIFE,
        (4096, 2),
        Some(golly("QuickLife", 1000)),
        Some(LifelibWorkload {
            rule: None,
            generations: 1000,
        }),
        &[Times("bgolly", 40.0), Times("lifelib", 4.5)],
    ),
    narrow("life-16384", "B3/S23, AVX-512", 512, &[Least("ours", 180.0 * GIGA)]),
    narrow("life-16384-avx2", "B3/S23, AVX2", 256, &[Least("ours", 80.0 * GIGA)]),
    narrow("life-16384-portable", "B3/S23, portable", 64, &[Least("ours", 30.0 * GIGA)]),
    torus("highlife", "B36/S23", (4096, 2), Some(golly("QuickLife", 200)), None, &[]),
    torus("hensel", "B2n3-y4c/S23-a4i", (4096, 2), Some(golly("QuickLife", 200)), None, &[]),
    torus("b0", "B03/S23", (4096, 2), Some(golly("QuickLife", 200)), None, &[]),
    torus("map", RANDOM_MAP, (4096, 2), Some(golly("QuickLife", 100)), None, &[]),
    torus("star-wars", "345/2/4", (1024, 2), Some(golly("Generations", 100)), Some(lifelib("g4b2s345", 3, 100)), &[Times("lifelib", 20.0), Times("bgolly", 800.0)]),
    torus("generations-8", "2/2/8", (4096, 8), None, None, FORTY),
    torus("generations-8-small", "2/2/8", (1024, 8), Some(golly("Generations", 100)), None, &[]),
    torus("extended", "extended", (4096, 2), None, None, FORTY),
    torus("weighted", "weighted", (4096, 2), None, None, FORTY),
    torus("bosco", BOSCO, (1024, 2), Some(golly("Larger than Life", 100)), Some(lifelib("r5b34t45s34t58", 1, 100)), &[Times("lifelib", 12.0), Times("bgolly", 30.0)]),
    torus("radius-8", "R8,C0,M1,S1..144,B1..144,NM", (1024, 2), Some(golly("Larger than Life", 50)), None, &[Times("bgolly", 30.0)]),
    table("wireworld", "WireWorld", 4, (WorkloadRuleFiles::Own, false), &[Times("bgolly", 500.0)]),
    table("langtons-loops", "Langtons-Loops", 8, (WorkloadRuleFiles::Data, true), &[Times("bgolly", 50.0)]),
    table("sdsr-loop", "SDSR-Loop", 9, (WorkloadRuleFiles::Data, true), &[Times("bgolly", 50.0)]),
    table("evoloop", "Evoloop", 9, (WorkloadRuleFiles::Data, true), &[Times("bgolly", 50.0)]),
    radius("moore-5", BOSCO, 4096),
    radius("moore-10", "R10,C0,M1,S123..212,B123..170,NM", 4096),
    radius("moore-50", "R50,C0,M1,S5101..10201,B5101..10201,NM", 4096),
    radius("neumann-5", "R5,C0,M1,S18..30,B18..24,NN", 4096),
    radius("neumann-50", "R50,C0,M1,S1500..2550,B1500..1980,NN", 4096),
    radius("circular-5", "R5,C0,M1,S27..46,B27..36,NC", 4096),
    radius("circular-50", "R50,C0,M1,S4011..8021,B4011..8021,NC", 4096),
    edges("klein-bottle", "K4096*,4096"),
    edges("cross-surface", "C4096,4096"),
    edges("sphere", "S4096"),
    edges("shifted", "T4096+1000,4096"),
    threads("gemini", "2^17 generations, hashlife", ThreadedTask::Leap { file: GEMINI, generations: 1 << 17 }),
    threads("caterpillar", "2^8 generations, hashlife", ThreadedTask::Leap { file: CATERPILLAR, generations: 1 << 8 }),
    threads("soup-4096", "4096 x 4096 soup to 1,000, tiles", ThreadedTask::Plane { side: 4096, generations: 1_000 }),
    threads("life-4096", "B3/S23 on a torus of 4096 x 4096", ThreadedTask::Torus { rule: LIFE, side: 4096, states: 2 }),
    threads("generations-8", "2/2/8 on a torus of 4096 x 4096", ThreadedTask::Torus { rule: "2/2/8", side: 4096, states: 8 }),
    threads("bosco", "Bosco's rule on a torus of 4096 x 4096", ThreadedTask::Torus { rule: BOSCO, side: 4096, states: 2 }),
    PeerWorkload {
        group: WorkloadGroup::Loading,
        name: "caterpillar",
        what: "2.9 MB of macrocell in gzip, read and counted",
        task: WorkloadTask::Load { file: CATERPILLAR },
        targets: &[Most("ours", 0.5)],
    },
    PeerWorkload {
        group: WorkloadGroup::Loading,
        name: "ark1-steps",
        what: "ark1 to 736,692 in steps of 4,096 and of 4,567",
        task: WorkloadTask::Steps {
            file: "golly/Life/Methuselahs/ark1.rle",
            generations: 736_692,
            even: 4096,
            odd: 4567,
        },
        targets: &[MostOf("odd", 5.0, "ours")],
    },
    census("life", "b3s23, 100,000 soups", "b3s23", 100_000, true),
    census("highlife", "b36s23, 300 soups, one of which grows", "b36s23", 300, false),
    census("isotropic", "b2n3s23-q, 50,000 soups", "b2n3s23-q", 50_000, false),
    PeerWorkload {
        group: WorkloadGroup::Census,
        name: "exact",
        what: "b3s23, 100,000 soups, settled by readings and exactly",
        task: WorkloadTask::CensusExact { soups: 100_000 },
        targets: &[MostOf("exact", 1.1, "ours")],
    },
    PeerWorkload {
        group: WorkloadGroup::Census,
        name: "generations",
        what: "23/3/6, 50,000 soups and 250,000: 5,000 a second at least, in steady memory",
        task: WorkloadTask::CensusAlone {
            rule: "23/3/6",
            soups: 50_000,
        },
        targets: &[
            Most("ours", 10.0),
            Most("five times peak", CENSUS_PEAK),
            MostOf("five times peak", 1.5, "ours peak"),
        ],
    },
    PeerWorkload {
        group: WorkloadGroup::Census,
        name: "long",
        what: "b3s23, 200,000 soups and 1,000,000: in steady memory",
        task: WorkloadTask::CensusAlone {
            rule: "b3s23",
            soups: 200_000,
        },
        targets: &[
            Most("five times peak", CENSUS_PEAK),
            MostOf("five times peak", 1.5, "ours peak"),
        ],
    },
    PeerWorkload {
        group: WorkloadGroup::Census,
        name: "threads",
        what: "b3s23, 200,000 soups by one thread and by two",
        task: WorkloadTask::CensusThreads { soups: 200_000 },
        targets: &[MostOf("two threads", 1.0 / 1.8, "one thread")],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_name_is_there_once() {
        let names: BTreeSet<String> = WORKLOADS.iter().map(PeerWorkload::full_name).collect();
        assert_eq!(names.len(), WORKLOADS.len());
    }

    #[test]
    fn each_group_has_workloads() {
        for group in WorkloadGroup::ALL {
            assert!(
                WORKLOADS.iter().any(|w| w.group == group),
                "{}",
                group.name()
            );
        }
    }
}
