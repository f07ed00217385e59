// The page of an address that leads nowhere: in the theme and the language that were chosen.

import "./translation.js";
import { showTheme } from "./shared/theme-choice.js";

showTheme();
