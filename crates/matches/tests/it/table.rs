//! People and players at a table.

use games::{AnyGame, MoveError, Outcome, Seat, Turn, with_game};
use matches::{BuiltinPlayer, Side, Table, TableError, new_table};
use players::Clock;

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

fn table_of(game: &str, players: [Option<&str>; 2], seed: u64) -> Box<dyn Table> {
    let game: AnyGame = game.parse().unwrap();
    with_game!(game, |game| {
        let sides = players.map(|name| -> Option<Box<dyn Side<_>>> {
            let player = players::open(&game, name?, &Clock::system()).unwrap();
            Some(Box::new(BuiltinPlayer::new(player, Clock::system())))
        });
        new_table(game, sides, Clock::system(), seed)
    })
}

fn people(game: &str) -> Box<dyn Table> {
    table_of(game, [None, None], 0)
}

#[test]
fn two_people_play_to_the_end() {
    let mut table = people("tictactoe");
    for (seat, text) in [
        (FIRST, "B2"),
        (SECOND, "a1"),
        (FIRST, " c1 "),
        (SECOND, "B1"),
    ] {
        let written = table.play(seat, text).unwrap();
        assert_eq!(written, text.trim().to_uppercase());
    }
    assert_eq!(table.play(FIRST, "A3").unwrap(), "A3");
    assert_eq!(table.turn(), Turn::Over(Outcome::Win(FIRST)));
    assert_eq!(table.turns(), 5);
    assert_eq!(table.play(SECOND, "C3"), Err(MoveError::Over.into()));
    assert_eq!(table.moves(SECOND, 9), Some(Vec::new()));
}

#[test]
fn wrong_moves_change_nothing() {
    let mut table = people("tictactoe");
    table.play(FIRST, "B2").unwrap();
    let before = table.position();
    let rows = [
        (SECOND, "b2", "B2 is taken"),
        (
            SECOND,
            "D4",
            "D4 is off the board, which goes from A1 to C3",
        ),
        (
            SECOND,
            "",
            "`` is no move; give a column letter and a row number, such as B2",
        ),
        (FIRST, "A1", "it is not your turn"),
    ];
    for (seat, text, expected) in rows {
        assert_eq!(table.play(seat, text).unwrap_err().to_string(), expected);
        assert_eq!(table.position(), before);
    }
}

#[test]
fn turns_are_taken_back_to_the_start() {
    let mut table = people("mnk:5,5,4");
    let start = table.position();
    for (i, text) in ["A1", "B1", "C1", "D1"].iter().enumerate() {
        table.play(Seat::BOTH[i % 2], text).unwrap();
    }
    assert!((0..4).all(|_| table.take_back()));
    assert!(!table.take_back());
    assert_eq!(table.position(), start);
}

#[test]
fn a_player_thinks_and_a_person_does_not() {
    let mut table = table_of("tictactoe", [None, Some("random")], 3);
    let on = &mut || true;
    assert_eq!(table.think(FIRST, on), Err(TableError::Person(FIRST)));
    table.play(FIRST, "B2").unwrap();
    let choices = table.moves(SECOND, 9).unwrap();
    let advice = table.think(SECOND, on).unwrap();
    assert!(choices.contains(&advice.choice));
    assert_eq!(table.turn(), Turn::One(FIRST));
    assert_eq!(table.player(SECOND).as_deref(), Some("random"));
    let turns = table.turns();
    let advice = table.advise(FIRST, "random", on).unwrap();
    assert!(table.moves(FIRST, 9).unwrap().contains(&advice.choice));
    assert_eq!(table.turns(), turns, "advice is no move");
}

