/** The views, in the order of their tabs: one line each. Those of views.ts are fetched with the first of them that is opened. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { curvesPage } from "./curves/page.tsx";
import { learningPage } from "./learning/page.tsx";
import type { Page } from "./page.ts";
import { roundsPage } from "./rounds/page.tsx";

type Views = typeof import("./views.ts").views;

const views = signal<Views | undefined>(undefined);
/** Why they are not there, in words. */
const trouble = signal<string | undefined>(undefined);

function fetchViews(): void {
  trouble.value = undefined;
  import("./views.ts").then(
    (fetched) => {
      views.value = fetched.views;
    },
    ({ message }: Error) => {
      trouble.value = message;
    },
  );
}

function Fetching() {
  useEffect(fetchViews, []);
  if (trouble.value === undefined) return <p class="empty">One moment.</p>;
  return (
    <p class="trouble" role="alert">
      {trouble.value}
    </p>
  );
}

function rare(id: keyof Views, title: string, summary: string): Page {
  const body = () => views.value?.[id];
  return {
    ...{ id, title, summary },
    Panel() {
      const { Panel = Fetching } = body() ?? {};
      return <Panel />;
    },
    pictures: () => body()?.pictures?.() ?? [],
    sheets: () => body()?.sheets?.() ?? [],
    exported: (view) => body()?.exported?.(view),
  };
}

export const pages: readonly Page[] = [
  roundsPage,
  curvesPage,
  learningPage,
  rare(
    "spectrum",
    "Spectrum",
    "What a round does to every direction of disagreement: eigenvalues on the complex plane, and the circle that none may leave.",
  ),
  rare(
    "advice",
    "Which topology?",
    "The library's adviser: what reaches your goal first on your network, how sure that is, and why.",
  ),
  rare("runs", "Runs", "A finished run, or one that is under way: curves, tables, peers and their faults"),
];
