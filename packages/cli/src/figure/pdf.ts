/**
 * SVG to PDF, for LaTeX: lines stay lines and text stays text, in Arimo, whose used letters are inside. Shapes are what resvg
 * makes of them for the PNG (plain paths in groups), so that both show the same; text is set from the figure itself. A PDF of
 * the same figure has the same bytes. ISO 32000-1: operators in annex A, fonts in 9.7 and 9.9.
 */

import { deflateSync } from "node:zlib";
import { type Font, openFont, type Weight } from "./font.ts";

type Attributes = Readonly<Record<string, string>>;

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", apos: "'" };
const unescaped = (text: string) => text.replace(/&([\w#]+);/g, (all, name: string) => entities[name] ?? all);

/** Calls `open` and `close` for the elements of our own and resvg's SVG, and `text` for what is between. */
function walk(
  svg: string,
  open: (name: string, attributes: Attributes) => void,
  close: (name: string) => void,
  text: (words: string) => void = () => {},
): void {
  for (const [, end, name, attributes, alone, words] of svg.matchAll(/<(\/?)(\w+)([^>]*?)(\/?)>|([^<]+)/g)) {
    if (words !== undefined) text(unescaped(words));
    else {
      const pairs = attributes.matchAll(/([\w:-]+)="([^"]*)"/g);
      if (end === "") open(name, Object.fromEntries(Array.from(pairs, ([, key, value]) => [key, unescaped(value)])));
      if (end !== "" || alone !== "") close(name);
    }
  }
}

const numbers = (text: string) => text.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
const write = (...values: readonly number[]) => values.map((value) => Number(value.toFixed(4)) || 0).join(" ");

/** #rrggbb and the operator that sets it, for filling or for strokes. */
const colour = (text: string, operator: "rg" | "RG") => {
  const channels = [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16) / 255);
  return `${write(...channels)} ${operator}\n`;
};

/** translate(...), rotate(...) and matrix(...), one after the other. */
function transform(text = ""): string {
  const steps = Array.from(text.matchAll(/(\w+)\(([^)]*)\)/g), ([, kind, list]) => {
    const [a, b = 0] = numbers(list);
    if (kind === "matrix") return numbers(list);
    const angle = (a * Math.PI) / 180;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return kind === "translate" ? [1, 0, 0, 1, a, b] : [cos, sin, -sin, cos, 0, 0];
  });
  return steps.map((step) => `${write(...step)} cm\n`).join("");
}

/** A path of M, L, Q, C and Z, as resvg writes them; PDF has no quadratic curves. */
function pathOf(d: string): string {
  let [x, y] = [0, 0];
  const drawn = Array.from(d.matchAll(/([MLQCZ])([^MLQCZ]*)/g), ([, letter, list]) => {
    const at = numbers(list);
    const [cx, cy] = at;
    const [px, py] = [x, y];
    [x, y] = at.length === 0 ? [x, y] : at.slice(-2);
    if (letter === "Z") return "h";
    if (letter !== "Q") return `${write(...at)} ${letter === "M" ? "m" : letter === "L" ? "l" : "c"}`;
    const third = (from: number, to: number) => (from + 2 * to) / 3;
    return `${write(third(px, cx), third(py, cy), third(x, cx), third(y, cy), x, y)} c`;
  });
  return `${drawn.join("\n")}\n`;
}

const caps: Readonly<Record<string, number>> = { round: 1, square: 2, bevel: 2 };

