// A room that is not here: only the way on, and the theme.

import { startNavigation } from "./navigation.js";
import { startThemeChoice } from "./theme-choice.js";

startThemeChoice();
startNavigation();
