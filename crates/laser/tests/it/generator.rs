//! The contract of the level generator.

use crate::brute_force;
use laser::generator::{GenerateError, GeneratedLevel, Grade, LevelRecipe, Pieces, generate};
use laser::solver::{Aim, Question, solve};
use laser::{Light, Tile, moves};

fn recipe(width: u32, height: u32, pieces: &str, walls: u32, seed: u64) -> LevelRecipe {
    LevelRecipe {
        width,
        height,
        pieces: pieces.parse().unwrap(),
        walls,
        seed,
        difficulty: None,
    }
}

fn make(recipe: &LevelRecipe) -> GeneratedLevel {
    generate(recipe, &mut |_| true).unwrap()
}

#[test]
fn a_seed_means_a_level() {
    let made = make(&recipe(7, 6, "3", 20, 2026));
    assert_eq!(made, make(&recipe(7, 6, "3", 20, 2026)));
    assert_eq!(made.board.to_string(), GOLDEN);
    assert_ne!(made.board, make(&recipe(7, 6, "3", 20, 2027)).board);
}

/// Written down once. Where it changes, all seeds mean other levels, and the pack must be
/// made again.
const GOLDEN: &str = r"7 6
W W SvW W W W 
W . . . W . W 
L>B\. . . . L<
W T<. M\S<. W 
W . . . . . S<
W W W W W W W 
";

/// Everything that a made level promises.
fn check(recipe: &LevelRecipe, made: &GeneratedLevel) {
    let GeneratedLevel {
        board, solution, ..
    } = made;
    assert_eq!(
        (board.width(), board.height()),
        (recipe.width, recipe.height)
    );
    let light = Light::of(board);
    assert!(!light.status(board).is_solved(), "{board}");
    match recipe.pieces {
        Pieces::Number(number) => assert_eq!(board.pieces().count(), number as usize),
        Pieces::Kinds(kinds) => assert_eq!(board.stock(), kinds),
    }
    let answer = solve(board, Question::new(Aim::All { up_to: 2 }), &mut |_| true);
    assert!(answer.is_complete, "{board}");
    assert_eq!(answer.solutions, std::slice::from_ref(solution), "{board}");
    assert_eq!(solution.pieces.len() as u32, recipe.pieces.number());
    assert_eq!(made.moves, moves::distance(board, solution), "{board}");
    assert_eq!(made.grade, made.effort.grade());
    let (mut walls, mut inner) = (0, 0);
    for cell in 0..board.cells() {
        let place = board.place(cell);
        let is_ring = place.x == 0
            || place.y == 0
            || place.x + 1 == i64::from(board.width())
            || place.y + 1 == i64::from(board.height());
        assert!(!is_ring || !board.tile(cell).is_free(), "{board}");
        inner += u32::from(!is_ring);
        walls += u32::from(!is_ring && board.tile(cell) == Tile::Wall);
    }
    assert!(walls * 100 <= recipe.walls * inner, "{board}");
}

