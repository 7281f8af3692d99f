/**
 * One colour and one mark for each topology, the same wherever nothing else in the figure comes too near. The colours are
 * those of Okabe and Ito, then of Paul Tol's muted scheme: told apart under the common colour blindnesses; the marks carry
 * a print in grey. In one figure no two curves share a colour or a mark, up to eighteen of them.
 */

import { topologies } from "../topology/registry.ts";

export type Marker = "triangle" | "diamond" | "circle" | "square" | "down" | "plus" | "left" | "right" | "cross";
export interface Look {
  readonly colour: string;
  /** None for a dashed line. */
  readonly marker?: Marker;
  /** The marker is an outline. */
  readonly hollow?: boolean;
  /** The dashes of a dashed line, as SVG has them. */
  readonly dash?: string;
}

/** Of registered topologies, in the order of the registry. */
const colours = [
  ...["#009e73", "#cc79a7", "#d55e00", "#0072b2", "#6b6b6b", "#999933", "#000000"],
  ...["#56b4e9", "#44aa99", "#332288", "#882255", "#e69f00", "#aa4499", "#117733"],
];
/** Of curves with no colour of their own; then those above, and hues without end. */
const others = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#882255", "#6b6b6b", ...colours];
const markers: Marker[] = ["triangle", "diamond", "circle", "square", "down", "plus", "left", "right", "cross"];
const MARKS = 2 * markers.length;
const dashes = ["6 4", "2 3", "9 3 2 3", "12 5", "5 2"];
/** Dark to light: an ordered family such as n = 1000, 2000, ... (viridis without its yellow). */
const ordered = ["#440154", "#3e4a89", "#25848e", "#35b779", "#8fd744"];
/** Colours whose red, green and blue lie nearer than this are taken for one another in thin lines. */
const APART = 50;

/** The topology that a label speaks of: "OD-EquiDyn, M = 9" is od-equidyn; undefined where it is none. */
export function topologyOf(label: string): string | undefined {
  const plain = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  const names = topologies.names.sort((a, b) => b.length - a.length);
  return names.find((name) => ` ${plain} `.includes(` ${name.replaceAll("-", " ")} `));
}

/** Its place in the registry; -1 where it is none. */
const placeOf = (name: string | undefined) => (name === undefined ? -1 : topologies.names.indexOf(name));

/** Past the end of the list a hue as far as can be from those before it. */
function colourAt(place: number): string {
  if (place < colours.length) return colours[place];
  // Steps by the golden section of the circle never come back, and stay apart from each other the longest.
  return hue(((place - colours.length) * 0.618034 + 0.05) % 1, 25 * (place % 3));
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
  /** The label of the curve that a dashed one belongs to, whose colour it takes. */
  readonly of?: string;
}

/**
 * A look for each series: that of its topology, unless another curve has a colour or mark too much like it; then, as for
 * labels that name none, the next that is free. Where all curves are sizes ("n = 1000", "n = 2000", ...) they take an
 * ordered scale. A dashed line has the colour of the curve that it belongs to. O(curves^2).
 */
export function styleSeries(series: readonly Styled[]): Look[] {
  const named = series.map((one) => placeOf(one.topology ?? topologyOf(one.label)));
  const solid = series.flatMap((one, i) => (one.dashed ? [] : [i]));
  const family = solid.length > 2 && new Set(solid.map((i) => orderedBy(series[i].label) ?? i)).size === 1;
  const chosen: (string | undefined)[] = series.map(({ color }) => color);
  const marks: number[] = [];
  const clear = (colour: string) => chosen.every((other) => other === undefined || distance(colour, other) >= APART);
  const unmarked = (mark: number) => solid.length > MARKS || !marks.includes(mark);
  // First who has a look of its own, the paper's graphs before all; then whoever is left.
  const rank = (i: number) => (named[i] < 0 ? Number.POSITIVE_INFINITY : named[i]);
  for (const i of [...solid].sort((a, b) => rank(a) - rank(b) || a - b)) {
    const k = solid.indexOf(i);
    if (family) chosen[i] ??= along(ordered, k / (solid.length - 1));
    else if (named[i] >= 0 && clear(colourAt(named[i]))) chosen[i] ??= colourAt(named[i]);
    const mark = (family || named[i] < 0 ? k : named[i]) % MARKS;
    if (chosen[i] !== undefined && unmarked(mark)) marks[i] = mark;
  }
  const free = () => {
    for (let k = 0; ; k++) {
      const colour = k < others.length ? others[k] : colourAt(k);
      // Past some fifty curves hues come near each other whatever one does.
      if (clear(colour) || k > 200) return colour;
    }
  };
  for (const i of solid) {
    chosen[i] ??= free();
    for (let mark = 0; marks[i] === undefined; mark++) if (unmarked(mark % MARKS)) marks[i] = mark % MARKS;
  }
  let turn = 0;
  return series.map((one, i): Look => {
    if (!one.dashed) {
      const hollow = marks[i] >= markers.length;
      return { colour: chosen[i] as string, marker: markers[marks[i] % markers.length], ...(hollow ? { hollow } : {}) };
    }
    const owner = solid.find((k) =>
      one.of === undefined ? named[k] >= 0 && named[k] === named[i] : series[k].label === one.of,
    );
    chosen[i] ??= owner === undefined ? (named[i] < 0 ? free() : colourAt(named[i])) : chosen[owner];
    return { colour: chosen[i] as string, dash: dashes[turn++ % dashes.length] };
  });
}

/** The fixed colour of a topology, by its name or a label that holds it. */
export function topologyColour(name: string): string | undefined {
  const place = placeOf(topologyOf(name));
  return place < 0 ? undefined : colourAt(place);
}

/** What a label gives a number of: "n" of "n = 1,000". */
function orderedBy(label: string): string | undefined {
  return /^([^=]+)=\s*[\d,. ]+$/.exec(label)?.[1];
}

/** Between two colours, in the cube of red, green and blue; anything but #rrggbb is far from all. */
function distance(a: string, b: string): number {
  const [p, q] = [a, b].map((colour) => [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16)));
  const found = Math.hypot(...p.map((value, i) => value - q[i]));
  return Number.isNaN(found) ? Number.POSITIVE_INFINITY : found;
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
