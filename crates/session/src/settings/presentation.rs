//! What a pattern's scripts play: when the world starts, stops and begins again, where the camera
//! goes, points of interest, and labels at cells.
//!
//! The words are those of LifeViewer's scripts (LifeWiki, "LifeViewer/Scripts"). They stay in
//! [`Settings::script`](super::Settings) as they were written, so that saving loses nothing; here
//! they are only understood. How labels go with the zoom is our own: they grow with the cells, and are
//! left out further away than an eighth of the zoom that they name.
//!
//! ```
//! use session::settings::{Presentation, Settings};
//!
//! let mut comments = vec!["[[ AUTOSTART T 100 X 50 STOP 200 LABEL 0 -5 8 \"here\" ]]".to_string()];
//! let (settings, _) = Settings::from_comments(&mut comments);
//! let presentation = Presentation::of(&settings);
//! assert!(presentation.starts);
//! assert_eq!(presentation.stop, Some(200.into()));
//! // the way begins at the start
//! assert_eq!(presentation.waypoints[1].generation, 100.into());
//! assert_eq!(presentation.labels[0].text, "here");
//! ```

use super::{Bookmark, Settings, is_bookmark_name, script};
use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive as _, ToPrimitive as _};
use render::Zoom;

/// The most labels, and the longest text of one.
const MOST_LABELS: usize = 1000;
const LONGEST_LABEL: usize = 400;

/// The size of a label's letters in pixels where none is named.
const USUAL_LABEL_SIZE: f64 = 16.0;

/// LifeViewer's themes that do not colour cells by age: plain ones, by number and name.
const PLAIN_THEMES: [&str; 4] = ["0", "10", "MONO", "GOLLY"];

/// What the scripts of a pattern play. Places are relative to the middle of the live cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Presentation {
    /// Whether the world runs as soon as it is opened.
    pub starts: bool,
    /// The generation at which a running world stops.
    pub stop: Option<BigInt>,
    /// The generation after which a running world begins again.
    pub repeat: Option<BigInt>,
    /// Whether the view keeps the live cells in sight.
    pub fits: bool,
    /// Whether a theme is named, and whether it colours cells by age.
    pub ages: Option<bool>,
    /// Where the camera is at some generations, in order.
    pub waypoints: Vec<CameraWaypoint>,
    /// Points of interest, by names that a bookmark may have. They belong to no generation.
    pub points: Vec<(String, PointOfInterest)>,
    /// The texts at cells.
    pub labels: Vec<PatternLabel>,
    /// Words that have no effect here, each once.
    pub ignored: Vec<String>,
}

/// Where the camera is at a generation, and how fast the world runs from there.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraWaypoint {
    /// The generation.
    pub generation: BigInt,
    /// The cell in the middle.
    pub place: (f64, f64),
    /// Pixels per cell; `None` leaves the zoom.
    pub pixels: Option<f64>,
    /// Generations per second.
    pub speed: Option<f64>,
    /// Generations per step.
    pub stride: Option<BigUint>,
}

/// A view that a script names.
#[derive(Clone, Debug, PartialEq)]
pub struct PointOfInterest {
    /// The cell in the middle.
    pub place: (BigInt, BigInt),
    /// The size of a cell.
    pub zoom: Zoom,
}

/// A text at a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternLabel {
    /// The cell.
    pub place: (BigInt, BigInt),
    /// The zoom at which it is read, in pixels per cell.
    pub pixels: f64,
    /// The text; a line break is `\n`.
    pub text: String,
    /// The size of its letters in pixels at that zoom.
    pub size: f64,
    /// The first and the last generation that show it.
    pub span: Option<(BigInt, BigInt)>,
}

impl PatternLabel {
    /// The size of its letters in pixels at a zoom: it grows with the cells.
    pub(crate) fn size_at(&self, zoom: Zoom) -> f64 {
        (self.size * pixels_of(zoom) / self.pixels).clamp(6.0, 96.0)
    }

