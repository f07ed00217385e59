// The room arena: tournaments are set up and listed at its own address, and watched at theirs.

import { find } from "../element.js";
import { startTournament } from "./tournament.js";
import { startSetup } from "./setup.js";

const [, , id] = location.pathname.split("/");
const place = find("arena", HTMLElement);
if (id) startTournament(place, id);
else startSetup(place);
