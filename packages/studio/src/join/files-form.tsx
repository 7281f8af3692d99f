/** The form in which a person picks this seat's data. What is picked is read here and goes to this page's worker only. */

import type { DataFile, NeededFiles } from "@equitopo/nn";
import { useSignal } from "@preact/signals";
import { type Picked, picturesAs, readPicked } from "./files.ts";
import type { Trouble } from "./page-state.ts";
import { inTrouble } from "./trouble.ts";

const titles: Readonly<Record<DataFile["what"], string>> = {
  examples: "Your examples",
  labels: "Their labels",
  "test examples": "The test's examples, the same for everybody",
  "test labels": "The test's labels, the same for everybody",
};

/** Something to be picked: a folder with all its files, or one file. */
interface Choice {
  readonly id: string;
  readonly text: string;
  readonly folder: boolean;
  read(files: readonly File[]): Promise<readonly Picked[]>;
}

function choicesOf(needed: NeededFiles): Choice[] {
  const readAll = (files: readonly File[], name?: string) => Promise.all(files.map((file) => readPicked(file, name)));
  if (needed.kind === "none") return [];
  if (needed.kind === "folder") {
    const text = `${needed.wanted.title}: the folder with ${needed.wanted.files.join(", ")}`;
    return [{ id: "folder", text, folder: true, read: (files) => readAll(files) }];
  }
  const pictures: Choice = {
    ...{ id: "pictures", text: "Or your examples as pictures: a folder that holds a folder for each class" },
    ...{ folder: true, read: (files) => picturesAs(files, needed) },
  };
  const files = needed.files.map(({ name, what }): Choice => {
    const text = `${titles[what]}: a file like ${name}, under any name`;
    return { id: what.replace(" ", "-"), text, folder: false, read: (files) => readAll(files, name) };
  });
  return needed.pictures === undefined ? files : [...files, pictures];
}

type FilesFormProps = { needed: NeededFiles; onPicked: (picked: readonly Picked[]) => void };

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
  const { size } = picked.value;
  const lacking = needed.kind === "files" ? needed.files.filter(({ name }) => !picked.value.has(name)) : [];
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
      {choicesOf(needed).map(({ id, text, folder, read }) => (
        <div class="field" key={id}>
          <label for={id}>{text}</label>
          <input
            type="file"
            id={id}
            multiple={folder}
            // The types of JSX do not know the attribute that makes a folder of it.
            {...{ webkitdirectory: folder }}
            onChange={({ currentTarget: { files } }) => take(read([...(files ?? [])]))}
          />
        </div>
      ))}
      {trouble.value !== undefined && (
        <p role="alert" class="trouble">
          {trouble.value.what} {trouble.value.remedy}
        </p>
      )}
      <p id="lacking" role="status">
        {size > 0 && lacking.length > 0 && `Still to choose: ${lacking.map(({ what }) => what).join(", ")}.`}
        {size > 0 && lacking.length === 0 && `Read: ${size} ${size === 1 ? "file" : "files"}.`}
      </p>
      <button type="submit" class="main" disabled={size === 0 || lacking.length > 0}>
        Train with it
      </button>
    </form>
  );
}
