/** Where data is looked for: --data DIR, or the environment variable EQUITOPO_DATA. */

import { existsSync } from "node:fs";
import { InputError } from "equitopo";

export const dataVariable = "EQUITOPO_DATA";

/** What a data set needs and where it is usually had: the text of the error when it is not there. */
export interface Wanted {
  readonly title: string;
  readonly files: readonly string[];
  readonly source: string;
}

export function missing({ title, files, source }: Wanted, place: string | undefined): InputError {
  return new InputError(
    `${title} is read from a folder with ${files.join(", ")}`,
    place,
    `fetch them (usually from ${source}) and name the folder with --data DIR or ${dataVariable}`,
  );
}

/** The folder (or archive) that was named, which must be there. */
export function dataPlace(option: string | undefined, wanted: Wanted, environment = process.env): string {
  const place = option ?? environment[dataVariable];
  if (place === undefined || place === "" || !existsSync(place)) throw missing(wanted, place);
  return place;
}
