// Starts the program of worlds while the page's own modules are on their way.

import { link } from "./shared/server.js";

void link.problem();
