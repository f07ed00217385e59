// The room classroom.

import { startShell } from "../room/shell.js";

startShell({ keys: [] });
