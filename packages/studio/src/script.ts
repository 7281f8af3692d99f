/**
 * The one script of the studio: a page starts here, and so do its workers, from the same text (workers.ts). So the
 * library is in the file once, though both use it. What the page's modules do when they are loaded must therefore be
 * possible in a worker, which has no document.
 */

import { startPage } from "./main.tsx";
import { startWorker } from "./sim.worker.ts";

if (typeof document === "undefined") startWorker();
else startPage();
