// The room play: a game is set up at its own address, and played at its table's.

import { find } from "../element.js";
import { startSetup } from "./setup.js";
import { startTable } from "./table.js";

const [, , id] = location.pathname.split("/");
const place = find("play", HTMLElement);
if (id) startTable(place, id);
else startSetup(place);
