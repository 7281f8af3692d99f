/**
 * Arimo, in which figures are set, for a file that has to hold its letters: which glyph a letter is, how wide it is, and a
 * TrueType font with the glyphs that were used. (Journals refuse files whose fonts are not inside.)
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const weights = { normal: "400Regular/Arimo_400Regular.ttf", bold: "700Bold/Arimo_700Bold.ttf" };
export type Weight = keyof typeof weights;

export const fontFile = (weight: Weight): string =>
  createRequire(import.meta.url).resolve(`@expo-google-fonts/arimo/${weights[weight]}`);

/** What a reader needs of a font whose glyphs are called by their numbers. */
const needed = ["glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"];

/** Bits of a part of a composite glyph: its places have two bytes; a scale; more parts; two scales; four. */
const [WORDS, SCALE, MORE, TWO, FOUR] = [0x01, 0x08, 0x20, 0x40, 0x80];

export type Font = ReturnType<typeof openFont>;

export function openFont(weight: Weight) {
  const file = readFileSync(fontFile(weight));
  const tables = new Map<string, Buffer>();
  for (let at = 12; at < 12 + 16 * file.readUInt16BE(4); at += 16) {
    const [from, length] = [file.readUInt32BE(at + 8), file.readUInt32BE(at + 12)];
    tables.set(file.toString("latin1", at, at + 4), file.subarray(from, from + length));
  }
  const [head, hhea, hmtx, loca, glyf, cmap] = ["head", "hhea", "hmtx", "loca", "glyf", "cmap"].map(
    (name) => tables.get(name) as Buffer,
  );
  /** In thousandths of the font's size, as everything here. */
  const thousandths = (units: number) => Math.round((1000 * units) / head.readUInt16BE(18));
  const placeOf = (glyph: number) =>
    head.readUInt16BE(50) === 1 ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph);
  const glyphOf = glyphsOf(cmap);
  /** The glyphs that were used, each with its letter; 0 is drawn for letters that the font lacks. */
  const used = new Map<number, string>([[0, "\ufffd"]]);
  return {
    name: `Arimo-${weight}`,
    used: used as ReadonlyMap<number, string>,
    width: (glyph: number) => thousandths(hmtx.readUInt16BE(4 * Math.min(glyph, hhea.readUInt16BE(34) - 1))),
    ascent: thousandths(hhea.readInt16BE(4)),
    descent: thousandths(hhea.readInt16BE(6)),
    box: [36, 38, 40, 42].map((at) => thousandths(head.readInt16BE(at))),

    /** The glyphs of a text, which are used from now on. */
    glyphsOf: (text: string): number[] =>
      Array.from(text, (letter) => {
        const glyph = glyphOf(letter.codePointAt(0) as number);
        if (!used.has(glyph)) used.set(glyph, letter);
        return glyph;
      }),

    /** The font with the glyphs used so far: the others are blank, where they were, and cost next to nothing once packed. */
    subset(): Buffer {
      const shapes = Buffer.alloc(glyf.length);
      // A used glyph may be made of others.
      const all = new Set(used.keys());
      for (const glyph of all) {
        const shape = glyf.subarray(placeOf(glyph), placeOf(glyph + 1));
        shape.copy(shapes, placeOf(glyph));
        if (shape.length === 0 || shape.readInt16BE(0) >= 0) continue;
        for (let at = 10, flags = MORE; (flags & MORE) !== 0; ) {
          flags = shape.readUInt16BE(at);
          all.add(shape.readUInt16BE(at + 2));
          at += 4 + (flags & WORDS ? 4 : 2) + (flags & SCALE ? 2 : flags & TWO ? 4 : flags & FOUR ? 8 : 0);
        }
      }
      tables.set("glyf", shapes);
      return fontOf(needed.map((name) => [name, tables.get(name) as Buffer]));
    },
  };
}

/** The glyph of a character, by the table of format 4 (ranges of 16 bits): start, end, and what is added or looked up. */
function glyphsOf(cmap: Buffer): (code: number) => number {
  const places = Array.from({ length: cmap.readUInt16BE(2) }, (_, k) => cmap.readUInt32BE(8 + 8 * k));
  const map = cmap.subarray(places.find((at) => cmap.readUInt16BE(at) === 4));
  const column = map.readUInt16BE(6);
  return (code) => {
    let at = 14;
    while (at < 14 + column && code > map.readUInt16BE(at)) at += 2;
    if (at === 14 + column) return 0;
    const look = at + 2 + 3 * column;
    const [start, delta, offset] = [look - 2 * column, look - column, look].map((place) => map.readUInt16BE(place));
    if (code < start) return 0;
    const glyph = offset === 0 ? code : map.readUInt16BE(look + offset + 2 * (code - start));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  };
}

/** Tables behind their directory; each begins at a multiple of four bytes, and the sum of its words is beside its name. */
function fontOf(tables: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  const directory = Buffer.alloc(12 + 16 * tables.length);
  directory.writeUInt32BE(0x10000);
  directory.writeUInt16BE(tables.length, 4);
  const parts = [directory];
  let length = directory.length;
  for (const [k, [name, bytes]] of tables.entries()) {
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
    let sum = 0;
    for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
    const at = 12 + 16 * k;
    directory.write(name, at, "latin1");
    for (const [column, value] of [sum, length, bytes.length].entries())
      directory.writeUInt32BE(value, at + 4 * (column + 1));
    parts.push(padded);
    length += padded.length;
  }
  return Buffer.concat(parts);
}
