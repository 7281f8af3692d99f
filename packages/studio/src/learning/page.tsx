/** The view "Learning". */

import type { Page } from "../page.ts";

function Panel() {
  return <p class="empty">Decentralised training on data that one can see.</p>;
}

export const learningPage: Page = {
  id: "learning",
  title: "Learning",
  summary: "Decentralised training on data that one can see",
  Panel,
};
