/**
 * One colour and one mark for each topology, the same in every figure unless another curve comes too near. The colours are
 * those of Okabe and Ito, then of Paul Tol's muted scheme, which people with the common colour blindnesses can distinguish;
 * in grey the marks distinguish the curves. In one figure no two curves share a colour or a mark, up to eighteen of them.
 */

import { topologies } from "../topology/registry.ts";
import { topologyOf } from "./name.ts";
import type { Series } from "./series.ts";

export type Marker = "triangle" | "diamond" | "circle" | "square" | "down" | "plus" | "left" | "right" | "cross";
export interface Look {
  readonly colour: string;
  /** Left out for a dashed line. */
  readonly marker?: Marker;
  /** The marker is an outline. */
  readonly hollow?: boolean;
  /** The dashes of a dashed line, as SVG has them. */
  readonly dash?: string;
}

/** For registered topologies, in the order of the registry. */
const colours = [
  ...["#009e73", "#cc79a7", "#d55e00", "#0072b2", "#6b6b6b", "#999933", "#000000"],
  ...["#56b4e9", "#44aa99", "#332288", "#882255", "#e69f00", "#aa4499", "#117733"],
];
/** For curves without a colour of their own; followed by those above, and by generated hues. */
const others = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255", "#6b6b6b", ...colours];
const markers: Marker[] = ["triangle", "diamond", "circle", "square", "down", "plus", "left", "right", "cross"];
const MARKS = 2 * markers.length;
const dashes = ["6 4", "2 3", "9 3 2 3", "12 5", "5 2"];
/** Dark to light: an ordered family such as n = 1000, 2000, ... (viridis without its yellow). */
const ordered = ["#440154", "#3e4a89", "#25848e", "#35b779", "#8fd744"];
/** Colours whose red, green and blue are nearer than this look alike in thin lines. */
const APART = 50;

/** A topology's place in the registry; -1 if it has none. */
const placeOf = (name: string | undefined) => (name === undefined ? -1 : topologies.names.indexOf(name));

/** A colour of the list; after its end a hue as far as possible from those before it. */
function colourAt(place: number): string {
  if (place < colours.length) return colours[place];
  // Steps by the golden section of the circle never return, and stay apart the longest.
  return hue(((place - colours.length) * 0.618034 + 0.05) % 1, 25 * (place % 3));
}

/** A strong colour of middle lightness; `turn` runs once around the circle, `light` is added to every channel. */
function hue(turn: number, light: number): string {
  const channel = (offset: number) => {
    const wave = Math.abs(((((turn + offset) % 1) + 1) % 1) * 6 - 3) - 1;
    return 10 + light + 140 * Math.max(0, Math.min(1, wave));
  };
  return colourOf([0, 2 / 3, 1 / 3].map(channel));
}

/** Red, green and blue of #rrggbb, and back. */
const channelsOf = (colour: string) => [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16));
const colourOf = (channels: readonly number[]) =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;

/** The properties of a series that decide its look. */
export type Styled = Pick<Series, "label" | "topology" | "color" | "dashed" | "of">;

/**
 * A look for each series: that of its topology, unless another curve has a similar colour or mark; then, as for labels
 * without a topology, the next one that is free. If all curves are sizes ("n = 1000", "n = 2000", ...) they take an ordered
 * scale. A dashed line has the colour of the curve that it belongs to. O(curves^2).
 */
export function styleSeries(series: readonly Styled[]): Look[] {
  const named = series.map((one) => placeOf(one.topology ?? topologyOf(one.label)));
  const solid = series.flatMap((one, i) => (one.dashed ? [] : [i]));
  const family = solid.length > 2 && new Set(solid.map((i) => orderedBy(series[i].label) ?? i)).size === 1;
  const chosen: (string | undefined)[] = series.map(({ color }) => color);
  const marks: number[] = [];
  const clear = (colour: string) => chosen.every((other) => other === undefined || distance(colour, other) >= APART);
  const unmarked = (mark: number) => solid.length > MARKS || !marks.includes(mark);
  // Curves with a look of their own come first, the paper's graphs before all others.
  const rank = (i: number) => (named[i] < 0 ? Number.POSITIVE_INFINITY : named[i]);
  for (const i of [...solid].sort((a, b) => rank(a) - rank(b) || a - b)) {
    const k = solid.indexOf(i);
    if (family) chosen[i] ??= orderedAt(k / (solid.length - 1));
    else if (named[i] >= 0 && clear(colourAt(named[i]))) chosen[i] ??= colourAt(named[i]);
    const mark = (family || named[i] < 0 ? k : named[i]) % MARKS;
    if (chosen[i] !== undefined && unmarked(mark)) marks[i] = mark;
  }
  const free = () => {
    for (let k = 0; ; k++) {
      const colour = k < others.length ? others[k] : colourAt(k);
      // Beyond some fifty curves hues are near each other anyway.
      if (clear(colour) || k > 200) return colour;
    }
  };
  for (const i of solid) {
    chosen[i] ??= free();
    for (let mark = 0; marks[i] === undefined; mark++) if (unmarked(mark % MARKS)) marks[i] = mark % MARKS;
  }
  let turn = 0;
  return series.map((one, i): Look => {
    const marker = markers[marks[i] % markers.length];
    const hollow = marks[i] >= markers.length ? { hollow: true } : {};
    if (!one.dashed) return { colour: chosen[i] as string, marker, ...hollow };
    const owns = (k: number) =>
      one.of === undefined ? named[k] >= 0 && named[k] === named[i] : series[k].label === one.of;
    const owner = solid.find(owns);
    chosen[i] ??= owner === undefined ? (named[i] < 0 ? free() : colourAt(named[i])) : chosen[owner];
    return { colour: chosen[i] as string, dash: dashes[turn++ % dashes.length] };
  });
}

/** The fixed colour of a topology, by its name or a label that holds it. */
export function topologyColour(name: string): string | undefined {
  const place = placeOf(topologyOf(name));
  return place < 0 ? undefined : colourAt(place);
}

/** The quantity that a label states: "n" of "n = 1,000". */
function orderedBy(label: string): string | undefined {
  return /^([^=]+)=\s*[\d,. ]+$/.exec(label)?.[1];
}

/** The distance of two colours in the cube of red, green and blue; infinite unless both are #rrggbb. */
function distance(a: string, b: string): number {
  const [p, q] = [a, b].map(channelsOf);
  const found = Math.hypot(...p.map((value, i) => value - q[i]));
  return Number.isNaN(found) ? Number.POSITIVE_INFINITY : found;
}

/** The colour of the ordered scale a share of the way from its start. */
function orderedAt(share: number): string {
  const at = share * (ordered.length - 1);
  const i = Math.min(Math.floor(at), ordered.length - 2);
  return mix(ordered[i], ordered[i + 1], at - i);
}

/** The colour a share of the way from `a` to `b`. */
export function mix(a: string, b: string, share: number): string {
  const to = channelsOf(b);
  return colourOf(channelsOf(a).map((from, i) => from + (to[i] - from) * share));
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

/** The colour of a dark figure for that of a light one, so that style rules of a page can turn a figure dark. */
export function inTheDark(colour: string): string {
  const { light, dark } = themes;
  const part = (["ground", "ink", "quiet", "grid"] as const).find((name) => light[name] === colour);
  return part === undefined ? dark.on(colour) : dark[part];
}
