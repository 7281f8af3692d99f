/** What a view hands to the shell: its name, what it shows, its keys, and what can be exported of it. */

import type { SpecDocument } from "equitopo";
import type { Paper, Picture } from "equitopo/picture";
import type { ComponentType } from "preact";
import type { View } from "./view/view.ts";

/** A key of the keyboard and what it does; the help lists them. */
export interface Shortcut {
  /** As KeyboardEvent.key has it: "k", " ", "ArrowRight". */
  readonly key: string;
  readonly says: string;
  act(): void;
}

/** A spec that can be run elsewhere, and the commands that show the same as the view. */
export interface Exported {
  readonly document: SpecDocument;
  /** Whole command lines. */
  readonly commands: readonly string[];
  /** What the spec is to the view, in a sentence. */
  readonly says: string;
}

/** A figure that comes as SVG text already, as those of curves do: saved like a picture, in either theme. */
export interface Figure extends Omit<Picture, "draw"> {
  svg(theme: Paper["theme"]): string;
}

/** A cell of a table; an empty one where there is nothing. */
export type Cell = string | number | null | undefined;

/** Numbers as a table, saved as CSV. */
export interface Sheet {
  /** What it is called, and its file without an ending. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What a view shows and what can be taken along of it. */
export interface PageBody {
  readonly Panel: ComponentType;
  readonly keys?: readonly Shortcut[];
  /** The pictures now on the screen, for SVG and PNG. */
  pictures?(): readonly (Picture | Figure)[];
  /** The numbers now on the screen, for CSV. */
  sheets?(): readonly Sheet[];
  exported?(view: View): Exported | undefined;
}

export interface Page extends PageBody {
  readonly id: View["view"];
  readonly title: string;
  /** What one sees here, in one line. */
  readonly summary: string;
}
