/** The view "Runs". */

import type { Page } from "../page.ts";

function Panel() {
  return <p class="empty">A finished run, or one that is under way.</p>;
}

export const runsPage: Page = {
  id: "runs",
  title: "Runs",
  summary: "A finished run, or one that is under way",
  Panel,
};