#[test]
fn advice_has_a_reason() {
    let on = &mut || true;
    let mut table = table_of("tictactoe", [Some("perfect"), None], 0);
    let advice = table.think(FIRST, on).unwrap();
    assert_eq!(advice.value, Some(players::Value::Proven(Outcome::Draw)));
    assert_eq!(advice.line.first(), Some(&advice.choice));
    let words = advice.to_string();
    assert!(words.starts_with("proven: a draw; "), "{words}");
    assert!(
        words.contains(" positions; ") && words.contains("line "),
        "{words}"
    );
    // a line is legal: it can be played out to the draw that it promises
    for (i, text) in advice.line[1..].iter().enumerate() {
        table.play(Seat::BOTH[(i + 1) % 2], text).unwrap();
    }
    assert_eq!(table.turn(), Turn::Over(Outcome::Draw));
}

#[test]
fn both_seats_of_a_duel_move_before_anything_happens() {
    let mut table = people("duel");
    assert_eq!(table.turn(), Turn::Both);
    let start = table.position();
    table.play(SECOND, "00111000").unwrap();
    assert_eq!(table.position(), start);
    assert!(table.has_moved(SECOND) && !table.has_moved(FIRST));
    let again = table.play(SECOND, "00000000");
    assert_eq!(again, Err(TableError::HasMoved(SECOND)));
    assert!(table.take_back(), "the waiting move alone");
    table.play(SECOND, "11100000").unwrap();
    table.play(FIRST, "0 0 1 1 1 0 0 0").unwrap();
    assert_eq!(table.turns(), 1);
    assert_ne!(table.position(), start);
    let error = table.play(FIRST, "11111111").unwrap_err().to_string();
    assert_eq!(error, "that costs 8 mana, and there is 5");
}

#[test]
fn one_table_mirrors_another() {
    for name in ["tictactoe", "stones", "duel"] {
        let players = [Some("random"), Some("random")];
        let mut led = table_of(name, players, 5);
        let mut follower = people(name);
        for turn in 0..5 {
            for seat in Seat::BOTH {
                if led.turn().asks(seat) && !led.has_moved(seat) {
                    led.think(seat, &mut || true).unwrap();
                }
                if led.turns() > turn {
                    break;
                }
            }
            let played = led.history()[turn].clone();
            follower.follow(&played).unwrap();
            assert_eq!(follower.position(), led.position(), "{name}");
        }
        assert_eq!(follower.history(), led.history());
        let seen = |turns| led.diagram_at(turns, SECOND);
        assert_eq!(seen(5), Some(led.diagram(SECOND)));
        assert_eq!(seen(0), Some(people(name).diagram(SECOND)));
        assert_eq!(seen(6), None);
        follower.take_back();
        assert_eq!(follower.history(), &led.history()[..4]);
        assert_eq!(Some(follower.diagram(SECOND)), seen(4));
        assert!(follower.follow("nonsense").is_err());
        assert_eq!(follower.turns(), 4);
    }
}

#[test]
fn a_move_is_seen_before_it_is_made() {
    let mut table = people("stones");
    let moves = table.moves(FIRST, 1000).unwrap();
    for text in &moves {
        let ahead = table.preview(FIRST, text).unwrap();
        let mut other = people("stones");
        other.play(FIRST, text).unwrap();
        assert_eq!(ahead, other.diagram(FIRST), "{text}");
    }
    assert_eq!(table.turns(), 0);
    assert!(table.preview(SECOND, &moves[0]).is_err());
    assert!(table.preview(FIRST, "z9").is_err());
    table.play(FIRST, &moves[0]).unwrap();
    assert!(table.preview(FIRST, &moves[0]).is_err());
    let duel = people("duel");
    let seen = duel.preview(FIRST, "00000000");
    assert_eq!(seen, Err(TableError::SimultaneousMove));
}

#[test]
fn each_seat_has_its_own_random_seed() {
    let moves = |players, seat| {
        let mut table = table_of("duel", players, 7);
        table.think(seat, &mut || true).unwrap().choice
    };
    let both = [Some("random"), Some("random")];
    for seat in Seat::BOTH {
        let mut alone = [None, None];
        alone[seat.index()] = Some("random");
        assert_eq!(moves(alone, seat), moves(both, seat), "{seat}");
    }
    assert_ne!(moves(both, FIRST), moves(both, SECOND));
}
