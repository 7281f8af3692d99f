/** Tiny Shakespeare: 1,115,394 bytes of 65 characters (Karpathy's char-rnn), on which nanoGPT's small models are trained. */

import { sha256 } from "equitopo/number";
import { find, missing, readNamed, type WantedFiles } from "../data/member.ts";
import { defineText, requireHash } from "./member.ts";

const names = ["tinyshakespeare.txt", "shakespeare.txt", "input.txt"];

const wanted: WantedFiles = {
  title: "Tiny Shakespeare",
  files: [`${names[0]}[.gz] (or ${names.slice(1).join(", ")})`],
  source: "https://github.com/karpathy/char-rnn/tree/master/data/tinyshakespeare",
};

export const shakespeare = defineText({
  name: "shakespeare",
  summary: "tiny Shakespeare, 1.1 MB of 65 characters",
  options: {},
  wanted,
  open(_options, { files }) {
    const name = find(files, ["", "tinyshakespeare", "shakespeare"], names);
    if (files === undefined || name === undefined) throw missing(wanted, files?.place);
    const found = readNamed(files, name);
    const expected = "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed";
    requireHash(name, sha256(found.bytes), expected);
    return [found];
  },
});
