/** The keyboard: which keys do what, and when a key is somebody else's. */

import type { Page, Shortcut } from "./page.ts";
import { pages } from "./pages.tsx";
import { change } from "./store.ts";

/** Digits go to the views. */
export const viewKeys: readonly Shortcut[] = pages.map(({ id, title }, place) => ({
  key: String(place + 1),
  says: title,
  act: () => change({ view: id }),
}));

export function keyName(key: string): string {
  const names: Record<string, string> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
  return names[key] ?? key;
}

/** Whether the key belongs to the control that has the focus: letters to text, arrows to sliders, Space to buttons. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // A dialog that was just closed keeps the focus until it leaves the page: its keys are the page's again.
  const dialog = target.closest("dialog");
  if (dialog !== null) return dialog.open;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLInputElement) {
    const letters = !["range", "checkbox", "radio"].includes(target.type);
    return letters || key.startsWith("Arrow") || key === " ";
  }
  return (key === " " || key === "Enter") && target.closest("button, a, summary") !== null;
}

/** Lets the keys of the page and of the view that is shown do what they say. */
export function listenToKeys(shell: readonly Shortcut[], shown: () => Page): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target, event.key)) return;
    const found = [...shell, ...viewKeys, ...(shown().keys ?? [])].find(({ key }) => key === event.key);
    if (found === undefined) return;
    event.preventDefault();
    found.act();
  });
}
