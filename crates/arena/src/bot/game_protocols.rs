//! The protocols of each game.

use super::contest::ContestLanguage;
use super::gomocup::GomocupLanguage;
use super::text::TextLanguage;
use super::{BotGame, Language, Protocol};
use games::duel::{Duel, DuelBoard};
use games::mnk::Mnk;
use games::stones::Stones;
use matches::TimeControl;
use players::PlayerFactory;

impl<const WORDS: usize> BotGame for Mnk<WORDS>
where
    Mnk<WORDS>: PlayerFactory,
{
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Gomocup, Protocol::Text];

    fn language(&self, protocol: Protocol) -> Box<dyn Language<Self>> {
        match protocol {
            Protocol::Gomocup => Box::new(GomocupLanguage::default()),
            _ => Box::new(TextLanguage::new()),
        }
    }
}

impl<B: DuelBoard> BotGame for Duel<B>
where
    Duel<B>: PlayerFactory,
{
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Contest, Protocol::Text];

    /// The contest's time control: one second for the first turn, then 50 ms.
    fn time_control(&self) -> TimeControl {
        TimeControl::from_millis(1000, 50)
    }

    fn language(&self, protocol: Protocol) -> Box<dyn Language<Self>> {
        match protocol {
            Protocol::Contest => Box::new(ContestLanguage::new()),
            _ => Box::new(TextLanguage::new()),
        }
    }
}

impl BotGame for Stones {
    fn language(&self, _: Protocol) -> Box<dyn Language<Self>> {
        Box::new(TextLanguage::new())
    }
}
