/** A text of the user's own: a file, or all files of a folder in the order of their names. */

import { InputError } from "equitopo/internal/input";
import { missing, readNamed, type WantedFiles } from "../data/member.ts";
import { text } from "../options.ts";
import { defineText } from "./member.ts";

const wanted: WantedFiles = { title: "A text", files: ["any files"] };

export const ownText = defineText({
  name: "text",
  summary: "a file of your own, or all files of a folder",
  options: { path: text("a file or a folder in --data DIR; the folder itself if left out") },
  wanted,
  open({ path = "" }, { files }) {
    const names = path !== "" && files?.has(path) && files.list?.(path).length === 0 ? [path] : files?.list?.(path);
    if (files === undefined || names === undefined || names.length === 0) {
      if (path === "") throw missing(wanted, files?.place);
      throw new InputError("the text must be a file or a folder with files", path, "check its name, and --data DIR");
    }
    return names.map((name) => readNamed(files, name));
  },
});
