//! `gridpaper bot`: conformance checks for authors of bots, and built-in players as bots in
//! other arenas.

use crate::contest::{BotConditionArgs, GAMES, HOUSE, warn_uncaged};
use crate::failure::CliFailure;
use crate::output;
use arena::Entrant;
use arena::bot::{
    BotSpec, CheckStep, ExternalPlayer, FindingSeverity, Protocol, ServeError, check, serve,
};
use clap::{Args, Subcommand};
use games::AnyGame;
use serde_json::{Value, json};
use std::io::{self, LineWriter};
use std::time::Duration;

/// Check a bot of your own, or seat a player of this program in somebody else's arena
#[derive(Debug, Args)]
pub(crate) struct BotArgs {
    #[command(subcommand)]
    task: BotSubcommand,
}

#[derive(Debug, Subcommand)]
enum BotSubcommand {
    Check(BotCheckArgs),
    Sit(BotSitArgs),
}

impl BotArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        match self.task {
            BotSubcommand::Check(task) => task.run(),
            BotSubcommand::Sit(task) => task.run(),
        }
    }
}

/// Tell a bot's author whether the bot keeps the protocol
///
/// The bot is started as an arena would start it, and played with: whole games, and what does
/// not come up in most games. Each step says what was asked, what came back, and what is wrong
/// with it. The exit code is 1 where something loses games.
#[derive(Debug, Args)]
#[command(after_help = GAMES, override_usage = "gridpaper bot check [OPTIONS] <GAME> <CMD>...")]
struct BotCheckArgs {
    /// The game
    #[arg(value_name = "GAME")]
    game: AnyGame,

    /// The bot: a command with its arguments, or cmd:... as other commands have it. What
    /// follows is the bot's; options of this command stand before GAME
    #[arg(
        value_name = "CMD",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    command: Vec<String>,

    /// What it speaks, where not what the game's bots do: text, contest or gomocup
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol)]
    protocol: Option<Protocol>,

    /// Show every line that was said, not only where something is wrong
    #[arg(long)]
    verbose: bool,

    #[command(flatten)]
    bots: BotConditionArgs,

    /// Print one JSON object for each step instead
    #[arg(long)]
    json: bool,
}

/// Maximum number of lines shown per step.
const MOST_LINES: usize = 24;

impl BotCheckArgs {
    fn run(self) -> Result<(), CliFailure> {
        let mut spec = self.spec()?;
        spec.protocol = self.protocol.or(spec.protocol);
        warn_uncaged(self.bots.cage);
        let mut printed = Ok(());
        let mut counts = [0u32; 3];
        let worst = check(&self.game, &spec, &self.bots.conditions(), &mut |step| {
            for finding in &step.findings {
                counts[finding.severity as usize] += 1;
            }
            if printed.is_ok() {
                printed = match self.json {
                    true => output::line(in_json(step)),
                    false => self.tell(step),
                };
            }
        });
        let worst = worst.map_err(CliFailure::wrong)?;
        printed?;
        let [_, warnings, wrong] = counts;
        if worst == FindingSeverity::Wrong {
            let message =
                format!("{spec} departs from the protocol: {wrong} wrong, {warnings} to mind");
            return Err(CliFailure::No {
                message,
                hint: None,
            });
        }
        if self.json {
            return Ok(());
        }
        output::line(match warnings {
            0 => "it keeps the protocol".to_string(),
            1 => "it keeps the protocol; 1 thing to mind".into(),
            more => format!("it keeps the protocol; {more} things to mind"),
        })
    }

