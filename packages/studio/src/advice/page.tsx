/** The view "Which topology?". */

import type { Page } from "../page.ts";

function Panel() {
  return <p class="empty">What to choose for a network and a goal, with the reasons.</p>;
}

export const advicePage: Page = {
  id: "advice",
  title: "Which topology?",
  summary: "What to choose for a network and a goal, with the reasons",
  Panel,
};