/** Paths in groups, as operators. `alpha` names the state in which what is painted is so opaque. */
function shapes(plain: string, alpha: (fill: number, stroke: number) => string): string {
  const clips = new Map<string, string>();
  const opacities = [1];
  const opacity = () => opacities[opacities.length - 1];
  let clip: string | undefined;
  let content = "";
  const paint = (look: Attributes) => {
    const [fill, stroke] = [look["fill"] ?? "#000000", look["stroke"] ?? "none"];
    const part = (name: string) => opacity() * Number(look[name] ?? 1);
    const lines =
      stroke === "none"
        ? ""
        : `${colour(stroke, "RG")}${write(Number(look["stroke-width"] ?? 1))} w ` +
          `${caps[look["stroke-linecap"]] ?? 0} J ${caps[look["stroke-linejoin"]] ?? 0} j 4 M ` +
          `[${write(...numbers(look["stroke-dasharray"] ?? ""))}] 0 d\n`;
    const area = fill === "none" ? "" : colour(fill, "rg");
    const operator =
      fill === "none" ? "S" : `${stroke === "none" ? "f" : "B"}${look["fill-rule"] === "evenodd" ? "*" : ""}`;
    content += `${alpha(part("fill-opacity"), part("stroke-opacity"))}${area}${lines}${pathOf(look["d"])}${operator}\n`;
  };
  walk(
    plain,
    (name, look) => {
      if (name === "clipPath") clip = look["id"];
      else if (name === "path" && clip !== undefined) clips.set(`url(#${clip})`, pathOf(look["d"]));
      else if (name === "path") paint(look);
      else if (name === "g") {
        opacities.push(opacity() * Number(look["opacity"] ?? 1));
        const inside = clips.get(look["clip-path"]);
        content += `q\n${transform(look["transform"])}${inside === undefined ? "" : `${inside}W n\n`}`;
      }
    },
    (name) => {
      if (name === "clipPath") clip = undefined;
      if (name !== "g") return;
      opacities.pop();
      content += "Q\n";
    },
  );
  return content;
}

/** The lines of text of a figure, as operators; `fontOf` opens a font and names it. */
function texts(svg: string, fontOf: (weight: Weight) => Font): string {
  // Attributes pass from groups to what is in them, but for places.
  const looks: Attributes[] = [{}];
  let pieces: { readonly look: Attributes; readonly words: string }[] = [];
  let content = "";
  const set = (look: Attributes) => {
    const weight = /^(bold|[6-9]00)/.test(look["font-weight"] ?? "") ? "bold" : "normal";
    const font = fontOf(weight);
    const runs = pieces.map(({ look: own, words }) => {
      const glyphs = font.glyphsOf(words);
      const size = Number(own["font-size"]);
      const width = (glyphs.reduce((sum, glyph) => sum + font.width(glyph), 0) * size) / 1000;
      return { glyphs, size, width, dy: Number(own["dy"] ?? 0) };
    });
    const whole = runs.reduce((sum, { width }) => sum + width, 0);
    const size = Number(look["font-size"]) / 1000;
    const below = look["dominant-baseline"] === "text-after-edge" ? size * font.descent : 0;
    let x = Number(look["x"] ?? 0) - whole * ({ middle: 0.5, end: 1 }[look["text-anchor"] ?? ""] ?? 0);
    let y = Number(look["y"] ?? 0) + below;
    content += `q\n${transform(look["transform"])}BT\n${colour(look["fill"] ?? "#000000", "rg")}`;
    for (const { glyphs, size, width, dy } of runs) {
      y += dy;
      const hex = glyphs.map((glyph) => glyph.toString(16).padStart(4, "0")).join("");
      content += `/${weight} ${write(size)} Tf 1 0 0 -1 ${write(x, y)} Tm <${hex}> Tj\n`;
      x += width;
    }
    content += "ET\nQ\n";
    pieces = [];
  };
  walk(
    svg,
    (name, own) => {
      const [, weight, size] = /^(?:(\w+) )?([\d.]+)px/.exec(own["style"]?.replace("font:", "") ?? "") ?? [];
      const { x: _x, y: _y, dy: _dy, transform: _t, ...inherited } = looks[looks.length - 1];
      const style = size === undefined ? {} : { "font-size": size, ...(weight && { "font-weight": weight }) };
      looks.push({ ...inherited, ...own, ...style });
      if (name === "g") content += `q\n${transform(own["transform"])}`;
      if (name === "svg") content += `q\n${transform(`translate(${own["x"] ?? 0} ${own["y"] ?? 0})`)}`;
    },
    (name) => {
      const look = looks.pop() as Attributes;
      if (name === "text") set(look);
      if (name === "g" || name === "svg") content += "Q\n";
    },
    (words) => {
      const look = looks[looks.length - 1];
      if (look["font-size"] !== undefined && words.trim() !== "") pieces.push({ look, words });
    },
  );
  return content;
}

/** Text as UTF-16, in the digits that PDF has for strings. */
const utf16 = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex");

/** Which letters the glyphs are, so that they can be searched for and copied. */
function lettersOf({ used }: Font): string {
  const lines = Array.from(used, ([glyph, letter]) => `<${glyph.toString(16).padStart(4, "0")}> <${utf16(letter)}>`);
  const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, k) => {
    const block = lines.slice(100 * k, 100 * k + 100);
    return `${block.length} beginbfchar\n${block.join("\n")}\nendbfchar\n`;
  });
  const begin = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def /CMapName /Letters def\n";
  return `${begin}1 begincodespacerange <0000> <ffff> endcodespacerange\n${blocks.join("")}endcmap end end\n`;
}

