//! What a page says over its socket, or sends to be read: the page's name in the first line,
//! then a message a line, all of them heard by the same page.

use super::{bytes_of, words_of};
use crate::Target;

pub(super) const MESSAGE: Target = Target {
    name: "message",
    check: |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let (page, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let messages: Vec<&str> = rest.lines().collect();
        let read = web::fuzz::handle_messages(page, &messages);
        assert!(read.is_none_or(|read| read <= messages.len()));
    },
    seeds: || bytes_of(SEEDS),
    words: || words_of(SEEDS.iter().copied()),
    gate_runs: 500,
};

const SEEDS: &[&str] = &[
    r#"worlds
{"size":[1280,720]}
{"do":"zoom in","id":17}
{"do":"draw 1 3,4 10,4","id":18}
{"credit":2}
{"plot":true}
{"dark":false}"#,
    r#"classroom
{"step":3}
{"size":[9,7]}
{"draw":{"rule":"base","cells":[[0,0],[1,1],[2,1]],"state":1}}
{"draw":{"rule":"weighted","cells":[[3,3]],"state":null}}
{"why":{"x":1,"y":1}}
{"step":1000}
{"restart":true}
{"clear":true}"#,
    r#"classroom
{"open":"colorised-glider"}
{"step":10}
{"read":{"text":"!MAP BASE\n.O.\n..O\nOOO\n","centre":true,"cs100":false,"lenient":true}}
{"why":{"x":24,"y":24}}
{"resume":{"size":[3,2],"round":4,"boards":["...\n.O.\n","...\n...\n","...\n...\n","...\n...\n","...\n...\n"],"start":["...\n...\n","...\n...\n","...\n...\n","...\n...\n","...\n...\n"]}}"#,
    r#"laser
{"play":{"level":"simple-mirror"}}
{"do":"move 3,4 5,6"}
{"do":"select 1,1"}
{"preview":{"from":[1,1],"to":[2,2]}}
{"do":"undo"}
{"do":"redo"}
{"do":"restart"}
{"do":"hint"}"#,
    r#"laser
{"play":{"text":"3 2\nL>. S>\nM/. W \n","name":"own","made":["0,1 1,1","1,1 0,1"],"taken_back":["0,1 1,1"]}}
{"draft":{"id":3,"text":"3 2\nL>M/S>\n. . W \n"}}
{"generate":{"width":8,"height":6,"pieces":"mirrors=2","walls":3,"seed":7,"difficulty":"easy"}}
{"cancel":true}"#,
    r#"play
{"do":"move","text":"d4","version":3,"id":1}
{"do":"past","turns":7}
{"do":"sit","seat":1,"name":"me"}
{"do":"analyse","ms":500,"player":"mcts"}
{"do":"player","seat":0,"player":"random"}
{"do":"preview","text":"a1"}
{"do":"name","name":"x"}
{"do":"resign"}"#,
    r#"arena
{"game":"tictactoe","kind":"gauntlet","players":[{"player":"random"},{"player":"heuristic","name":"h"}],"champion":1,"pairs":3,"seed":7}
{"game":"stones","kind":"swiss","players":[{"player":"random"},{"player":"material"},{"player":"bot:mine"}],"rounds":2,"games":10,"settled":true}
{"game":"duel:8x8","kind":"league","name":"cup","players":[{"player":"strong:ms=50"},{"player":"random"}]}
{"do":"stop","id":1}
{"do":"go"}"#,
    "replays\ngridpaper replay 1\ngame tictactoe\nfirst random\nsecond random\nseed 7\npair 1\n\
     opening 0\nmoves 1\n a1 ~00\nsum 0\n",
];
