/**
 * One colour and one marker for each topology, the same in every figure. The colours are those of Okabe and Ito, then
 * of Paul Tol's muted scheme: told apart under the common colour blindnesses; the markers carry a print in grey.
 */

import { topologies } from "../topology/registry.ts";

export type Marker = "circle" | "square" | "triangle" | "diamond" | "down" | "cross";
export interface Look {
  readonly colour: string;
  /** None for the members of an ordered family: they lie close together, and their shades already tell the order. */
  readonly marker?: Marker;
}

/** Handed out in the order of the registry. */
const looks: readonly Required<Look>[] = [
  { colour: "#009e73", marker: "triangle" },
  { colour: "#cc79a7", marker: "diamond" },
  { colour: "#d55e00", marker: "circle" },
  { colour: "#0072b2", marker: "square" },
  { colour: "#6b6b6b", marker: "diamond" },
  { colour: "#999933", marker: "cross" },
  { colour: "#000000", marker: "circle" },
  { colour: "#56b4e9", marker: "triangle" },
  { colour: "#44aa99", marker: "square" },
  { colour: "#332288", marker: "down" },
  { colour: "#882255", marker: "cross" },
  { colour: "#e69f00", marker: "down" },
  { colour: "#aa4499", marker: "square" },
  { colour: "#117733", marker: "circle" },
];
const others = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255", "#6b6b6b"];
const markers: Marker[] = ["circle", "square", "triangle", "diamond", "down", "cross"];
/** Dark to light: an ordered family such as n = 1000, 2000, ... (viridis without its yellow). */
const ordered = ["#440154", "#3e4a89", "#25848e", "#35b779", "#8fd744"];

/** The topology that a label speaks of: "OD-EquiDyn, M = 9" is od-equidyn; undefined where it is none. */
export function topologyOf(label: string): string | undefined {
  const plain = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  const names = topologies.names.sort((a, b) => b.length - a.length);
  return names.find((name) => ` ${plain} `.includes(` ${name.replaceAll("-", " ")} `));
}

/** The look of a registered topology: past the end of the list a hue as far as can be from those before it. */
function lookOf(name: string | undefined): Required<Look> | undefined {
  const place = name === undefined ? -1 : topologies.names.indexOf(name);
  if (place < looks.length) return looks[place];
  // Steps by the golden section of the circle never come back, and stay apart from each other the longest.
  const turn = ((place - looks.length) * 0.618034 + 0.05) % 1;
  return { colour: hue(turn, 25 * (place % 3)), marker: markers[place % markers.length] };
}

/** A strong colour of middle lightness; `turn` runs once around the circle, `light` is added to every channel. */
function hue(turn: number, light: number): string {
  const channel = (offset: number) => {
    const wave = Math.abs(((((turn + offset) % 1) + 1) % 1) * 6 - 3) - 1;
    return Math.round(10 + light + 140 * Math.max(0, Math.min(1, wave)))
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(0)}${channel(2 / 3)}${channel(1 / 3)}`;
}

export interface Styled {
  readonly label: string;
  readonly topology?: string;
  readonly color?: string;
  readonly dashed?: boolean;
}

/**
 * A look for each series. Several solid series of one topology run from its light to its dark shade, in order; labels
 * like "n = 1000" take an ordered scale; other unknown labels take the palette in turn. Dashed ones have plain colours.
 */
export function styleSeries(series: readonly Styled[]): Look[] {
  const named = series.map((one) => one.topology ?? topologyOf(one.label));
  const family = series.flatMap((one, i) => (!one.dashed && isOrdered(one.label) && !named[i] ? [i] : []));
  let turn = 0;
  return series.map((one, i) => {
    const known = lookOf(named[i]);
    if (one.color !== undefined) return { colour: one.color, marker: known?.marker ?? markers[i % markers.length] };
    if (known !== undefined) {
      const same = series.flatMap((other, j) => (named[j] === named[i] && !other.dashed ? [j] : []));
      if (one.dashed || same.length < 2) return known;
      const place = same.indexOf(i);
      const shade = place / (same.length - 1);
      const colour =
        shade < 0.5 ? mix(known.colour, "#ffffff", 0.55 - 1.1 * shade) : mix(known.colour, "#000000", shade - 0.5);
      return { colour };
    }
    if (family.length >= 3 && family.includes(i)) {
      const place = family.indexOf(i);
      return { colour: along(ordered, place / (family.length - 1)) };
    }
    turn++;
    return { colour: others[(turn - 1) % others.length], marker: markers[(turn - 1) % markers.length] };
  });
}

/** The fixed colour of a topology, by its name or a label that holds it. */
export function topologyColour(name: string): string | undefined {
  return lookOf(topologyOf(name))?.colour;
}

function isOrdered(label: string): boolean {
  return /^[^=]+=\s*[\d,. ]+$/.test(label);
}

function along(stops: readonly string[], position: number): string {
  const at = position * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  return mix(stops[i], stops[i + 1], at - i);
}

/** The colour a share of the way from `a` to `b`. */
export function mix(a: string, b: string, share: number): string {
  const channel = (i: number) => {
    const [from, to] = [a, b].map((colour) => Number.parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16));
    return Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(0)}${channel(1)}${channel(2)}`;
}

export interface Theme {
  readonly ground: string;
  readonly ink: string;
  readonly quiet: string;
  readonly grid: string;
  /** A series' colour on this ground. */
  on(colour: string): string;
}

export const themes: Record<"light" | "dark", Theme> = {
  light: { ground: "#ffffff", ink: "#1a1a1a", quiet: "#595959", grid: "#ececec", on: (colour) => colour },
  dark: {
    ground: "#15181c",
    ink: "#eceef0",
    quiet: "#a8adb3",
    grid: "#2a2e33",
    on: (colour) => (/^#[0-9a-f]{6}$/i.test(colour) ? mix(colour, "#ffffff", 0.4) : colour),
  },
};

/** What a colour of a light figure becomes in a dark one, so that a page can turn a figure dark by rules of style. */
export function inTheDark(colour: string): string {
  const { light, dark } = themes;
  const part = (["ground", "ink", "quiet", "grid"] as const).find((name) => light[name] === colour);
  return part === undefined ? dark.on(colour) : dark[part];
}
