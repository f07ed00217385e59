// The room replays.

import { startShell } from "../room/shell.js";

startShell({ keys: [] });
