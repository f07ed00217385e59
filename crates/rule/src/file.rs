//! `.rule` files: rules that are tables or trees of their own, with names and colours for
//! their states.
//!
//! Tables and trees are both compiled to a [`LookupTable`], a decision tree that examines each
//! cell once. Matching the transitions one by one was rejected: a table of a few hundred of
//! them, each in eight orientations, takes microseconds a cell.
//!
//! Source: "Golly Help: File Formats", the section on .rule files.

mod appearance;
mod diagram;
mod error;
mod fold;
mod lookup;
mod neighbours;
mod node_table;
#[cfg(test)]
mod reference;
mod states;
mod table;
mod text;
mod tree;

pub(crate) use fold::NeighbourFold;

pub use appearance::{ColourEntry, RuleAppearance, RuleColour};
pub use error::{RuleFileError, RuleFileProblem};
pub use lookup::{LookupTable, LookupTree};

use crate::{Lattice, Rule, RuleDefinition, Topology, Transition, background};
use std::sync::Arc;
use text::RuleFileLine;

/// The family's name of rules from files.
pub(crate) const FAMILY: &str = "Rule file";

impl Rule {
    /// Reads the text of a `.rule` file, or the part of a pattern's file that starts with
    /// `@RULE`. The rule's own text is its name, as the first line has it.
    ///
    /// Of `@TABLE` and `@TREE` the first one counts, as does the first section of each
    /// other kind. Sections with other names are passed over.
    ///
    /// ```
    /// let text = "@RULE Snow\n@TABLE\nn_states:2\nneighborhood:Moore\n\
    ///             symmetries:permute\n0,1,0,0,0,0,0,0,0,1\n@NAMES\n1 flake";
    /// let snow = rule::Rule::from_file(text)?;
    /// assert_eq!(snow.to_string(), "Snow");
    /// assert_eq!(snow.next(rule::Site::default(), |dx, dy| u8::from((dx, dy) == (1, 1))), 1);
    /// assert_eq!(snow.appearance().and_then(|appearance| appearance.name(1)), Some("flake"));
    /// # Ok::<(), rule::RuleFileError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is not written as it should be, or an empty plane would not stay
    /// empty; a rule of two states may change all of it, see [`Rule::background`].
    pub fn from_file(text: &str) -> Result<Self, RuleFileError> {
        let name = rule_name(text)?;
        Self::from_file_called(name, text)
    }

    /// The same under another name: that of the file, which is how the rule is found
    /// again.
    ///
    /// # Errors
    /// As for [`Rule::from_file`].
    ///
    /// ```
    /// let text = "@RULE Snow\n@TABLE\nn_states:2\nneighborhood:Moore\n\
    ///             symmetries:permute\n0,1,0,0,0,0,0,0,0,1";
    /// assert_eq!(rule::Rule::from_file_called("Flakes", text)?.to_string(), "Flakes");
    /// # Ok::<(), rule::RuleFileError>(())
    /// ```
    pub fn from_file_called(name: &str, text: &str) -> Result<Self, RuleFileError> {
        rule_name(text)?;
        let sections = text::sections(text);
        let section = sections
            .iter()
            .find(|section| matches!(section.kind(), "@TABLE" | "@TREE"));
        let Some(section) = section else {
            let end = RuleFileLine {
                number: text.lines().count().max(1),
                text: "",
            };
            return Err(end.at("", RuleFileProblem::NoTable));
        };
        let (lookups, lattice) = if section.kind() == "@TREE" {
            (vec![vec![tree::read(section)?]], Lattice::Square)
        } else {
            let table = table::RuleFileTable::read(section)?;
            let lattice = table.neighbours.lattice();
            (diagram::compile(&table, section.head)?, lattice)
        };
        let states = lookups[0][0].states();
        let depends_on_parity =
            |tables: Vec<LookupTable>| tables.into_iter().map(Transition::Lookup);
        let tables = lookups
            .into_iter()
            .map(|time| depends_on_parity(time).collect());
        let tables: Vec<Vec<Transition>> = tables.collect();
        let mut becomes = tables.iter().flatten().map(|table| table.next(|_, _| 0));
        let changed = becomes.find(|&state| state != 0);
        let (tables, background) = match changed {
            None => (tables, vec![0]),
            Some(state) => {
                let cycle = (states == 2)
                    .then(|| background::find_cycle(&tables))
                    .flatten();
                let head = section.head;
                cycle.ok_or_else(|| head.at(head.text, RuleFileProblem::Background(state)))?
            }
        };
        let definition = RuleDefinition {
            text: name.to_string(),
            family: FAMILY,
            states,
            tables,
            lattice,
            background,
        };
        let rule = Self::new(definition, Topology::Unbounded);
        Ok(rule.with_appearance(RuleAppearance::of(&sections)?))
    }

