/** The report's looks and its few lines of behaviour, both inline: the file must open from anywhere, offline. */

import { inTheDark } from "equitopo/picture";

/** Rules that show light figures in dark colours on a dark screen: each colour in them is replaced by its counterpart. */
export function darkFigures(svgs: readonly string[]): string {
  const colours = new Set(svgs.flatMap((svg) => svg.match(/(?<=(fill|stroke)=")#[0-9a-f]{6}(?=")/g) ?? []));
  const rules = [...colours].sort().map((colour) => {
    const dark = inTheDark(colour);
    return `figure [fill="${colour}"]{fill:${dark}}figure [stroke="${colour}"]{stroke:${dark}}`;
  });
  return rules.length === 0 ? "" : `@media screen and (prefers-color-scheme: dark){${rules.join("")}}\n`;
}

export const style = `
:root { color-scheme: light dark; --ground: #fcfcfa; --ink: #1d1f21; --quiet: #5d6166; --rule: #dcdcd6; --tint: #f2f2ed;
  --good: #0a6b4b; --bad: #b3261e; --link: #0b5c94; }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #15181c; --ink: #e6e8ea; --quiet: #a3a9b0; --rule: #33383e;
  --tint: #1d2126; --good: #5cc79f; --bad: #ff8a80; --link: #7cc0f0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 3rem 1.25rem 5rem; max-width: 50rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.6 Charter, "Bitstream Charter", "Iowan Old Style", Georgia, "Times New Roman", serif; }
h1, h2, h3, th, nav, figcaption, .quiet, .controls, .verdict { font-family: Helvetica, Arial, "Liberation Sans", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.75rem; text-wrap: balance; }
h2 { font-size: 1.3rem; margin: 3rem 0 0.75rem; padding-top: 1rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.75rem 0 0.5rem; }
p { margin: 0 0 1rem; } .lead { font-size: 1.15rem; } a { color: var(--link); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: 0.9rem; }
figure { margin: 1.5rem 0 2rem; } figure > svg { display: block; width: 100%; height: auto; }
figcaption, .quiet, .controls { font-size: 0.85rem; line-height: 1.45; color: var(--quiet); }
.controls { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; margin: 0.3rem 0; }
.scroll { overflow-x: auto; margin: 1rem 0 1.5rem; }
table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.4; min-width: 60%; }
caption { text-align: left; color: var(--quiet); padding-bottom: 0.4rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.9rem 0.3rem 0; border-bottom: 1px solid var(--rule); }
th { font-size: 0.8rem; font-weight: 600; vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.pass { color: var(--good); } .fail { color: var(--bad); font-weight: 600; } .pass, .fail { white-space: nowrap; }
pre { overflow-x: auto; background: var(--tint); padding: 0.9rem 1rem; font-size: 0.8rem; line-height: 1.45;
  font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; user-select: all;
  white-space: pre-wrap; }
@media print { :root { --ground: #fff; --ink: #000; --quiet: #444; --rule: #bbb; --tint: #f5f5f5; --good: #064; --bad: #900; }
  body { max-width: none; padding: 0; font-size: 10.5pt; } .controls, nav { display: none; }
  figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } }
`;

/** Checkboxes under a figure that hide and show its series; without scripts the figure is simply whole. */
export const behaviour = `
for (const figure of document.querySelectorAll("figure")) {
  const marks = [...figure.querySelectorAll("svg .series, svg .key")];
  const names = [...new Set(marks.map((mark) => mark.dataset.series))];
  if (2 > names.length) continue;
  const controls = document.createElement("div");
  controls.className = "controls";
  for (const name of names) {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = true;
    box.onchange = () => marks.filter((mark) => mark.dataset.series === name)
      .forEach((mark) => { mark.style.opacity = box.checked ? "" : mark.matches(".key") ? 0.3 : 0; });
    const label = document.createElement("label");
    label.append(box, " " + name);
    controls.append(label);
  }
  figure.querySelector("svg").after(controls);
}
`;
