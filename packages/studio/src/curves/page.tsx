/** The view "Curves". */

import type { Page } from "../page.ts";

function Panel() {
  return <p class="empty">How fast disagreement falls: measured, the exact rate, and the bound.</p>;
}

export const curvesPage: Page = {
  id: "curves",
  title: "Curves",
  summary: "How fast disagreement falls: measured, the exact rate, and the bound",
  Panel,
};
