/** Every view with something on it: an address that shows it, and what is there once it is complete. */

import type { Page } from "playwright-core";

export interface ShownView {
  readonly name: string;
  /** What stands behind the # of the address. */
  readonly view: string;
  /** Resolves when all is shown; `run` is a run's folder. */
  ready(page: Page, run: string): Promise<unknown>;
}

export const shownViews: readonly ShownView[] = [
  {
    name: "rounds",
    view: "topology=od-equidyn,ring&n=64&start=split&rounds=40&t=8&node=5",
    ready: (page) => page.locator('.network[data-topology="ring"][data-t="8"]').waitFor(),
  },
  {
    name: "curves",
    view: "view=curves&topology=od-equidyn,ou-equidyn,static-exp,ring&n=300&rounds=80",
    ready: (page) => page.locator("#curves-table tr[data-errors][data-rate]").nth(3).waitFor(),
  },
  {
    name: "learning",
    view: "view=learning&update=120&learningNode=5",
    ready: (page) => page.locator('.trained[data-topology="ring"] [data-fact="node"]').waitFor(),
  },
  { name: "spectrum", view: "view=spectrum", ready: (page) => page.locator("#spectrum canvas").first().waitFor() },
  {
    name: "advice",
    view: "view=advice&n=64",
    ready: (page) => page.getByText("All families that are registered were asked.").waitFor(),
  },
  {
    name: "runs",
    view: "view=runs",
    ready: async (page, run) => {
      await page.locator("#pick").setInputFiles(run);
      await page.locator("#curves-run").waitFor();
    },
  },
];
