/** The live stream of the studio that serves this page, for as long as somebody looks at the view. */

import { LiveBoard, type LiveSource, watchLive } from "@equitopo/web";
import { signal } from "@preact/signals";
import { servedBy } from "./served.ts";

/** What is under way; a new list after every change. */
export const sources = signal<readonly LiveSource[]>([]);
export const heard = signal(false);

/** Milliseconds: between two looks at the studio after it was lost, and between two pictures of what it says. */
const [retry, pause] = [2000, 100];

/** Watches until the function that it answers is called. Does nothing where no studio serves the page. */
export function watch(): () => void {
  const stop = new AbortController();
  let board = new LiveBoard();
  let isDue = false;
  const show = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      sources.value = [...board.sources];
    }, pause);
  };
  const listen = async () => {
    const studio = servedBy();
    if (studio === undefined) return;
    try {
      await watchLive({
        ...{ ...studio, signal: stop.signal },
        onBoard: (list) => {
          heard.value = true;
          board = new LiveBoard(list);
          show();
        },
        onLines: (lines) => {
          for (const line of lines) board.take(line);
          show();
        },
      });
    } catch {
      // It is tried again below, and the page says that nobody is heard.
    }
    heard.value = false;
    if (!stop.signal.aborted) setTimeout(listen, retry);
  };
  void listen();
  return () => stop.abort();
}
