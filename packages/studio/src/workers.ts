/** Where the page's desks get their workers: the script is inside the page, since a file on a disk has no neighbours. */

import { type Desk, type Line, openDesk } from "./desk.ts";
import SimWorker from "./sim.worker.ts?worker&inline";

/** A desk with a worker of its own. */
export const newDesk = (): Desk => openDesk(() => new SimWorker() as unknown as Line);
