//! Gridpaper as a library: a world far ahead, a picture, soups, and two players.
use gridpaper::games::{Game as _, JointMove, Turn, stones::Stones};
use gridpaper::{Pattern, Rect, World, players, render};
use std::{array, error::Error, fs, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut gun = World::open("gosper-glider-gun")?;
    gun.run(1_000_000_000_000_u64)?;
    println!("{} cells at {}", gun.population(), gun.generation());
    let picture = World::open("acorn")?.picture(320, 240, &render::Theme::PAPER);
    fs::write("acorn.png", render::png(&picture))?;

    let empty = Pattern::parse("!")?;
    let (mut soup, mut random) = (World::new(&empty)?, 1_u64);
    let begun = Instant::now();
    for _ in 0..10_000 {
        let bits: [u64; 16] = array::from_fn(|_| {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d) + 1;
            random >> 32 & 0xffff
        });
        soup.reset(&empty)?;
        soup.write_bits(Rect::new(0, 0, 16, 16), &bits)?;
        soup.run(100_u64)?;
    }
    let rate = 10_000.0 / begun.elapsed().as_secs_f64();
    println!("{rate:.0} soups a second");

    let (game, clock) = (Stones::default(), players::Clock::system());
    let mut strong = players::open(&game, "strong:ms=5", &clock)?;
    let mut material = players::open(&game, "material", &clock)?;
    let mut position = game.start();
    while let Turn::One(seat) = game.turn(&position) {
        let player = [&mut strong, &mut material].into_iter().nth(seat as usize);
        let player = player.ok_or("a seat has a player")?;
        let thought = player.think(&game, &position, seat, &mut players::NullObserver);
        game.apply(&mut position, JointMove::One(thought.choice));
    }
    println!("stones: {:?}", game.turn(&position));
    Ok(())
}
