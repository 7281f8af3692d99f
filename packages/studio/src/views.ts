/**
 * The views that few open, and what their workers do: a file beside the page, views.js, which the page fetches with the first
 * of them and hands on to the workers that it starts from then on (desk.ts).
 */

import { advicePage } from "./advice/page.tsx";
import { runsPage } from "./runs/page.tsx";
import { spectrumPage } from "./spectrum/page.tsx";
import { jobs } from "./work/jobs.ts";
import { rareJobs } from "./work/rare-jobs.ts";

export const views = { spectrum: spectrumPage, advice: advicePage, runs: runsPage };

Object.assign(jobs, rareJobs);
