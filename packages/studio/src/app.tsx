/** The shell: the name, the tabs, the view that is chosen, and what stands over it (help, export, the tour). */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { ExportDialog } from "./export/dialog.tsx";
import { HelpDialog } from "./help.tsx";
import { listenToKeys } from "./keys.ts";
import type { Page, Shortcut } from "./page.ts";
import { pages } from "./pages.ts";
import { Icon } from "./part/icon.tsx";
import { change, chosenTheme, linkTo, theme, view } from "./store.ts";
import { Tour } from "./tour.tsx";

const shown = (): Page => pages.find(({ id }) => id === view.value.view) ?? pages[0];

export function App() {
  const over = useSignal<"help" | "export" | "tour" | undefined>(undefined);
  const turnTheme = () => {
    chosenTheme.value = theme() === "dark" ? "light" : "dark";
  };
  const keys: readonly Shortcut[] = [
    { key: "?", says: "this help", act: () => (over.value = "help") },
    { key: "e", says: "export the view", act: () => (over.value = "export") },
    { key: "g", says: "the tour, for those new to gossip", act: () => (over.value = "tour") },
    { key: "d", says: "dark or light", act: turnTheme },
  ];
  // Before anything is seen: a key that is pressed at first sight counts.
  useLayoutEffect(() => listenToKeys(keys, shown), []);
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
          equitopo <span class="product">studio</span>
        </h1>
        <nav aria-label="Views">
          {pages.map(({ id, title }) => (
            <a
              key={id}
              href={linkTo({ view: id })}
              aria-current={id === page.id ? "page" : undefined}
              onClick={(event) => {
                event.preventDefault();
                change({ view: id });
              }}
            >
              {title}
            </a>
          ))}
        </nav>
        <div class="tools">
          <button type="button" onClick={() => (over.value = "tour")}>
            Tour
          </button>
          <button type="button" onClick={() => (over.value = "export")}>
            Export
          </button>
          <button type="button" aria-label="Dark or light" onClick={turnTheme}>
            <Icon name="theme" />
          </button>
          <button type="button" aria-label="Help" onClick={() => (over.value = "help")}>
            ?
          </button>
        </div>
      </header>
      <main id={page.id}>
        <p class="summary">{page.summary}</p>
        <page.Panel key={page.id} />
      </main>
      {over.value === "help" ? <HelpDialog keys={keys} page={page} onClose={close} /> : null}
      {over.value === "export" ? <ExportDialog page={page} onClose={close} /> : null}
      {over.value === "tour" ? <Tour onClose={close} /> : null}
    </>
  );
}