    /// The names and colours of its states, if a file gives them.
    ///
    /// ```
    /// let life: rule::Rule = "Life".parse()?;
    /// assert!(life.appearance().is_none());
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn appearance(&self) -> Option<&RuleAppearance> {
        self.appearance.as_deref()
    }

    /// The same rule with names and colours for its states.
    ///
    /// ```
    /// use rule::{Rule, RuleAppearance};
    ///
    /// let names = RuleAppearance::read("@NAMES\n1 alive")?;
    /// let life = "Life".parse::<Rule>()?.with_appearance(names);
    /// assert_eq!(life.appearance().unwrap().name(1), Some("alive"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_appearance(mut self, appearance: RuleAppearance) -> Self {
        self.appearance = (!appearance.is_empty()).then(|| Arc::new(appearance));
        self
    }
}

/// The name that stands after `@RULE` in the first line of a `.rule` file.
///
/// # Errors
/// When the text does not start so.
///
/// ```
/// assert_eq!(rule::rule_name("@RULE Snow\n@TREE\n"), Ok("Snow"));
/// assert!(rule::rule_name("Snow").is_err());
/// ```
pub fn rule_name(text: &str) -> Result<&str, RuleFileError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().enumerate();
    let first = lines.find(|line| !line.1.trim().is_empty());
    let (i, first) = first.unwrap_or((0, ""));
    let line = RuleFileLine {
        number: i + 1,
        text: first,
    };
    let words = first.trim().strip_prefix("@RULE");
    let name = words.and_then(|rest| rest.split_whitespace().next());
    name.ok_or_else(|| line.expected(first, "@RULE and the rule's name"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Site;

    #[test]
    fn what_is_refused_and_where() {
        let table = |body: &str| format!("@RULE X\n@TABLE\n{body}");
        let tree = |body: &str| format!("@RULE X\n@TREE\n{body}");
        let rows = [
            (String::new(), "1:1: expected @RULE"),
            ("\n@TABLE\n".into(), "2:1: expected @RULE"),
            ("@RULE X\n\nno table".into(), "3:1: the file has neither"),
            (table("n_states:1"), "3:10: 1 states, expected 2 to 256"),
            (table("n_states: 257"), "3:11: 257 states"),
            (
                table("neighborhood:square"),
                "3:14: the neighbourhood `square`",
            ),
            (
                table("symmetries:rotate8"),
                "3:12: the symmetry `rotate8` does not go with vonNeumann, expected none,",
            ),
            (table("speed:3"), "3:1: expected n_states,"),
            (table("var a"), "3:5: expected a variable's name, ="),
            (table("var a={0,1"), "3:11: expected }"),
            (table("var a={}"), "3:8: expected at least one state"),
            (
                table("var a={0,8}"),
                "3:10: state 8 is not one of the 8 states",
            ),
            (
                table("var a={0}\nvar a={1}"),
                "4:5: the variable `a` has been",
            ),
            (table("0,1,é,0,0,1"), "3:5: `é` is no state"),
            (
                table("00000"),
                "3:1: the transition has 5 entries, vonNeumann takes 6",
            ),
            (
                table("0,0,0,0,1,1,2 # 7"),
                "3:13: the transition has 7 entries",
            ),
            (
                table("var a={1,2}\n1,0,0,0,0,a"),
                "4:11: the next state is `a`",
            ),
            (
                table("0,0,0,0,0,3"),
                "2:1: a cell of state 0 among cells of state 0 becomes 3",
            ),
            (tree("1 0 1"), "3:1: expected num_states="),
            (tree("num_states=2"), "3:1: expected num_states="),
            (tree("num_neighbors=6"), "3:15: 6 neighbours"),
            (
                tree("num_states=2\nnum_neighbors=4\n1 0"),
                "5:1: the node has 1 children",
            ),
            (
                tree("num_states=2\nnum_neighbors=4\n1 0 1 1"),
                "5:7: the node has 3 children",
            ),
            (
                tree("num_states=2\nnum_neighbors=4\n1 0 2"),
                "5:5: state 2 is not one",
            ),
            (
                tree("num_states=2\nnum_neighbors=4\n1 0 1\n2 0 1"),
                "6:5: node 1 does not",
            ),
            (
                tree("num_states=2\nnum_neighbors=4\n1 0 1\n3 0 0"),
                "6:3: node 0 has depth 1",
            ),
            (
                tree("num_states=2\nnum_neighbors=4\n1 0 1"),
                "5:1: node 0 has depth 1, expected 5",
            ),
            (
                tree("num_states=2\nnum_neighbors=4\nnum_nodes=3\n1 0 1"),
                "6:1: the tree has 1 nodes, its header tells 3",
            ),
            (
                table("@COLORS\n1 2 3"),
                "4:6: expected a state, red, green and blue",
            ),
            (
                table("@COLORS\n1 2 3 400"),
                "4:7: expected a part of a colour",
            ),
            (table("@NAMES\none 1"), "4:1: expected a state"),
        ];
        for (text, words) in rows {
            let error = Rule::from_file(&text).expect_err(&text).to_string();
            assert!(error.starts_with(words), "{error}\nof {text}");
        }
    }

    #[test]
    fn too_many_bindings_are_refused_in_time() {
        let mut text = String::from("@RULE X\n@TABLE\nn_states:256\nneighborhood:Moore\n");
        text += "symmetries:none\n";
        let all: Vec<String> = (0..256).map(|state| state.to_string()).collect();
        for name in ["a", "b", "c", "d"] {
            text += &format!("var {name}={{{}}}\n", all.join(","));
        }
        text += "a,a,b,b,c,c,d,d,d,a\n";
        let error = Rule::from_file(&text).expect_err("16 million transitions");
        assert!(error.to_string().contains("too many to hold"), "{error}");
    }

    #[test]
    fn both_forms_of_transitions_and_what_golly_takes_for_granted() {
        // eight states, von Neumann, rotate4, and a carriage return
        let text = "@RULE Own things\r\n@TABLE\r\n001002\r\nvar a={2,3} # x\r\n1 a 0 0 0 a\r\n";
        let rule = Rule::from_file(text).unwrap();
        assert_eq!((rule.to_string().as_str(), rule.states()), ("Own", 8));
        let next = |own: u8, east: u8| {
            rule.next(Site::default(), |dx, dy| match (dx, dy) {
                (0, 0) => own,
                (1, 0) => east,
                _ => 0,
            })
        };
        assert_eq!(
            [next(0, 1), next(1, 3), next(1, 4), next(0, 0)],
            [2, 3, 1, 0]
        );
        assert_eq!(rule.radius(), 1);
        assert!(
            rule.explain().contains("Rule file, 8 states"),
            "{}",
            rule.explain()
        );
    }

    #[test]
    fn a_tree_asks_the_cells_in_its_own_order() {
        // the state of the western neighbour
        let text = "@RULE West\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=9\n\
                    1 0 0\n1 1 1\n2 0 0\n2 1 1\n3 2 2\n3 3 3\n4 4 5\n5 6 6\n5 6 6\n";
        let rule = Rule::from_file(text).unwrap();
        let from = |x, y| rule.next(Site::default(), |dx, dy| u8::from((dx, dy) == (x, y)));
        assert_eq!(
            [from(-1, 0), from(0, -1), from(1, 0), from(0, 0)],
            [1, 0, 0, 0]
        );
    }

    /// Next states of random cells in random places, the same by both rules.
    fn same(one: &Rule, other: &Rule, period: u64) {
        assert_eq!(one.states(), other.states());
        let mut dice = dice::Dice::new(5);
        for generation in 0..period {
            assert_eq!(one.background(generation), other.background(generation));
            for place in 0..200 {
                let (x, y) = (place % 10 - 5, place / 10);
                let site = Site { generation, x, y };
                let cells = dice.word();
                let look = |dx: i32, dy: i32| (cells >> ((dx + 2) + 5 * (dy + 2)) & 1) as u8;
                assert_eq!(
                    one.next(site, look),
                    other.next(site, look),
                    "{one} {site:?} {cells:b}"
                );
            }
        }
    }

    #[test]
    fn tables_of_blocks_and_triangles_mean_the_rules_of_those_families() {
        let table = |header: &str, lines: &str| {
            let text = format!("@RULE X\n@TABLE\nn_states:2\n{header}\n{lines}");
            Rule::from_file(&text).unwrap_or_else(|e| panic!("{e} in {text}"))
        };
        let balls = table(
            "neighborhood:Margolus\nsymmetries:rotate4",
            "1,0,0,0 : 0,0,0,1\n0,1,1,0 : 1,0,0,1",
        );
        same(&balls, &"BBM".parse().unwrap(), 2);
        // a block is inverted unless two cells live, and one of three is turned by half too;
        // the empty block becomes full
        let critters = table(
            "neighborhood:Margolus\nsymmetries:rotate4",
            "0,0,0,0:1,1,1,1\n1,1,1,1:0,0,0,0\n1,0,0,0:0,1,1,1\n0,1,1,1:0,0,0,1",
        );
        let written = "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0";
        same(&critters, &written.parse().unwrap(), 2);
        let of_edges = table(
            "neighborhood:triangularVonNeumann\nsymmetries:permute\nvar a={0,1}",
            "a,1,1,0,1\n1,0,0,0,0",
        );
        same(&of_edges, &"B2/S123LE".parse().unwrap(), 1);
        let of_corners = table(
            "neighborhood:triangularMoore\nsymmetries:permute",
            "0,1,1,1,0,0,0,0,0,0,0,0,0,1\n1,1,0,0,0,0,0,0,0,0,0,0,0,0",
        );
        same(&of_corners, &"B3/S023456789xyzL".parse().unwrap(), 1);
        for (rule, words) in [
            (&balls, "blocks of 2 by 2"),
            (&of_corners, "turned by half"),
        ] {
            assert!(rule.explain().contains(words), "{}", rule.explain());
        }
    }

    #[test]
    fn two_states_may_fill_the_plane() {
        let text = "@RULE X\n@TABLE\nn_states:2\nneighborhood:Moore\nsymmetries:permute\n\
                    0,0,0,0,0,0,0,0,0,1\n0,1,1,1,0,0,0,0,0,1\n1,1,1,0,0,0,0,0,0,1\n\
                    1,1,1,1,0,0,0,0,0,1\nvar a={0,1}\nvar b={a}\nvar c={a}\nvar d={a}\n\
                    var e={a}\nvar f={a}\nvar g={a}\nvar h={a}\n1,a,b,c,d,e,f,g,h,0\n";
        let filled = Rule::from_file(text).unwrap();
        same(&filled, &"B03/S23".parse().unwrap(), 2);
        let still = text.replace(
            "0,0,0,0,0,0,0,0,0,1",
            "0,0,0,0,0,0,0,0,0,1\n1,1,1,1,1,1,1,1,1,1",
        );
        same(
            &Rule::from_file(&still).unwrap(),
            &"B03/S238".parse().unwrap(),
            1,
        );
        // what is not east of it
        let text = "@RULE East\n@TREE\nnum_states=2\nnum_neighbors=4\nnum_nodes=7\n\
                    1 1 1\n1 0 0\n2 0 0\n2 1 1\n3 2 3\n4 4 4\n5 5 5\n";
        let east = Rule::from_file(text).unwrap();
        let from = |generation, x, y| {
            let site = Site {
                generation,
                x: 0,
                y: 0,
            };
            east.next(site, |dx, dy| u8::from((dx, dy) == (x, y)))
        };
        assert_eq!([from(0, 1, 0), from(0, -1, 0), from(1, 1, 0)], [1, 0, 1]);
        assert_eq!([0, 1, 2].map(|g| east.background(g)), [0, 1, 0]);
    }

    #[test]
    fn names_colours_and_icons() {
        let text = "@RULE X\n@TABLE\n@NAMES\n# none\n0 nothing\n2 two words\n@COLORS\n\
                    0 1 2 3 paper\n255 0 0  0 0 255\n3 9 9 9\n@ICONS\ncircles\n@NAMES\n2 other";
        let rule = Rule::from_file(text).unwrap();
        let appearance = rule.appearance().unwrap();
        assert_eq!(
            (appearance.name(2), appearance.name(1)),
            (Some("two words"), None)
        );
        assert_eq!(appearance.colour(0, 8), Some([1, 2, 3]));
        assert_eq!(appearance.colour(1, 8), Some([255, 0, 0]));
        assert_eq!(appearance.colour(7, 8), Some([0, 0, 255]));
        assert_eq!(appearance.colour(3, 8), Some([9, 9, 9]));
        assert_eq!(appearance.icons.as_deref(), Some("circles"));
        let mut poor = RuleAppearance::read("@RULE X-shared\n@NAMES\n1 shared").unwrap();
        poor.fill_from(appearance.clone());
        assert_eq!((poor.name(1), poor.name(2)), (Some("shared"), None));
        assert_eq!(poor.colours, appearance.colours);
        assert!(
            Rule::from_file("@RULE X\n@TABLE")
                .unwrap()
                .appearance()
                .is_none()
        );
    }
}
