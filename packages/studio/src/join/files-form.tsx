/** The form in which a person picks this seat's data. What is picked is read here and goes to this page's worker only. */

import type { NeededFiles } from "@equitopo/nn";
import { useSignal } from "@preact/signals";
import { type Picked, picturesAs, readPicked } from "./picked.ts";
import type { Trouble } from "./shown.ts";
import { inTrouble } from "./trouble.ts";

interface FilesFormProps {
  readonly needed: NeededFiles;
  readonly onPicked: (picked: readonly Picked[]) => void;
}

const titles = {
  examples: "Your examples",
  labels: "Their labels",
  "test examples": "The test's examples, the same for everybody",
  "test labels": "The test's labels",
};

const filesOf = (event: Event) => [...((event.currentTarget as HTMLInputElement).files ?? [])];

/** A folder is picked with an attribute that the types of JSX do not know. */
function FolderInput({ id, onFiles }: { readonly id: string; readonly onFiles: (files: readonly File[]) => void }) {
  const directory = (input: HTMLInputElement | null) => {
    if (input !== null) input.webkitdirectory = true;
  };
  return <input type="file" id={id} multiple ref={directory} onChange={(event) => onFiles(filesOf(event))} />;
}

export function FilesForm({ needed, onPicked }: FilesFormProps) {
  const picked = useSignal<ReadonlyMap<string, Picked>>(new Map());
  const trouble = useSignal<Trouble | undefined>(undefined);
  if (needed.kind === "none") return null;
  /** Takes what was read of the files that somebody picked, or says why not. */
  const take = async (read: () => Promise<readonly Picked[]>) => {
    trouble.value = undefined;
    try {
      const files = await read();
      picked.value = new Map([...picked.value, ...files.map((one) => [one.name, one] as const)]);
    } catch (error) {
      trouble.value = inTrouble(error);
    }
  };
  const complete =
    needed.kind === "folder" ? picked.value.size > 0 : needed.files.every(({ name }) => picked.value.has(name));
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        onPicked([...picked.value.values()]);
      }}
    >
      <h2>Your data</h2>
      <p>It stays in this tab: only models travel to the other seats.</p>
      {needed.kind === "folder" ? (
        <label>
          {needed.wanted.title}: the folder with {needed.wanted.files.join(", ")}
          <FolderInput
            id="folder"
            onFiles={(files) => take(() => Promise.all(files.map((file) => readPicked(file))))}
          />
        </label>
      ) : (
        needed.files.map(({ name, what }) => (
          <label key={name}>
            {titles[what]} ({name.endsWith(".npy") ? ".npy" : ".csv"}; it need not be called {name})
            <input
              type="file"
              accept=".csv,.npy,.gz"
              onChange={(event) =>
                take(() =>
                  Promise.all(
                    filesOf(event)
                      .slice(0, 1)
                      .map((file) => readPicked(file, name)),
                  ),
                )
              }
            />
            <output>{picked.value.has(name) ? `${picked.value.get(name)?.bytes.length} bytes` : ""}</output>
          </label>
        ))
      )}
      {needed.kind === "files" && needed.pictures !== undefined && (
        <label>
          Or your examples as pictures: a folder that holds a folder for each class
          <FolderInput id="pictures" onFiles={(files) => take(() => picturesAs(files, needed))} />
        </label>
      )}
      {trouble.value !== undefined && (
        <p role="alert" class="trouble">
          {trouble.value.what} {trouble.value.remedy}
        </p>
      )}
      <button type="submit" class="primary" disabled={!complete}>
        Train with it
      </button>
    </form>
  );
}
