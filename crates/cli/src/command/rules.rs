//! `gridpaper rules`: the families and their notations, the named rules, one rule in words.

use crate::failure::CliFailure;
use crate::input;
use crate::output;
use crate::rule_file::RuleFolder;
use crate::table;
use clap::Args;
use engine::{EngineChoice, Options};
use pattern::Pattern;
use rule::{Rule, Topology};
use serde_json::{Value, json};
use source::rule_file::RuleFiles;
use std::fmt::Write as _;
use std::path::PathBuf;

/// List the rules that are known, or explain one
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// A rule's name, its text such as B36/S23, or the path of a .rule or .gridrule file;
    /// without it all rules are listed, those of files in the folders too
    name: Option<String>,

    #[command(flatten)]
    folder: RuleFolder,

    /// Tell too what moves the rule's cells on, in each engine
    #[arg(long, requires = "name")]
    explain: bool,

    /// Print the rule as a compute shader in WGSL, for its grid or one of 64 x 64 cells
    #[arg(long, requires = "name", conflicts_with_all = ["explain", "json"])]
    wgsl: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl RulesArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        if let Some(name) = &self.name {
            let rule = input::parse_rule(name, "RULE", &self.folder)?;
            if self.wgsl {
                return output::line(shaders(&rule)?.trim_end());
            }
            return explain(&rule, self.explain, self.json);
        }
        let files = self.folder.before(RuleFiles::for_user())?.all();
        if self.json {
            return output::line(list_json(&files));
        }
        output::to_stdout(|out| out.write_all(list_text(&files).as_bytes()))
    }
}

fn explain(rule: &Rule, with_kernels: bool, json: bool) -> Result<(), CliFailure> {
    let kernels = if with_kernels {
        kernels(rule)
    } else {
        Vec::new()
    };
    if json {
        let mut object = json!({
            "rule": rule.to_string(),
            "family": rule.family(),
            "states": rule.states(),
            "radius": rule.radius(),
            "description": rule.explain(),
        });
        if with_kernels {
            object["kernels"] = kernels.into_iter().collect();
        }
        return output::line(object);
    }
    let mut text = rule.explain().trim_end().to_string();
    for (engine, kernel) in kernels {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{engine:<9} {kernel}");
    }
    output::line(text)
}

/// The grid that engines are asked about which need one, where the rule has none of its own.
const SMALL_GRID: Topology = Topology::Torus {
    width: 64,
    height: 64,
    shift: None,
};

/// By engine: the kernel that it has for the rule, or why it does not take it.
fn kernels(rule: &Rule) -> Vec<(String, String)> {
    let is_asked = |engine: &EngineChoice| match engine {
        EngineChoice::Auto => false,
        EngineChoice::Gpu => engine::has_gpu(),
        _ => true,
    };
    let asked = EngineChoice::ALL.into_iter().filter(is_asked);
    let answer = |engine: EngineChoice| {
        let unbounded = *rule.topology() == Topology::Unbounded;
        let needs_grid = matches!(engine, EngineChoice::Torus | EngineChoice::Gpu);
        let rule = match needs_grid && unbounded {
            true => rule.with_topology(SMALL_GRID),
            false => rule.clone(),
        };
        let nothing = Pattern::default();
        let opened = engine::open(engine, &rule, &nothing, None, &Options::default());
        let kernel = match opened {
            Ok(opened) if opened.world.engine() == engine.name() => opened.world.kernel(),
            // another engine stands in, and this is why
            Ok(opened) => opened.engine_reason,
            Err(why) => why.to_string(),
        };
        (engine.to_string(), kernel)
    };
    asked.map(answer).collect()
}

/// The rule as shaders, one for each generation after which it repeats.
fn shaders(rule: &Rule) -> Result<String, CliFailure> {
    let rule = match rule.topology() {
        Topology::Unbounded => rule.with_topology(SMALL_GRID),
        _ => rule.clone(),
    };
    let shaders = gpu::RuleShaders::new(&rule).map_err(CliFailure::wrong)?;
    let texts = shaders.steps.into_iter().map(|program| program.text);
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

fn list_text(files: &[(String, PathBuf)]) -> String {
    let mut text = String::from("families\n");
    for family in rule::families() {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n  {}\n    {}\n    written  {}\n    example  {}\n",
            family.name, family.about, family.notation, family.example
        );
    }
    let named = rule::named_rules().iter();
    let named = named.map(|r| ["", r.name, r.rule, r.about].map(str::to_string));
    text.push_str("\nnamed rules\n\n");
    text.push_str(&table::aligned(named));
    if !files.is_empty() {
        text.push_str("\nrules in files\n\n");
        let files = files.iter();
        let files = files.map(|(name, path)| ["".into(), name.clone(), path.display().to_string()]);
        text.push_str(&table::aligned(files));
    }
    text
}

fn list_json(files: &[(String, PathBuf)]) -> Value {
    let families: Vec<Value> = rule::families()
        .iter()
        .map(|f| {
            json!({
                "name": f.name,
                "notation": f.notation,
                "example": f.example,
                "about": f.about,
            })
        })
        .collect();
    let named: Vec<Value> = rule::named_rules()
        .iter()
        .map(|r| json!({ "name": r.name, "rule": r.rule, "about": r.about }))
        .collect();
    let files: Vec<Value> = files
        .iter()
        .map(|(name, path)| json!({ "name": name, "file": path.to_string_lossy() }))
        .collect();
    json!({ "families": families, "rules": named, "files": files })
}
