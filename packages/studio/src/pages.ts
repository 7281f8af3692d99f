/** The views, in the order of their tabs: one line each. */

import { advicePage } from "./advice/page.tsx";
import { curvesPage } from "./curves/page.tsx";
import { learningPage } from "./learning/page.tsx";
import type { Page } from "./page.ts";
import { roundsPage } from "./rounds/page.tsx";
import { runsPage } from "./runs/page.tsx";
import { spectrumPage } from "./spectrum/page.tsx";

export const pages: readonly Page[] = [roundsPage, curvesPage, learningPage, spectrumPage, advicePage, runsPage];
