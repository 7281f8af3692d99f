/** The view "Spectrum". */

import type { Page } from "../page.ts";

function Panel() {
  return <p class="empty">The eigenvalues of W, and the basis that makes them.</p>;
}

export const spectrumPage: Page = {
  id: "spectrum",
  title: "Spectrum",
  summary: "The eigenvalues of W, and the basis that makes them",
  Panel,
};
