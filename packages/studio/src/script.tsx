/**
 * The one script of the studio: a page starts here, and so do its workers, from the same text (desk.ts). So the
 * library is in the file once, though both use it. What the page's modules do when they are loaded must therefore be
 * possible in a worker, which has no document.
 */

import { render } from "preact";
import { App } from "./app.tsx";
import "./runs/served.ts"; // Takes the token out of the address before that follows the view.
import { followAddress } from "./store.ts";
import { jobs } from "./work/jobs.ts";
import { startWorker } from "./work/worker.ts";

if (typeof document === "undefined") startWorker(jobs);
else {
  followAddress();
  render(<App />, document.getElementById("app") as HTMLElement);
}