    /// Parses the bot: text that begins with `cmd:` or `cmd[` is a bot specification; anything
    /// else is a command.
    fn spec(&self) -> Result<BotSpec, CliFailure> {
        let is_text = |word: &String| word.starts_with("cmd:") || word.starts_with("cmd[");
        let text = match &self.command[..] {
            [text, more @ ..] if is_text(text) => {
                let more = shlex::try_join(more.iter().map(String::as_str));
                format!("{text} {}", more.map_err(CliFailure::wrong)?)
            }
            // a whole command in one word, as a shell would take it
            [text] => format!("cmd:{text}"),
            words => {
                let words = words.iter().map(String::as_str);
                let joined = shlex::try_join(words).map_err(CliFailure::wrong)?;
                format!("cmd:{joined}")
            }
        };
        text.parse().map_err(CliFailure::wrong)
    }

    fn tell(&self, step: &CheckStep) -> Result<(), CliFailure> {
        let time = match (step.spent, step.limit) {
            (Some(spent), Some(limit)) => {
                format!(", {:.2} of {} ms", milliseconds(spent), limit.as_millis())
            }
            (Some(spent), None) => format!(", {:.2} ms", milliseconds(spent)),
            _ => String::new(),
        };
        let severity = step.severity();
        let mut text = format!("{severity:7}  {}{time}\n", step.title);
        for finding in &step.findings {
            text += &format!("         {}: {}\n", finding.severity, finding.message);
        }
        if self.verbose || severity == FindingSeverity::Wrong {
            for (sign, lines) in [('>', &step.sent), ('<', &step.received)] {
                for line in lines.iter().take(MOST_LINES) {
                    text += &format!("         {sign} {line}\n");
                }
                if lines.len() > MOST_LINES {
                    let more = lines.len() - MOST_LINES;
                    text += &format!("         {sign} and {more} lines more\n");
                }
            }
        }
        output::to_stdout(|out| out.write_all(text.as_bytes()))
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn in_json(step: &CheckStep) -> Value {
    let findings = step
        .findings
        .iter()
        .map(|finding| json!({"verdict": finding.severity.to_string(), "words": finding.message}));
    json!({
        "title": step.title,
        "verdict": step.severity().to_string(),
        "said": step.sent,
        "heard": step.received,
        "ms": step.spent.map(milliseconds),
        "limit_ms": step.limit.map(milliseconds),
        "findings": findings.collect::<Vec<_>>(),
    })
}

/// Let a player of this program be a bot
///
/// It reads what the other arena says on standard input, and answers on standard output. The
/// protocol shows in the first line: this program's own, the duel contest's, or Gomocup's.
#[derive(Debug, Args)]
#[command(after_help = HOUSE)]
struct BotSitArgs {
    /// The player
    #[arg(value_name = "PLAYER")]
    player: String,

    /// The game, where the protocol does not tell all of its rules: column= and rules= of a
    /// duel, how many in a row win
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,

    /// What is spoken: text, contest or gomocup
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol)]
    protocol: Option<Protocol>,

    /// Where chance starts from, where the protocol does not tell
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

fn protocol(text: &str) -> Result<Protocol, String> {
    let known = Protocol::ALL.into_iter();
    let found = known.clone().find(|protocol| protocol.name() == text);
    found.ok_or_else(|| {
        let names: Vec<_> = known.map(Protocol::name).collect();
        format!("take {}", names.join(" or "))
    })
}

impl BotSitArgs {
    fn run(self) -> Result<(), CliFailure> {
        if let Ok(bot @ Entrant::Bot(_)) = self.player.parse() {
            let message = format!("{bot}: a bot sits where it is named, not here");
            return Err(CliFailure::wrong(message).with_hint(HOUSE.replace('\n', "; ")));
        }
        let external = ExternalPlayer {
            player: self.player,
            game: self.game,
            protocol: self.protocol,
            seed: self.seed,
        };
        let output = LineWriter::new(io::stdout().lock());
        serve(&external, io::stdin().lock(), output).map_err(|error| match error {
            ServeError::Io(error) => CliFailure::io("the other arena", &error),
            ServeError::Line { .. } => CliFailure::wrong(format_args!("standard input:{error}")),
            error => CliFailure::wrong(error),
        })
    }
}
