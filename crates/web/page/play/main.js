// The play page: /play sets up a game, /play/ID is its table.

import { find } from "../element.js";
import { namedTable } from "../shared/server.js";
import { startSetup } from "./setup.js";
import { startTable } from "./table.js";

const id = namedTable();
const place = find("play", HTMLElement);
if (id) startTable(place, id);
else startSetup(place);
