//! The clipboard for the page, which shows it under the pointer before it is put down.

use serde_json::json;
use session::Clip;

/// A clip with more cells is shown as a box without its cells.
const MOST_CELLS: u128 = 1 << 24;

/// The same for runs, which is what is sent.
const MOST_RUNS: usize = 200_000;

/// Columns, rows, and runs as `[x, y, length, state]`; `runs` is null where there are very many.
pub fn to_json(clip: &Clip) -> String {
    let mut runs = Vec::new();
    let is_small = u128::from(clip.width) * u128::from(clip.height) <= MOST_CELLS;
    if is_small {
        clip.cells.for_each_run(&mut |run| {
            // One more than there may be, to know that there are more.
            if runs.len() <= MOST_RUNS {
                runs.push(json!([run.x, run.y, run.length, run.state]));
            }
        });
    }
    let runs = (is_small && runs.len() <= MOST_RUNS).then_some(runs);
    json!({ "width": clip.width, "height": clip.height, "runs": runs }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pattern::Cells;
    use serde_json::Value;

    fn clip(width: u64, rle: &str) -> Clip {
        let cells: Cells = pattern::read(rle.as_bytes()).unwrap().0.cells;
        Clip {
            width,
            height: 3,
            cells,
        }
    }

    #[test]
    fn a_clip_is_told_as_runs() {
        let glider = clip(3, "x = 3, y = 3\nbo$2bo$3o!");
        let to_json: Value = serde_json::from_str(&to_json(&glider)).unwrap();
        assert_eq!(
            (&to_json["width"], &to_json["height"]),
            (&3.into(), &3.into())
        );
        assert_eq!(
            to_json["runs"],
            json!([[1, 0, 1, 1], [2, 1, 1, 1], [0, 2, 3, 1]])
        );
    }

    #[test]
    fn a_vast_one_is_a_box() {
        let vast = clip(1 << 40, "x = 3, y = 3\nbo$2bo$3o!");
        let to_json: Value = serde_json::from_str(&to_json(&vast)).unwrap();
        assert_eq!(to_json["width"], json!(1_u64 << 40));
        assert!(to_json["runs"].is_null());
    }
}
