/** The view "Rounds". */

import type { Page } from "../page.ts";

function Panel() {
  return <p class="empty">Who talks to whom, round by round, and how their values become one.</p>;
}

export const roundsPage: Page = {
  id: "rounds",
  title: "Rounds",
  summary: "Who talks to whom, round by round, and how their values become one",
  Panel,
};
