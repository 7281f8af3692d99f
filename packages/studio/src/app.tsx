/** The shell: the name, the tabs, the chosen view, and the windows over it (help, export, the tour). */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { ExportDialog } from "./export/dialog.tsx";
import { graphTrouble, openGraph } from "./graph-file.ts";
import { HelpDialog } from "./help.tsx";
import { listenToKeys } from "./keys.ts";
import type { Page } from "./page.ts";
import { pages } from "./pages.tsx";
import { Icon } from "./part/icon.tsx";
import { ViewLink } from "./part/view-link.tsx";
import { chosenTheme, theme, unshown, view } from "./store.ts";
import { steps, Tour } from "./tour.tsx";
import { MOST_TOPOLOGIES } from "./view/fields.ts";
import { labelOf } from "./view/topology-field.ts";

const shown = (): Page => pages.find(({ id }) => id === view.value.view) ?? pages[0];

/** A graph on the page; what a view takes itself (a run's folder) it has taken before. */
function dropGraph(event: DragEvent): void {
  const file = event.dataTransfer?.files[0];
  if (event.defaultPrevented || file === undefined) return;
  event.preventDefault();
  void openGraph(file);
}

export function App() {
  const over = useSignal<"help" | "export" | "tour" | undefined>(undefined);
  /** Whoever comes by a link knows what it shows; whoever comes without one is given the first words of the tour. */
  const isLanding = useSignal(location.hash.length < 2);
  const turnTheme = () => {
    chosenTheme.value = theme() === "dark" ? "light" : "dark";
  };
  const [tour, exporting, help] = (["tour", "export", "help"] as const).map((what) => () => {
    over.value = what;
  });
  /** By their keys and by buttons. */
  const tools = [
    { key: "g", says: "the tour, for those new to gossip", act: tour, label: "Tour", sign: "Tour" },
    { key: "e", says: "export the view", act: exporting, label: "Export", sign: "Export" },
    { key: "d", says: "dark or light", act: turnTheme, label: "Dark or light", sign: <Icon name="theme" /> },
    { key: "?", says: "this help", act: help, label: "Help", sign: "?" },
  ];
  // Before anything is seen: a key that is pressed at first sight counts.
  useLayoutEffect(() => listenToKeys(tools, shown), []);
  useEffect(() => {
    document.documentElement.style.colorScheme = chosenTheme.value ?? "light dark";
  }, [chosenTheme.value]);
  const page = shown();
  // On a phone the tabs are wider than the screen.
  useEffect(
    () => document.querySelector("nav [aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" }),
    [page],
  );
  const close = () => {
    over.value = undefined;
  };
  return (
    <>
      <header class="top">
        <h1>
          equitopo <small>studio</small>
        </h1>
        <nav aria-label="Views">
          {pages.map(({ id, title }) => (
            <ViewLink key={id} shows={{ view: id }} isHere={id === page.id}>
              {title}
            </ViewLink>
          ))}
        </nav>
        <div class="tools">
          {tools.map(({ key, label, sign, act }) => (
            <button key={key} type="button" class="quiet" aria-label={label} onClick={act}>
              {sign}
            </button>
          ))}
        </div>
      </header>
      <main id={page.id} onDrop={dropGraph} onDragOver={(event) => event.preventDefault()}>
        {isLanding.value && page === pages[0] && over.value !== "tour" ? (
          <p class="why" id="landing">
            {steps[0].text}{" "}
            <button type="button" class="quiet" onClick={tour}>
              Go on with the tour
            </button>
          </p>
        ) : (
          <p class="caption">{page.summary}</p>
        )}
        {graphTrouble.value === undefined ? null : (
          <p class="trouble" role="alert">
            {graphTrouble.value}
          </p>
        )}
        {unshown.value.length === 0 ? null : (
          <p class="trouble" id="unshown">
            This link has more topologies than the {MOST_TOPOLOGIES} that are shown. Left out:{" "}
            {unshown.value.map(labelOf).join(", ")}.
          </p>
        )}
        <page.Panel key={page.id} />
      </main>
      {over.value === "help" ? <HelpDialog keys={tools} page={page} onClose={close} /> : null}
      {over.value === "export" ? <ExportDialog page={page} onClose={close} /> : null}
      {over.value === "tour" ? <Tour onClose={close} /> : null}
    </>
  );
}
