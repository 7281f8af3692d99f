/**
 * Horizontal bars with their values written at the ends. On a logarithmic axis, where there is no 0 for a bar to grow from
 * and its length would say nothing, a dot on a thin line.
 */

import * as picture from "equitopo/internal/picture";
import type { BarFigure } from "equitopo/outcome";

const { escapeText, pixel, text, textWidth } = picture;
type Bar = Partial<BarFigure["bars"][number]> & Pick<BarFigure["bars"][number], "label" | "value">;
type Drawn = Pick<BarFigure, "title" | "xLabel" | "log"> & { readonly bars: readonly Bar[]; readonly width?: number };

const [pitch, thickness, thin, dot] = [28, 17, 2, 5];

/** Bars from top to bottom in the order given; a value with no place on the axis is written without a bar. */
export function barFigure({ title, xLabel, bars, log = false, width = 620 }: Drawn): string {
  const theme = picture.themes.light;
  // One bar's colour is its topology's even where several bars share it: labels tell them apart.
  const looks = bars.map((bar) => picture.styleSeries([bar])[0]);
  const values = bars.map((bar) => bar.value);
  const found = picture.rangeOf(log ? values : [0, ...values], log, log ? 0.06 : 0) ?? [log ? 0.1 : 0, 1];
  const written = bars.map((bar) => picture.readable(bar.value));
  const head = picture.heading(title, undefined, width, theme);
  const left = 22 + Math.max(...bars.map((bar) => textWidth(bar.label, 12)));
  const room = 22 + Math.max(...written.map((words) => textWidth(words, 12)));
  const box = { x: left, y: head.height + 6, width: width - left - room, height: bars.length * pitch + 6 };
  const x = picture.scale(found, [0, box.width], log, Math.max(2, Math.floor(box.width / 70)));
  const bottom = box.y + box.height;
  const parts = x.ticks.map((tick) => {
    const at = box.x + x.map(tick.value);
    const from = tick.label === undefined ? bottom : box.y;
    const rule = (to: number, start: number, colour: string) =>
      `<path d="M${pixel(at)} ${pixel(start)}L${pixel(at)} ${pixel(to)}" stroke="${colour}" stroke-width="0.8" fill="none"/>`;
    return (
      (from < bottom ? rule(bottom, from, theme.grid) : "") +
      rule(bottom + (tick.label === undefined ? 3 : 5), bottom, theme.ink) +
      picture.tickLabel(tick, at, bottom + 19, "middle", theme)
    );
  });
  const origin = log ? 0 : x.map(0);
  bars.forEach((bar, i) => {
    const middle = box.y + 3 + pitch * (i + 0.5);
    const at = x.map(bar.value);
    const [from, to] = Number.isNaN(at) ? [origin, origin] : [Math.min(origin, at), Math.max(origin, at)];
    const colour = escapeText(theme.on(looks[i].colour));
    const height = log ? thin : thickness;
    const end = log && to > from ? dot : 0;
    const shape =
      `<rect class="bar" x="${pixel(box.x + from)}" y="${pixel(middle - height / 2)}" width="${pixel(to - from)}" height="${height}" fill="${colour}"/>` +
      (end === 0 ? "" : `<circle cx="${pixel(box.x + to)}" cy="${pixel(middle)}" r="${dot}" fill="${colour}"/>`);
    const label = text(bar.label, box.x - 9, middle + 4, 12, theme.ink, "", "end");
    parts.push(
      `<g data-series="${escapeText(bar.label)}">${shape}${label}${text(written[i], box.x + to + 6 + end, middle + 4, 12, theme.ink)}</g>`,
    );
  });
  const rule = `<path d="M${pixel(box.x + origin)} ${pixel(box.y)}V${pixel(bottom)}M${pixel(box.x)} ${pixel(bottom)}H${pixel(box.x + box.width)}" stroke="${theme.ink}" stroke-width="0.8" fill="none"/>`;
  const axis = text(xLabel, box.x + box.width / 2, bottom + 40, 13, theme.ink, "", "middle");
  return picture.standalone(title, width, bottom + 52, "light", parts.join("") + rule + axis + head.svg);
}