/** The PDF's bytes; a pixel of the SVG is a point, 1/72 of an inch. */
export async function svgToPdf(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  const drawn = svg.replace(/<text[\s\S]*?<\/text>/g, "");
  const plain = new Resvg(drawn, { font: { loadSystemFonts: false } }).toString();
  const fonts = new Map<Weight, Font>();
  const fontOf = (weight: Weight) => {
    const font = fonts.get(weight) ?? openFont(weight);
    fonts.set(weight, font);
    return font;
  };
  const states = new Map<string, string>();
  const alpha = (fill: number, stroke: number) => {
    const state = `<< /ca ${write(fill)} /CA ${write(stroke)} >>`;
    if (!states.has(state)) states.set(state, `/G${states.size}`);
    return `${states.get(state)} gs\n`;
  };
  const [, width, height, boxed] = (/ width="([\d.]+)" height="([\d.]+)" viewBox="0 0 ([\d.]+)/.exec(svg) ?? []).map(
    Number,
  );
  const scale = width / boxed;
  const content = `${write(scale, 0, 0, -scale, 0, height)} cm\n${shapes(plain, alpha)}${alpha(1, 1)}${texts(svg, fontOf)}`;

  const objects: Buffer[] = [];
  /** Puts an object into the file; its number calls it from others. */
  const put = (...parts: readonly (string | Uint8Array)[]) =>
    `${objects.push(Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part))))} 0 R`;
  const stream = (bytes: string | Uint8Array, more = "") => {
    const packed = deflateSync(bytes);
    return put(`<< /Length ${packed.length} /Filter /FlateDecode ${more}>>\nstream\n`, packed, "\nendstream");
  };
  const named = Array.from(fonts, ([weight, font]) => `/${weight} ${fontObject(font, put, stream)}`);
  const alphas = Array.from(states, ([state, name]) => `${name} ${state}`);
  const resources = `<< /Font << ${named.join(" ")} >> /ExtGState << ${alphas.join(" ")} >> >>`;
  const contents = stream(content);
  const pages = `${objects.length + 2} 0 R`;
  const page = put(
    `<< /Type /Page /Parent ${pages} /MediaBox [0 0 ${write(width, height)}] /Resources ${resources} /Contents ${contents} >>`,
  );
  put(`<< /Type /Pages /Kids [${page}] /Count 1 >>`);
  const root = put(`<< /Type /Catalog /Pages ${pages} >>`);
  const title = unescaped(/ aria-label="([^"]*)"/.exec(svg)?.[1] ?? "");
  const info = put(`<< /Title <feff${utf16(title)}> /Producer (equitopo) >>`);
  return fileOf(objects, `/Root ${root} /Info ${info}`);
}

/** A font with its used glyphs, called by their numbers in two bytes. */
function fontObject(font: Font, put: (text: string) => string, stream: (bytes: string | Uint8Array) => string): string {
  const { name, box, ascent, descent, used, width } = font;
  const metrics = `/FontBBox [${box.join(" ")}] /Ascent ${ascent} /Descent ${descent} /CapHeight 716 /ItalicAngle 0 /StemV 80`;
  const descriptor = put(
    `<< /Type /FontDescriptor /FontName /AAAAAA+${name} /Flags 4 ${metrics} /FontFile2 ${stream(font.subset())} >>`,
  );
  const widths = Array.from(used.keys(), (glyph) => `${glyph} [${width(glyph)}]`).join(" ");
  const system = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity";
  const glyphs = put(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+${name} ${system} /FontDescriptor ${descriptor} /W [${widths}] >>`,
  );
  return put(
    `<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+${name} /Encoding /Identity-H /DescendantFonts [${glyphs}] /ToUnicode ${stream(lettersOf(font))} >>`,
  );
}

/** Objects one after the other, and a table of where each begins. */
function fileOf(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  let length = parts[0].length;
  const places = objects.map((object, k) => {
    const written = Buffer.concat([Buffer.from(`${k + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    parts.push(written);
    length += written.length;
    return `${String(length - written.length).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join("")}`;
  return Buffer.concat([
    ...parts,
    Buffer.from(`${table}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`),
  ]);
}
