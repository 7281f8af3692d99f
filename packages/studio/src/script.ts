/**
 * The one script of the studio: a page starts here, and so do its workers, from the same text (workers.ts). So the
 * library is in the file once, though both use it. Nothing that is imported here may need a window before it is asked to.
 */

import { startPage } from "./main.tsx";
import { startWorker } from "./sim.worker.ts";

if (typeof document === "undefined") startWorker();
else startPage();