#[test]
fn levels_of_many_recipes_have_one_solution() {
    for (width, height, pieces, walls) in [
        (4, 3, "1", 0),
        (5, 4, "1", 0),
        (4, 5, "2", 0),
        (5, 5, "2", 20),
        (6, 6, "3", 30),
        (8, 5, "4", 20),
        (7, 9, "3", 0),
        (8, 8, r"2M/,2M\", 15),
        (8, 8, r"M/,B\,T^,T<", 25),
        (10, 7, r"4M\", 10),
        (32, 32, "2", 50),
        (3, 12, "2", 0),
    ] {
        for seed in 0..3 {
            let recipe = recipe(width, height, pieces, walls, seed);
            check(&recipe, &make(&recipe));
        }
    }
}

#[test]
fn the_one_solution_is_the_one_that_trying_everything_finds() {
    for seed in 0..12 {
        for (width, height, pieces) in [(5, 5, "2"), (5, 4, "2"), (6, 5, "2"), (4, 6, "3")] {
            let made = make(&recipe(width, height, pieces, 20, seed));
            let found = brute_force::solutions(&made.board);
            assert_eq!(found, [made.solution].into(), "{}", made.board);
        }
    }
}

#[test]
fn a_difficulty_is_kept_to() {
    for difficulty in Grade::ALL {
        let (side, pieces) = [(6, "2"), (7, "3"), (8, "4"), (9, "5")][difficulty as usize];
        let mut recipe = recipe(side, side, pieces, 20, 5);
        recipe.difficulty = Some(difficulty);
        let made = make(&recipe);
        assert_eq!(made.grade, difficulty);
        check(&recipe, &made);
    }
}

#[test]
fn what_cannot_be_made_is_said_at_once() {
    for (recipe, words) in [
        (
            recipe(2, 8, "1", 0, 0),
            "a level is made with 3 to 32 columns and rows, and not 2 x 8",
        ),
        (
            recipe(8, 33, "1", 0, 0),
            "a level is made with 3 to 32 columns and rows, and not 8 x 33",
        ),
        (
            recipe(8, 8, "1", 61, 0),
            "walls can take 0 to 60 percent of the inner cells, and not 61",
        ),
        (
            recipe(8, 8, "0", 0, 0),
            "a level needs at least one piece to move",
        ),
        (
            recipe(3, 3, "1", 0, 0),
            "1 piece has no room on 3 x 3 with 0 percent walls: 0 at most",
        ),
        (
            recipe(8, 8, r"9M/,9M\", 10, 0),
            "18 pieces have no room on 8 x 8 with 10 percent walls: 16 at most",
        ),
        (
            LevelRecipe {
                difficulty: Some(Grade::Easy),
                ..recipe(21, 21, "8", 15, 0)
            },
            "a level with 8 pieces is never easy, which takes 7 pieces at most",
        ),
    ] {
        let mut asked = false;
        let error = generate(&recipe, &mut |_| {
            asked = true;
            true
        });
        assert_eq!(error.unwrap_err().to_string(), words);
        assert!(!asked, "no time is spent on it");
    }
}

/// Makes a level in a search that may ask whether to go on only so often: the callback is
/// called about once for so much work, so this bounds the work and not the time.
fn make_within(recipe: &LevelRecipe, most_asked: u64) -> GeneratedLevel {
    let mut asked = 0;
    let made = generate(recipe, &mut |_| {
        asked += 1;
        asked <= most_asked
    });
    made.unwrap_or_else(|error| panic!("{recipe:?}: {error} ({asked} times asked)"))
}

/// Issue 27, item 3.6: 18 x 18 with nine pieces gave nothing within 20 s.
#[test]
fn large_boards_with_many_pieces_are_made() {
    for (width, height, pieces) in [
        (18, 18, "9"),
        (21, 21, "10"),
        (21, 21, r"5M/,5M\"),
        (21, 21, r"5B/,5B\"),
        (21, 21, "3T^,2T>,3Tv,2T<"),
        (21, 12, r"2M/,2M\,2B/,B\,T^,T>,Tv"),
        (12, 21, "10M/"),
    ] {
        let recipe = recipe(width, height, pieces, 15, 2);
        check(&recipe, &make_within(&recipe, 200_000));
    }
}

/// Narrow ones have less room, and more light in each row.
#[test]
fn narrow_boards_with_many_pieces_are_made() {
    for (width, height, pieces) in [
        (21, 5, "10"),
        (5, 21, r"5M/,5M\"),
        (21, 5, "3T^,2T>,3Tv,2T<"),
    ] {
        let recipe = recipe(width, height, pieces, 15, 1);
        check(&recipe, &make_within(&recipe, 200_000));
    }
}

#[test]
fn a_large_board_is_as_hard_as_it_should_be() {
    for difficulty in [Grade::Medium, Grade::Hard, Grade::VeryHard] {
        let mut recipe = recipe(21, 21, "10", 15, 3);
        recipe.difficulty = Some(difficulty);
        let made = make_within(&recipe, 40_000);
        assert_eq!(made.grade, difficulty);
        check(&recipe, &made);
    }
}

#[test]
fn a_grown_level_is_the_same_each_time() {
    let recipe = recipe(21, 21, "10", 15, 5);
    assert_eq!(make(&recipe), make(&recipe));
}

#[test]
fn what_is_out_of_reach_is_said_early() {
    let recipe = recipe(20, 20, "60", 0, 0);
    let mut reached = 0;
    let error = generate(&recipe, &mut |progress| {
        reached = progress.reached;
        true
    });
    let error = error.unwrap_err();
    let GenerateError::OutOfReach { reached: most, .. } = error else {
        panic!("{error}");
    };
    assert!((1..60).contains(&most) && reached <= most, "{most}");
    assert_eq!(
        error.to_string(),
        format!(
            "60 pieces are out of reach on 20 x 20 with 0 percent walls: \
             boards with one solution had {most} at most"
        )
    );
}

#[test]
fn a_recipe_without_a_level_is_given_up() {
    // a corridor with one piece in it is never very hard
    let mut recipe = recipe(4, 3, "1", 0, 1);
    recipe.difficulty = Some(Grade::VeryHard);
    let error = generate(&recipe, &mut |_| true).unwrap_err();
    let GenerateError::GivenUp { nearest, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(nearest, Some(Grade::Easy));
    assert!(
        error.to_string().ends_with("; the nearest was easy"),
        "{error}"
    );
}

#[test]
fn a_stop_is_heeded() {
    let recipe = recipe(12, 12, "8", 20, 3);
    for most in 0..3 {
        let error = generate(&recipe, &mut |progress| progress.tries < most);
        assert_eq!(error, Err(GenerateError::Stopped { tries: most }));
    }
}

#[test]
fn pieces_are_read_as_they_are_written() {
    for text in ["6", r"M\", r"2M\,M/,3B\,B/,T^,T>,Tv,12T<"] {
        assert_eq!(text.parse::<Pieces>().unwrap().to_string(), text);
    }
    for text in ["", "-1", "M", "2", "M/,", "Q", "99999999999M/", "T/", "."] {
        let pieces = text.parse::<Pieces>();
        assert_eq!(pieces.is_ok(), text == "2", "{text}");
    }
}
