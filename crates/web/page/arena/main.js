// The arena page: /arena sets up and lists tournaments, /arena/ID shows one.

import { find } from "../element.js";
import { startTournament } from "./tournament.js";
import { startSetup } from "./setup.js";

const [, , id] = location.pathname.split("/");
const place = find("arena", HTMLElement);
if (id) startTournament(place, id);
else startSetup(place);
