// The room arena: tournaments are set up and listed at its own address, and watched at theirs.

import { find } from "../element.js";
import { startCup } from "./cup.js";
import { startSetup } from "./setup.js";

const [, , id] = location.pathname.split("/");
const place = find("arena", HTMLElement);
if (id) startCup(place, id);
else startSetup(place);
