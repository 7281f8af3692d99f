/** The page's one state: the view, tied to the address both ways, and what is remembered of the person's machine. */

import { effect, signal } from "@preact/signals";
import { type Change, readView, type View, withoutRoom, writeView } from "./view/view.ts";

export const view = signal<View>(readView(location.hash));

/** What the link that was opened had more of than the page shows. */
export const unshown = signal(withoutRoom(location.hash));

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const ADDRESS_EVERY_MS = 300;

export function change(part: Change): void {
  view.value = { ...view.value, ...part };
}

/** The whole address that shows the view with a part changed: for links. (A bare fragment is a way to skip within a page.) */
export function linkTo(part: Change): string {
  return `${location.href.replace(/#.*$/, "")}#${writeView({ ...view.value, ...part })}`;
}

const fragment = () => location.hash.replace(/^#/, "");
let written = fragment();
let isDue = false;

/** From now on a change of the view is one of the address, and the other way round. */
export function followAddress(): void {
  effect(() => {
    const text = writeView(view.value);
    if (text === written || isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      written = writeView(view.peek());
      history.replaceState(null, "", `#${written}`);
    }, ADDRESS_EVERY_MS);
  });
  addEventListener("hashchange", () => {
    if (fragment() === written) return;
    written = fragment();
    view.value = readView(written);
    unshown.value = withoutRoom(written);
  });
}

/** What the person's machine says; nothing in a worker, which is loaded with this file (script.tsx). */
const preference = (query: string) => (typeof matchMedia === "undefined" ? undefined : matchMedia(query));

/** Whether the person has asked for a page that does not move by itself. */
export const calm = preference("(prefers-reduced-motion: reduce)")?.matches ?? false;

const darkness = preference("(prefers-color-scheme: dark)");
const systemTheme = signal(darkness?.matches ?? false);
darkness?.addEventListener("change", ({ matches }) => {
  systemTheme.value = matches;
});

/** The theme that was chosen by hand, for as long as the page is open. */
export const chosenTheme = signal<"light" | "dark" | undefined>(undefined);

/** Pictures on a canvas ask for it where styles have light-dark(). */
export function theme(): "light" | "dark" {
  return chosenTheme.value ?? (systemTheme.value ? "dark" : "light");
}
