// The room arena.

import { startShell } from "../room/shell.js";

startShell({ keys: [] });
