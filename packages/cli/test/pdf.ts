/** Reads the PDFs that we write: objects by their table, streams unpacked, and the text of the page in its letters. */

import { inflateSync } from "node:zlib";

export function readPdf(bytes: Uint8Array) {
  const file = Buffer.from(bytes);
  const text = file.toString("latin1");
  if (!text.startsWith("%PDF-1.5\n") || !text.endsWith("%%EOF\n")) throw new Error("no PDF");
  const at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const [, count, rows] = /^xref\n0 (\d+)\n([^t]*)trailer\n/.exec(text.slice(at)) ?? [];
  const places = rows.match(/.{20}/gs)?.slice(1) ?? [];
  if (places.length !== Number(count) - 1) throw new Error("wrong number of objects");
  const objects = places.map((row, k) => {
    const from = Number(row.slice(0, 10));
    const begin = `${k + 1} 0 obj\n`;
    if (!text.startsWith(begin, from)) throw new Error(`object ${k + 1} is not at ${from}`);
    const end = text.indexOf("\nendobj\n", from);
    const head = text.slice(from + begin.length, end);
    const length = /\/Length (\d+)/.exec(head)?.[1];
    if (length === undefined) return { head, stream: Buffer.alloc(0) };
    const start = text.indexOf("stream\n", from) + 7;
    if (!text.startsWith("\nendstream\nendobj\n", start + Number(length)))
      throw new Error("a stream's length is wrong");
    return {
      head: head.slice(0, head.indexOf("stream\n")),
      stream: inflateSync(file.subarray(start, start + Number(length))),
    };
  });
  const object = (number: number | string) => objects[Number(number) - 1];
  const pointed = (head: string, key: string) => object(new RegExp(`/${key} \\[?(\\d+) 0 R`).exec(head)?.[1] ?? 0);
  const page = pointed(pointed(pointed(text.slice(at), "Root").head, "Pages").head, "Kids");
  const letters = (font: string) => {
    const map = pointed(pointed(page.head, font).head, "ToUnicode").stream.toString();
    return new Map(
      Array.from(map.matchAll(/^<(\w+)> <(\w+)>$/gm), ([, glyph, hex]) => [
        glyph,
        Buffer.from(hex, "hex").swap16().toString("utf16le"),
      ]),
    );
  };
  const content = pointed(page.head, "Contents").stream.toString("latin1");
  const texts = Array.from(content.matchAll(/\/(\w+) ([\d.]+) Tf 1 0 0 -1 (\S+) (\S+) Tm <(\w*)> Tj/g), (found) => {
    const [, font, size, x, y, hex] = found;
    const known = letters(font);
    const words = (hex.match(/.{4}/g) ?? []).map((glyph) => known.get(glyph)).join("");
    return { font, size: Number(size), x: Number(x), y: Number(y), words };
  });
  const [, , width, height] = (/\/MediaBox \[([^\]]*)\]/.exec(page.head)?.[1] ?? "").split(" ").map(Number);
  const fonts = objects.filter(({ head }) => head.includes("/Subtype /Type0")).length;
  const embedded = objects.flatMap(({ head }) =>
    head.includes("/FontFile2") ? [pointed(head, "FontFile2").stream] : [],
  );
  const title = /\/Title <feff(\w*)>/.exec(pointed(text.slice(at), "Info").head)?.[1] ?? "";
  return {
    width,
    height,
    texts,
    content,
    fonts,
    embedded,
    title: Buffer.from(title, "hex").swap16().toString("utf16le"),
  };
}
