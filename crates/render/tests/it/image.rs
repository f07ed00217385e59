//! Files of pictures, read again by their formats' readers.

use crate::{soup, world};
use engine::EngineChoice;
use render::{
    AnimationTiming, Frame, GifWriter, Palette, Picture, PictureStyle, PngWriter, Rgb, Theme,
    Viewport, Zoom, png,
};
use std::io::Cursor;

/// Pictures of a soup, one generation after another, and the colours of them all.
fn pictures(rule: &str, zoom: Zoom, count: usize) -> (Vec<Picture>, Vec<Rgb>) {
    let states = rule.parse::<rule::Rule>().unwrap().states();
    let mut world = world(EngineChoice::Tiles, rule, &soup(3, -12, -9, 20, states));
    let palette = Palette::of(world.rule(), &Theme::PAPER);
    let view = Viewport {
        zoom,
        ..Viewport::new(101, 67)
    };
    let view = view.centred_on(&0.into(), &0.into());
    let mut pictures = Vec::new();
    let mut colours = Vec::new();
    for _ in 0..count {
        let mut frame = Frame::of(world.as_ref(), &view);
        frame.mark_dying(world.as_ref());
        pictures.push(frame.paint(&palette, &PictureStyle::default()));
        colours = palette.colours(states, &frame.content);
        world.advance(&1_u32.into(), &mut |_| true).unwrap();
    }
    (pictures, colours)
}

fn cases() -> Vec<(Vec<Picture>, Vec<Rgb>)> {
    vec![
        pictures("B3/S23", Zoom::In(5), 6),
        pictures("B3/S23", Zoom::In(1), 4),
        pictures("B3/S23", Zoom::Out(3), 3),
        pictures("345/2/24", Zoom::In(4), 4),
        pictures("R2,C200,M1,S6..11,B6..9,NM", Zoom::In(3), 3),
    ]
}

/// The pictures of a PNG or APNG as one sees them, and how long each is shown, in
/// hundredths of a second.
fn read_png(file: &[u8]) -> (Vec<Picture>, Vec<u16>) {
    let mut decoder = ::png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(::png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let (width, height) = (reader.info().width, reader.info().height);
    let count = reader
        .info()
        .animation_control()
        .map_or(1, |a| a.num_frames);
    let mut canvas = Picture::filled(width, height, Rgb::default());
    let (mut pictures, mut delays) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        bytes.truncate(info.buffer_size());
        assert_eq!(info.color_type, ::png::ColorType::Rgb);
        let (mut x, mut y) = (0, 0);
        if let Some(control) = reader.info().frame_control() {
            (x, y) = (control.x_offset, control.y_offset);
            assert_eq!(control.blend_op, ::png::BlendOp::Source);
            assert_eq!(control.delay_den, 100);
            delays.push(control.delay_num);
        }
        lay(&mut canvas, &bytes, (x, y), info.width, 3);
        pictures.push(canvas.clone());
    }
    (pictures, delays)
}

fn lay(canvas: &mut Picture, bytes: &[u8], (x, y): (u32, u32), width: u32, each: usize) {
    let rows = bytes.chunks(width as usize * each);
    for (row, y) in rows.zip(y..canvas.height) {
        for (pixel, x) in row.chunks(each).zip(x..) {
            canvas.pixels[(y * canvas.width + x) as usize] = Rgb {
                r: pixel[0],
                g: pixel[1],
                b: pixel[2],
            };
        }
    }
}

#[test]
fn png_is_the_picture() {
    for (pictures, _) in cases() {
        let file = png(&pictures[0]);
        assert_eq!(read_png(&file).0, pictures[..1]);
        assert_eq!(file, png(&pictures[0]), "the same picture is the same file");
    }
    // every number of bits a pixel, and more colours than a palette holds
    for count in [1_u32, 2, 3, 4, 5, 16, 17, 255, 256, 257, 1000] {
        let mut picture = Picture::filled(37, 29, Rgb::default());
        for (i, pixel) in (0..).zip(&mut picture.pixels) {
            *pixel = Rgb::hex(i % count * 7919);
        }
        assert_eq!(read_png(&png(&picture)).0, [picture], "{count} colours");
    }
    assert_eq!(
        read_png(&png(&Picture::filled(1, 1, Rgb::hex(77)))).0[0].pixels,
        [Rgb::hex(77)]
    );
}

#[test]
fn apng_is_all_pictures() {
    for (pictures, colours) in cases() {
        let mut file = Vec::new();
        let pace = AnimationTiming {
            pictures: pictures.len() as u32 + 1,
            hundredths: 7,
        };
        let mut film = PngWriter::new(&mut file, &pictures[0], &colours, Some(pace)).unwrap();
        // the first one twice: nothing changes then
        for picture in pictures.iter().take(1).chain(&pictures) {
            film.push(picture).unwrap();
        }
        film.finish().unwrap();
        let (read, delays) = read_png(&file);
        assert!(read[0] == pictures[0] && read[1..] == pictures);
        assert_eq!(delays, vec![7; pictures.len() + 1]);
    }
}

#[test]
fn gif_is_all_pictures() {
    for (pictures, colours) in cases() {
        let mut file = Vec::new();
        let mut film = GifWriter::new(&mut file, &pictures[0], &colours, 12).unwrap();
        for picture in pictures.iter().take(1).chain(&pictures) {
            film.push(picture).unwrap();
        }
        film.finish().unwrap();

        let mut options = ::gif::DecodeOptions::new();
        options.set_color_output(::gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&file[..]).unwrap();
        assert_eq!(decoder.repeat(), ::gif::Repeat::Infinite);
        let size = (u32::from(decoder.width()), u32::from(decoder.height()));
        assert_eq!(size, (101, 67));
        let mut canvas = Picture::filled(size.0, size.1, Rgb::default());
        let mut read = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert_eq!(frame.delay, 12);
            let corner = (frame.left.into(), frame.top.into());
            lay(&mut canvas, &frame.buffer, corner, frame.width.into(), 4);
            read.push(canvas.clone());
        }
        assert_eq!(read.len(), pictures.len() + 1);
        assert!(read[0] == pictures[0] && read[1..] == pictures);
    }
}

#[test]
fn what_a_gif_cannot_hold_is_said() {
    let wide = Picture {
        width: 65_536,
        height: 1,
        pixels: Vec::new(),
    };
    let refused = GifWriter::new(Vec::new(), &wide, &[Rgb::default()], 1)
        .err()
        .unwrap();
    assert!(
        refused.to_string().contains("at most 65535 pixels"),
        "{refused}"
    );
    let unnamed = Rgb::hex(0x00f0_f0f0);
    let picture = Picture::filled(3, 3, unnamed);
    let colours = [Rgb::hex(0), Rgb::hex(0x00ff_ffff), Rgb::hex(0x00ff_0000)];
    let mut film = PngWriter::new(Vec::new(), &picture, &colours, None).unwrap();
    film.push(&picture).unwrap();
    assert!(film.push(&picture).is_err(), "a second picture of one");
}
