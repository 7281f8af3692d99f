/** The view "Runs": what is under way, and what was finished. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PageBody } from "../page.ts";
import { change, view } from "../store.ts";
import { Folder, folderFigures } from "./folder.tsx";
import { library, openFiles, openServed, show, shown, trouble } from "./library.ts";
import { Live, liveFigures } from "./live.tsx";
import { droppedFiles, pickedFiles } from "./run-files.ts";
import { servedBy } from "./served.ts";
import { heard, sources, watch } from "./stream.ts";

function Panel() {
  const over = useSignal(false);
  useEffect(() => {
    if (library.value.length === 0) void openServed();
  }, []);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    over.value = false;
    // What was dropped can be asked for only now, though it is read later.
    if (event.dataTransfer !== null) void droppedFiles(event.dataTransfer).then(openFiles);
  };
  const hover = (event: DragEvent) => {
    event.preventDefault();
    over.value = event.type === "dragover";
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has a button that does the same
    <div class={over.value ? "bench drop" : "bench"} onDrop={drop} onDragOver={hover} onDragLeave={hover}>
      <div class="controls">
        <LiveList />
        <Open />
      </div>
      <div class="stage">{view.value.live === undefined ? <Chosen /> : <Live source={view.value.live} />}</div>
    </div>
  );
}

function LiveList() {
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
        <Choices
          id="live-list"
          entries={sources.value.toReversed().map(({ source, title, over }) => ({
            ...{ title, note: over ? "over" : "live", isShown: view.value.live === source },
            choose: () => change({ live: source, run: undefined }),
          }))}
        />
      )}
    </section>
  );
}

interface Entry {
  readonly title: string;
  readonly note?: string;
  readonly isShown: boolean;
  choose(): void;
}

function Choices({ id, entries }: { readonly id: string; readonly entries: readonly Entry[] }) {
  return (
    <ul class="choices" id={id}>
      {entries.map(({ title, note, isShown, choose }, k) => (
        <li key={k}>
          <button type="button" aria-pressed={isShown} onClick={choose}>
            {title} <span class="note">{note}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Open() {
  return (
    <section class="panel">
      <h2>Finished runs</h2>
      <label class="button">
        Open a folder
        <input
          id="pick"
          type="file"
          multiple
          // Preact passes it on as an attribute.
          {...{ webkitdirectory: true }}
          onChange={({ currentTarget: { files } }) => files !== null && void openFiles(pickedFiles(files))}
        />
      </label>
      <p class="note">
        Of a run (runs/…), or one with several; or drop it onto the page. The files are read here and go nowhere.
      </p>
      {library.value.length === 0 ? null : (
        <Choices
          id="runs-list"
          entries={library.value.map((run) => ({
            ...{ title: run.name, isShown: run.name === shown.value?.name, choose: () => void show(run) },
          }))}
        />
      )}
    </section>
  );
}

function Chosen() {
  if (trouble.value !== undefined) {
    return (
      <p class="trouble" role="alert" id="runs-trouble">
        {trouble.value}
      </p>
    );
  }
  if (shown.value !== undefined) return <Folder run={shown.value} />;
  return (
    <div class="empty">
      <p>Nothing is open. Make a run and come back with its folder:</p>
      <pre>equitopo run spec.yaml --out runs/mine</pre>
      <p>
        {servedBy() === undefined ? "Or let a studio serve it, and watch runs while they go on:" : "Or watch one live:"}
      </p>
      <pre>{servedBy() === undefined ? "equitopo studio runs/mine" : "equitopo run spec.yaml --report ADDRESS"}</pre>
    </div>
  );
}

export const runsPage: PageBody = {
  Panel,
  pictures() {
    const { live, against } = view.peek();
    const source = sources.peek().find((one) => one.source === live);
    if (source !== undefined) return liveFigures(source);
    const run = shown.peek();
    return run === undefined || live !== undefined ? [] : folderFigures(run, against);
  },
  sheets() {
    const run = shown.peek();
    if (run === undefined || view.peek().live !== undefined) return [];
    const named = (name: string) => `${run.name}-${name.toLowerCase().replaceAll(" ", "-")}`;
    return run.outcomes.flatMap(({ tables }) => tables.map((table) => ({ ...table, name: named(table.name) })));
  },
};
