/** What can be taken along: a link, the pictures, and a spec with the commands that run it. */

import { useSignal } from "@preact/signals";
import type { Page } from "../page.ts";
import { Dialog } from "../part/dialog.tsx";
import { linkTo, theme, view } from "../store.ts";
import { csvOf } from "./csv.ts";
import { savePng, saveSvg, saveText } from "./save.ts";
import { yamlOf } from "./yaml.ts";

/** A text to be copied, with a button for it where the browser lets pages write to the clipboard. */
function Copied({ text, label }: { text: string; label: string }) {
  const copied = useSignal(false);
  return (
    <div class="row">
      <textarea readOnly rows={Math.min(12, text.trimEnd().split("\n").length)} aria-label={label} value={text} />
      {navigator.clipboard === undefined ? null : (
        <button
          type="button"
          aria-label={`Copy: ${label}`}
          onClick={async () => {
            await navigator.clipboard.writeText(text);
            copied.value = true;
          }}
        >
          {copied.value ? "Copied" : "Copy"}
        </button>
      )}
    </div>
  );
}

export function ExportDialog({ page, onClose }: { page: Page; onClose(): void }) {
  const pictures = page.pictures?.() ?? [];
  const sheets = page.sheets?.() ?? [];
  const exported = page.exported?.(view.value);
  const spec = exported && `# ${exported.says}\n# equitopo run view.yaml\n${yamlOf(exported.document)}`;
  return (
    <Dialog title="Export" onClose={onClose}>
      <h3>A link to this view</h3>
      <Copied text={linkTo({})} label="Link" />
      {pictures.length === 0 ? null : <h3>Pictures</h3>}
      {pictures.map((picture) => (
        <p class="row" key={picture.name}>
          <span>{picture.title}</span>
          <button type="button" onClick={() => saveSvg(picture, theme())}>
            SVG
          </button>
          <button type="button" onClick={() => void savePng(picture, theme())}>
            PNG
          </button>
        </p>
      ))}
      {sheets.length === 0 ? null : <h3>Numbers</h3>}
      {sheets.map((sheet) => (
        <p class="row" key={sheet.name}>
          <span>{sheet.name}.csv</span>
          <button type="button" onClick={() => saveText(`${sheet.name}.csv`, csvOf(sheet), "text/csv")}>
            CSV
          </button>
        </p>
      ))}
      {exported === undefined || spec === undefined ? null : (
        <>
          {exported.commands.length === 0 ? null : (
            <>
              <h3>The same from a terminal</h3>
              <Copied text={exported.commands.join("\n")} label="Commands" />
            </>
          )}
          <h3>A spec</h3>
          <p>{exported.says}</p>
          <Copied text={spec} label="Spec as YAML" />
          <p class="row">
            <span>
              Run it: <code>equitopo run view.yaml</code>
            </span>
            <button type="button" onClick={() => saveText("view.yaml", spec, "application/yaml")}>
              Save view.yaml
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}