    /// Whether it is shown in a generation at a zoom.
    ///
    /// ```
    /// use render::Zoom;
    /// use session::settings::{Presentation, Settings};
    ///
    /// let mut comments = vec!["[[ LABELT 5 9 0 LABEL 0 0 8 \"soon\" ]]".to_string()];
    /// let (settings, _) = Settings::from_comments(&mut comments);
    /// let label = &Presentation::of(&settings).labels[0];
    /// assert!(label.is_shown(&5.into(), Zoom::In(8)));
    /// assert!(!label.is_shown(&4.into(), Zoom::In(8)) && !label.is_shown(&5.into(), Zoom::Out(1)));
    /// ```
    #[must_use]
    pub fn is_shown(&self, generation: &BigInt, zoom: Zoom) -> bool {
        let factor = pixels_of(zoom) / self.pixels;
        let is_time = |(from, to): &(BigInt, BigInt)| from <= generation && generation <= to;
        factor >= 0.125 && self.span.as_ref().is_none_or(is_time)
    }
}

/// Pixels per cell.
fn pixels_of(zoom: Zoom) -> f64 {
    match zoom {
        Zoom::In(pixels) => f64::from(pixels),
        Zoom::Out(power) => (-f64::from(power)).exp2(),
    }
}

impl Presentation {
    /// What the scripts among settings play.
    ///
    /// ```
    /// use session::settings::{Presentation, Settings};
    ///
    /// let mut comments = vec!["[[ LOOP 30 TITLE \"a\" ]]".to_string()];
    /// let presentation = Presentation::of(&Settings::from_comments(&mut comments).0);
    /// assert_eq!(presentation.repeat, Some(30.into()));
    /// assert_eq!(presentation.ignored, ["TITLE"]);
    /// ```
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        if settings.script.is_empty() {
            return Self::default();
        }
        let text = settings.script.join("\n");
        let text = text.replace("[[", " ").replace("]]", " ");
        let (x, y) = settings.place.clone().unwrap_or_default();
        let start = CameraWaypoint {
            generation: BigInt::ZERO,
            place: (
                x.to_f64().unwrap_or_default(),
                y.to_f64().unwrap_or_default(),
            ),
            pixels: settings.zoom.map(pixels_of),
            speed: settings.speed,
            stride: settings.stride.clone(),
        };
        let mut reader = PresentationReader {
            words: script::words(&text),
            next: 0,
            told: Self::default(),
            place: ScriptPlace::Start,
            waypoint: start.clone(),
            point: ScriptPoint::default(),
            span: None,
            size: USUAL_LABEL_SIZE,
        };
        while reader.next < reader.words.len() {
            reader.step();
        }
        reader.close();
        let mut told = reader.told;
        // A tour begins where the view does.
        if !told.waypoints.is_empty() {
            told.waypoints
                .sort_by(|a, b| a.generation.cmp(&b.generation));
            if told.waypoints[0].generation > BigInt::ZERO {
                told.waypoints.insert(0, start);
            }
        }
        told
    }

    /// Where the camera is in a generation, if it has a way to go: the cell in the middle, and the
    /// zoom. Between waypoints it goes straight and evenly.
    ///
    /// ```
    /// use session::settings::{Presentation, Settings};
    ///
    /// let mut comments = vec!["[[ ZOOM 8 ]]".to_string(), "[[ T 100 X 50 Z 2 ]]".to_string()];
    /// let (settings, _) = Settings::from_comments(&mut comments);
    /// let camera = Presentation::of(&settings).camera(&50.into());
    /// assert_eq!(camera, Some(((25.0, 0.0), Some(render::Zoom::In(4)))));
    /// ```
    #[must_use]
    pub fn camera(&self, generation: &BigInt) -> Option<((f64, f64), Option<Zoom>)> {
        let after = self
            .waypoints
            .partition_point(|waypoint| waypoint.generation <= *generation);
        let from = &self.waypoints.get(after.saturating_sub(1))?;
        let Some(to) = self.waypoints.get(after).filter(|_| after > 0) else {
            return Some((from.place, from.pixels.and_then(script::zoom)));
        };
        let length = (&to.generation - &from.generation).to_f64()?;
        let part = (generation - &from.generation).to_f64()? / length;
        let between = |a: f64, b: f64| a + (b - a) * part;
        let pixels = match (from.pixels, to.pixels) {
            (Some(a), Some(b)) => Some(between(a.log2(), b.log2()).exp2()),
            (a, b) => a.or(b),
        };
        let (x, y) = (
            between(from.place.0, to.place.0),
            between(from.place.1, to.place.1),
        );
        Some(((x, y), pixels.and_then(script::zoom)))
    }

    /// Whether a running world stops, begins again or changes its pace in this generation.
    pub(crate) fn is_mark(&self, generation: &BigInt) -> bool {
        let before = generation - 1;
        self.next_mark(&before) == Some(generation)
    }

    /// The generations at which a running world stops, begins again or changes its pace, after
    /// this one: the next of them.
    pub(crate) fn next_mark(&self, generation: &BigInt) -> Option<&BigInt> {
        let paced = self.waypoints.iter();
        let paced = paced.filter(|it| it.speed.is_some() || it.stride.is_some());
        let paced = paced.map(|it| &it.generation);
        let marks = paced.chain(&self.stop).chain(&self.repeat);
        marks.filter(|mark| *mark > generation).min()
    }
}

