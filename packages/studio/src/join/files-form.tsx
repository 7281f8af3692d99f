/** The form in which a person picks this seat's data. What is picked is read here and goes to this page's worker only. */

import type { DataFile, NeededFiles } from "@equitopo/nn";
import { useSignal } from "@preact/signals";
import { type Picked, picturesAs, readPicked } from "./picked.ts";
import type { Trouble } from "./shown.ts";
import { inTrouble } from "./trouble.ts";

const titles: Readonly<Record<DataFile["what"], string>> = {
  examples: "Your examples",
  labels: "Their labels",
  "test examples": "The test's examples, the same for everybody",
  "test labels": "The test's labels, the same for everybody",
};

interface FileChoiceProps {
  readonly id: string;
  readonly text: string;
  /** A folder with all its files, not one file. */
  readonly folder?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

function FileChoice({ id, text, folder = false, onFiles }: FileChoiceProps) {
  // The types of JSX do not know the attribute that makes a folder of it.
  const prepare = (input: HTMLInputElement | null) => {
    if (input !== null) input.webkitdirectory = folder;
  };
  return (
    <div class="choice">
      <label for={id}>{text}</label>
      <input
        type="file"
        id={id}
        multiple={folder}
        ref={prepare}
        onChange={({ currentTarget }) => onFiles([...(currentTarget.files ?? [])])}
      />
    </div>
  );
}

interface FilesFormProps {
  readonly needed: NeededFiles;
  readonly onPicked: (picked: readonly Picked[]) => void;
}

export function FilesForm({ needed, onPicked }: FilesFormProps) {
  const picked = useSignal<ReadonlyMap<string, Picked>>(new Map());
  const trouble = useSignal<Trouble | undefined>(undefined);
  if (needed.kind === "none") return null;
  /** Takes what was read of the files that somebody picked, or says why not. */
  const take = async (read: Promise<readonly Picked[]>) => {
    trouble.value = undefined;
    try {
      const files = await read;
      picked.value = new Map([...picked.value, ...files.map((one) => [one.name, one] as const)]);
    } catch (error) {
      trouble.value = inTrouble(error);
    }
  };
  const all = (files: readonly File[], name?: string) => take(Promise.all(files.map((file) => readPicked(file, name))));
  const lacking = needed.kind === "files" ? needed.files.filter(({ name }) => !picked.value.has(name)) : [];
  const complete = picked.value.size > 0 && lacking.length === 0;
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
      {needed.kind === "folder" && (
        <FileChoice
          folder
          id="folder"
          text={`${needed.wanted.title}: the folder with ${needed.wanted.files.join(", ")}`}
          onFiles={(files) => all(files)}
        />
      )}
      {needed.kind === "files" &&
        needed.files.map(({ name, what }) => (
          <FileChoice
            key={name}
            id={what.replace(" ", "-")}
            text={`${titles[what]}: a file like ${name}, under any name`}
            onFiles={(files) => all(files, name)}
          />
        ))}
      {needed.kind === "files" && needed.pictures !== undefined && (
        <FileChoice
          folder
          id="pictures"
          text="Or your examples as pictures: a folder that holds a folder for each class"
          onFiles={(files) => take(picturesAs(files, needed))}
        />
      )}
      {trouble.value !== undefined && (
        <p role="alert" class="trouble">
          {trouble.value.what} {trouble.value.remedy}
        </p>
      )}
      <p id="lacking" role="status">
        {lacking.length > 0 &&
          picked.value.size > 0 &&
          `Still to choose: ${lacking.map(({ what }) => what).join(", ")}.`}
        {complete && `Read: ${picked.value.size} ${picked.value.size === 1 ? "file" : "files"}.`}
      </p>
      <button type="submit" class="primary" disabled={!complete}>
        Train with it
      </button>
    </form>
  );
}
