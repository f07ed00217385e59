//! What a frame of a large soup costs: 1920 x 1080 pixels of 4096 x 4096 cells, which are
//! to be sent sixty times a second.

#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use dice::Dice;
use engine::{EngineChoice, Options, World};
use pattern::{Cells, Pattern, Run};
use render::{Frame, Palette, PictureStyle, Theme, Viewport, Zoom};
use std::hint::black_box;

/// Half of the cells live, the same ones each time.
fn soup(rule: &str) -> Box<dyn World> {
    let rule: rule::Rule = rule.parse().unwrap();
    let states = rule.states();
    let opened = engine::open(
        EngineChoice::Torus,
        &rule,
        &Pattern::default(),
        None,
        &Options::default(),
    );
    let mut world = opened.unwrap().world;
    let mut dice = Dice::new(1);
    let mut runs = Vec::new();
    for y in -2048..2048 {
        for x in -2048..2048 {
            if dice.coin() {
                let state = 1 + dice.below(u32::from(states) - 1);
                runs.push(Run {
                    y,
                    x,
                    length: 1,
                    state: state as u8,
                });
            }
        }
    }
    world.load(&Cells::from_runs(runs)).unwrap();
    world.advance(&20_u32.into(), &mut |_| true).unwrap();
    world
}

fn frames(criterion: &mut Criterion) {
    for (name, rule) in [
        ("life", "B3/S23:T4096,4096"),
        ("ageing", "345/2/4:T4096,4096"),
    ] {
        let world = soup(rule);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(20);
        for zoom in [
            Zoom::In(4),
            Zoom::In(1),
            Zoom::Out(1),
            Zoom::Out(2),
            Zoom::Out(6),
        ] {
            let view = Viewport {
                zoom,
                ..Viewport::new(1920, 1080)
            };
            let view = view.centred_on(&3.into(), &5.into());
            group.bench_function(format!("frame at {zoom}"), |b| {
                b.iter(|| Frame::of(black_box(world.as_ref()), &view));
            });
        }
        let view = Viewport {
            zoom: Zoom::In(1),
            ..Viewport::new(1920, 1080)
        };
        let view = view.centred_on(&3.into(), &5.into());
        let frame = Frame::of(world.as_ref(), &view);
        group.bench_function("dying at 1", |b| {
            b.iter(|| frame.clone().mark_dying(black_box(world.as_ref())));
        });
        let palette = Palette::of(world.rule(), &Theme::PAPER);
        group.bench_function("paint at 1", |b| {
            b.iter(|| frame.paint(black_box(&palette), &PictureStyle::default()));
        });
        let picture = frame.paint(&palette, &PictureStyle::default());
        group.bench_function("png at 1", |b| b.iter(|| render::png(black_box(&picture))));
    }
}

criterion_group!(benches, frames);
criterion_main!(benches);