/// What the words that are being read are about.
#[derive(Clone, Copy, PartialEq)]
enum ScriptPlace {
    Start,
    Waypoint,
    Point,
}

/// A point of interest that is being read.
#[derive(Clone, Default)]
struct ScriptPoint {
    x: Option<BigInt>,
    y: Option<BigInt>,
    zoom: Option<Zoom>,
    message: Option<String>,
}

/// Reads words in order.
struct PresentationReader<'a> {
    words: Vec<&'a str>,
    next: usize,
    told: Presentation,
    place: ScriptPlace,
    /// The waypoint that is being read; the next one begins with its values.
    waypoint: CameraWaypoint,
    point: ScriptPoint,
    span: Option<(BigInt, BigInt)>,
    size: f64,
}

impl PresentationReader<'_> {
    fn step(&mut self) {
        let word = self.words[self.next].to_ascii_uppercase();
        self.next += 1;
        match word.as_str() {
            "AUTOSTART" => self.told.starts = !self.take_off(),
            "AUTOFIT" => self.told.fits = !self.take_off(),
            "STOP" => self.told.stop = self.generation(),
            "LOOP" => self.told.repeat = self.generation(),
            "THEME" => {
                let name = self.word().to_ascii_uppercase();
                self.told.ages = Some(!PLAIN_THEMES.contains(&name.as_str()));
            }
            "T" => {
                self.close();
                match self.generation() {
                    Some(generation) => {
                        self.place = ScriptPlace::Waypoint;
                        self.waypoint.generation = generation;
                        (self.waypoint.speed, self.waypoint.stride) = (None, None);
                    }
                    None => self.place = ScriptPlace::Start,
                }
            }
            "POI" => {
                self.close();
                self.place = ScriptPlace::Point;
                self.point = ScriptPoint::default();
            }
            // The first view of a tour by points; ours is the pattern's own.
            "INITIAL" => {}
            "X" | "Y" | "ZOOM" | "Z" | "GPS" | "STEP" => self.view_word(&word),
            "LABELT" => {
                self.span = match self.peek().eq_ignore_ascii_case("ALL") {
                    true => {
                        self.next += 1;
                        None
                    }
                    false => self.generation().zip(self.generation()),
                };
                // How long it fades.
                if self.span.is_some() && self.peek().parse::<f64>().is_ok() {
                    self.next += 1;
                }
            }
            "LABELSIZE" => {
                let size = self.number().filter(|size| (1.0..=100.0).contains(size));
                self.size = size.unwrap_or(USUAL_LABEL_SIZE);
            }
            "LABEL" => self.label(),
            "COLOR" | "COLOUR" => self.skip_colour(),
            word if word.starts_with('"') => self.message(),
            // The value of a word that is not known.
            word if word.starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c)) => {}
            "ON" | "OFF" | "ALL" => {}
            _ => {
                if !self.told.ignored.contains(&word) {
                    self.told.ignored.push(word);
                }
            }
        }
    }

    /// Ends what is being read.
    fn close(&mut self) {
        match self.place {
            ScriptPlace::Start => {}
            ScriptPlace::Waypoint => self.told.waypoints.push(self.waypoint.clone()),
            ScriptPlace::Point => {
                let ScriptPoint {
                    x,
                    y,
                    zoom,
                    message,
                } = std::mem::take(&mut self.point);
                let (Some(x), Some(y)) = (x, y) else {
                    return;
                };
                let number = self.told.points.len() + 1;
                let mut name = message.as_deref().map(bookmark_name).unwrap_or_default();
                let is_taken = |name: &str| self.told.points.iter().any(|(other, _)| other == name);
                if !is_bookmark_name(&name) || is_taken(&name) {
                    name = format!("poi-{number}");
                }
                let zoom = zoom.unwrap_or(Zoom::In(8));
                let point = PointOfInterest {
                    place: (x, y),
                    zoom,
                };
                self.told.points.push((name, point));
            }
        }
    }

    /// A word of a view. Those of the start have been taken as settings, unless they stand behind
    /// a later moment: then there is one.
    fn view_word(&mut self, word: &str) {
        let Some(number) = self.number() else {
            return;
        };
        let whole = BigInt::from_f64(number);
        match (self.place, word) {
            (ScriptPlace::Start, _) => {}
            (ScriptPlace::Point, "X") => self.point.x = whole,
            (ScriptPlace::Point, "Y") => self.point.y = whole,
            (ScriptPlace::Point, "ZOOM" | "Z") => self.point.zoom = script::zoom(number),
            (ScriptPlace::Point, _) => {}
            (ScriptPlace::Waypoint, "X") => self.waypoint.place.0 = number,
            (ScriptPlace::Waypoint, "Y") => self.waypoint.place.1 = number,
            (ScriptPlace::Waypoint, "ZOOM" | "Z") => {
                self.waypoint.pixels = script::zoom(number).map(pixels_of);
            }
            (ScriptPlace::Waypoint, "GPS") => {
                self.waypoint.speed = Some(number).filter(|n| *n > 0.0);
            }
            (ScriptPlace::Waypoint, _) => {
                let stride = Some(number).filter(|n| *n >= 1.0 && n.fract() == 0.0);
                self.waypoint.stride = stride.and_then(BigUint::from_f64);
            }
        }
    }

    fn label(&mut self) {
        let (x, y, zoom) = (self.number(), self.number(), self.number());
        let text = self.quoted();
        let whole = |n: Option<f64>| n.and_then(BigInt::from_f64);
        let pixels = zoom.and_then(script::zoom).map(pixels_of);
        let (Some(x), Some(y), Some(pixels), Some(text)) = (whole(x), whole(y), pixels, text)
        else {
            return;
        };
        if self.told.labels.len() < MOST_LABELS && !text.trim().is_empty() {
            self.told.labels.push(PatternLabel {
                place: (x, y),
                pixels,
                text,
                size: self.size,
                span: self.span.clone(),
            });
        }
    }

    /// The message of a point of interest, which may stand anywhere in it.
    fn message(&mut self) {
        self.next -= 1;
        let text = self.quoted();
        if self.place == ScriptPlace::Point {
            self.point.message = text.filter(|text| !text.is_empty());
        }
    }

    fn quoted(&mut self) -> Option<String> {
        let word = self.peek().strip_prefix('"')?;
        let text = word.strip_suffix('"').unwrap_or(word);
        let text: String = text
            .replace("\\n", "\n")
            .chars()
            .take(LONGEST_LABEL)
            .collect();
        self.next += 1;
        Some(text)
    }

    /// The colour of an element: a name, or three numbers.
    fn skip_colour(&mut self) {
        self.word();
        let numbers = (0..3).take_while(|ahead| {
            let word = self.words.get(self.next + ahead);
            word.is_some_and(|word| word.parse::<f64>().is_ok())
        });
        self.next += numbers.count().max(1);
    }

    fn peek(&self) -> &str {
        self.words.get(self.next).copied().unwrap_or_default()
    }

    fn word(&mut self) -> String {
        let word = self.peek().to_string();
        self.next += 1;
        word
    }

    /// The next word, if it is a number.
    fn number(&mut self) -> Option<f64> {
        let number = self.peek().parse::<f64>().ok().filter(|n| n.is_finite())?;
        self.next += 1;
        Some(number)
    }

    /// The next word, if it is a generation.
    fn generation(&mut self) -> Option<BigInt> {
        let generation = self.peek().parse::<BigUint>().ok()?;
        self.next += 1;
        Some(generation.into())
    }

    /// Takes the word `OFF`, if it is next.
    fn take_off(&mut self) -> bool {
        let is_off = self.peek().eq_ignore_ascii_case("OFF");
        self.next += usize::from(is_off);
        is_off
    }
}

