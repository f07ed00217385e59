//! Long work for rooms, done elsewhere: its order is a text, and so is what it reports.

use crate::census::LaneCensus;
use crate::clock::WireClock;
use crate::laser::LaserSearch;
use crate::play::PlayThought;
use crate::reply;
use crate::search::LaneSearch;
use models::worker_pool::JobPermit;
use serde::Deserialize;
use std::time::Duration;

/// How long work may take, from when its turn comes.
pub const LONGEST_WORK: Duration = Duration::from_secs(10);

/// What there is to do.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RoomJob {
    Laser(LaserSearch),
    Play(PlayThought),
    Search(LaneSearch),
    Census(LaneCensus),
}

/// Does the job that a room has ordered, and reports what its room is to hear. A search or a census
/// goes on until its lane is ended, whatever the permit says.
///
/// ```
/// use models::worker_pool::JobPermit;
/// use std::{sync::Arc, time::Duration};
/// use wire::{LONGEST_WORK, WireClock, run_job};
///
/// let job = r#"{"laser":{"solve":{"board":"4 3\nW W SvW\nL>. . W\nW M/W W"}}}"#;
/// let permit = JobPermit::timed(LONGEST_WORK, || Duration::ZERO);
/// let mut reports = Vec::new();
/// let clock: WireClock = Arc::new(|| Duration::ZERO);
/// run_job(job, &permit, &clock, &mut |report| reports.push(report));
/// assert!(reports[0].contains("\"moves\":[[1,2,2,1]]"));
/// ```
pub fn run_job(job: &str, permit: &JobPermit, clock: &WireClock, report: &mut dyn FnMut(String)) {
    let done = match serde_json::from_str(job) {
        Ok(RoomJob::Laser(search)) => search.run(permit, report),
        Ok(RoomJob::Play(thought)) => {
            thought.run(permit, clock, report);
            Ok(())
        }
        Ok(RoomJob::Search(search)) => search.run(clock, report),
        Ok(RoomJob::Census(share)) => share.run(clock, report),
        Err(error) => Err(error.to_string()),
    };
    if let Err(words) = done {
        report(reply::to_malformed(words));
    }
}
