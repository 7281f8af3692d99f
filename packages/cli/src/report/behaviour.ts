/** The few lines of script in a report. */

/**
 * Boxes in a figure's legend that hide and show its curves, and the values under the pointer, read off the drawn curves by
 * what the frame says of its sides. Without scripts the figure is simply whole.
 */
export const behaviour = `
for (const figure of document.querySelectorAll("figure")) {
  const keys = [...figure.querySelectorAll(".legend .key")];
  if (2 > keys.length) continue;
  for (const key of keys) {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = true;
    box.onchange = () => [...figure.querySelectorAll("svg .series")].filter((mark) => mark.dataset.series === key.dataset.series)
      .forEach((mark) => { mark.style.display = box.checked ? "" : "none"; });
    const label = document.createElement("label");
    label.append(box, ...key.childNodes);
    key.append(label);
  }
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);
const show = (value) => value === 0 ? "0" : Number(value.toPrecision(3)).toString().replace("-", "\u2212");
for (const curves of document.querySelectorAll("svg.curves")) {
  const picture = curves.ownerSVGElement;
  const size = (name) => Number(curves.getAttribute(name));
  const { log } = curves.dataset;
  const sides = (axis) => curves.dataset[axis].split(" ").map((side) => log.includes(axis) ? Math.log10(side) : Number(side));
  const value = (axis, share) => {
    const [low, high] = sides(axis);
    const at = low + share * (high - low);
    return log.includes(axis) ? 10 ** at : at;
  };
  const lines = [...curves.querySelectorAll("g.series")].map((series) => {
    const path = series.querySelector(".mean");
    const points = [...path.getAttribute("d").matchAll(/[ML](-?[0-9.]+) (-?[0-9.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
    return { series, points, colour: () => getComputedStyle(path).stroke };
  });
  const rule = document.createElementNS("http://www.w3.org/2000/svg", "path");
  rule.setAttribute("stroke", "currentColor");
  rule.setAttribute("stroke-width", "0.6");
  curves.append(rule);
  const leave = () => { tip.hidden = true; rule.setAttribute("d", ""); };
  picture.addEventListener("pointerleave", leave);
  picture.addEventListener("pointermove", (event) => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const x = place.x - size("x");
    if (0 > x || x > size("width") || size("y") > place.y || place.y > size("y") + size("height")) return leave();
    const near = lines.filter(({ series }) => series.style.display !== "none").flatMap((line) => {
      const best = line.points.reduce((one, other) => Math.abs(other[0] - x) < Math.abs(one[0] - x) ? other : one, [1e9, 0]);
      return Math.abs(best[0] - x) > 14 ? [] : [{ ...line, best }];
    });
    if (near.length === 0) return leave();
    near.sort((a, b) => a.best[1] - b.best[1]);
    const at = near.reduce((one, other) => Math.abs(other.best[0] - x) < Math.abs(one.best[0] - x) ? other : one).best[0];
    rule.setAttribute("d", "M" + at + " 0V" + size("height"));
    const head = document.createElement("b");
    head.textContent = "at " + show(value("x", at / size("width")));
    tip.replaceChildren(head, ...near.map(({ series, best, colour }) => {
      const row = document.createElement("div");
      const mark = document.createElement("i");
      mark.style.background = colour();
      const below = best[1] > size("height") + 0.5;
      const above = -0.5 > best[1];
      const words = above ? "above the frame" : below ? "below the frame" : show(value("y", 1 - best[1] / size("height")));
      row.append(mark, series.dataset.series + ": " + words);
      return row;
    }));
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 4)) + "px";
    tip.style.top = Math.max(4, event.clientY + 14 + height > innerHeight ? event.clientY - height - 14 : event.clientY + 14) + "px";
  });
}
`;