/// A name that a bookmark may have, made of a text.
fn bookmark_name(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("-")
}

impl PointOfInterest {
    /// The same as a bookmark.
    pub(crate) fn bookmark(&self) -> Bookmark {
        Bookmark {
            generation: None,
            place: self.place.clone(),
            zoom: self.zoom,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presentation(lines: &[&str]) -> Presentation {
        let mut comments: Vec<String> = lines.iter().map(ToString::to_string).collect();
        Presentation::of(&Settings::from_comments(&mut comments).0)
    }

    #[test]
    fn switches_and_generations_are_read() {
        let told = presentation(&["[[ AUTOSTART autofit THEME 6 ]]", "[[ STOP 30 LOOP 2700 ]]"]);
        assert!(told.starts && told.fits);
        assert_eq!(told.ages, Some(true));
        assert_eq!(
            (told.stop, told.repeat),
            (Some(30.into()), Some(2700.into()))
        );
        let told = presentation(&[
            "[[ AUTOSTART STOP 5 LOOP 9 THEME Golly ]]",
            "[[ AUTOSTART OFF STOP OFF ]]",
        ]);
        assert!(!told.starts);
        assert_eq!(
            (told.stop, told.repeat, told.ages),
            (None, Some(9.into()), Some(false))
        );
    }

    #[test]
    fn the_camera_goes_from_waypoint_to_waypoint() {
        let told = presentation(&[
            "[[ X 10 Y 0 ZOOM 4 ]]",
            "[[ T 100 X 30 Y -40 ]]",
            "[[ T 200 ZOOM 1 GPS 5 STEP 2 ]]",
        ]);
        assert_eq!(told.waypoints.len(), 3);
        let at = |generation: i64| told.camera(&generation.into()).unwrap();
        assert_eq!(at(0), ((10.0, 0.0), Some(Zoom::In(4))));
        assert_eq!(at(50), ((20.0, -20.0), Some(Zoom::In(4))));
        assert_eq!(at(150), ((30.0, -40.0), Some(Zoom::In(2))));
        assert_eq!(at(1000), ((30.0, -40.0), Some(Zoom::In(1))));
        assert_eq!(told.next_mark(&150.into()), Some(&200.into()));
        assert_eq!(
            (told.waypoints[2].speed, &told.waypoints[2].stride),
            (Some(5.0), &Some(2_u8.into()))
        );
        assert_eq!(presentation(&["[[ LOOP 5 ]]"]).camera(&3.into()), None);
    }

    #[test]
    fn points_of_interest_have_names_of_bookmarks() {
        let told = presentation(&[
            "[[ POI X -448 Y -262 ZOOM 3 \"Play Action\" POIPLAY ]]",
            "[[ POI INITIAL X 0 Y 0 ZOOM -3 \"\" ]]",
            "[[ POI X 1 ]]",
        ]);
        let names: Vec<&str> = told.points.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["play-action", "poi-2"]);
        assert_eq!(told.points[0].1.place, ((-448).into(), (-262).into()));
        assert_eq!(told.ignored, ["POIPLAY"]);
    }

    #[test]
    fn labels_have_places_and_times() {
        let told = presentation(&[
            "[[ COLOR LABEL Red LABEL -10 2 8 \"Left\\n1\" ]]",
            "[[ COLOR LABEL 240 255 255 LABELT 5 9 3 LABELSIZE 10 ]]",
            "[[ LABEL 0 0 8 \"soon\" LABELT ALL LABEL 1 1 0 \"nowhere\" LABEL 2 2 4 \"LOOP 7\" ]]",
        ]);
        let labels: Vec<(&str, f64, bool)> = told
            .labels
            .iter()
            .map(|label| (label.text.as_str(), label.size, label.span.is_some()))
            .collect();
        assert_eq!(
            labels,
            [
                ("Left\n1", 16.0, false),
                ("soon", 10.0, true),
                ("LOOP 7", 10.0, false)
            ]
        );
        assert_eq!((told.repeat, told.ignored.len()), (None, 0));
    }
}
