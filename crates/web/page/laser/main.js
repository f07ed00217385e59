// The room laser.

import { startShell } from "../room/shell.js";

startShell({ keys: [] });
