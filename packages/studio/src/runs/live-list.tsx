/** What is under way, to choose from. */

import { useEffect } from "preact/hooks";
import { change, view } from "../store.ts";
import { servedBy } from "./served.ts";
import { heard, sources, watch } from "./stream.ts";

export function LiveList() {
  useEffect(watch, []);
  if (servedBy() === undefined) return null;
  return (
    <section class="panel">
      <h2>Under way</h2>
      {heard.value ? null : (
        <p class="trouble" role="status">
          The studio is not heard: it has ended, or its token is another one.
        </p>
      )}
      {sources.value.length === 0 ? (
        <p class="note">
          Nothing yet. Runs and peers report here with --report and the address that equitopo studio printed.
        </p>
      ) : (
        <ul class="choices" id="live-list">
          {[...sources.value].reverse().map(({ source, title, over }) => (
            <li key={source}>
              <button
                type="button"
                aria-pressed={view.value.live === source}
                onClick={() => change({ live: source, run: undefined })}
              >
                {title} <span class="note">{over ? "over" : "live"}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
