// The room play.

import { startShell } from "../room/shell.js";

startShell({ keys: [] });
