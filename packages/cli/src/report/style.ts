/** The report's looks, inline: the file must open from anywhere, offline. */

import { inTheDark } from "equitopo/internal/picture";

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
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1d1f21; --quiet: #5d6166; --rule: #dcdcd6; --tint: #f2f2ed;
  --good: #0a6b4b; --bad: #b3261e; --link: #0b5c94; }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #15181c; --ink: #e6e8ea; --quiet: #a3a9b0; --rule: #33383e;
  --tint: #1d2126; --good: #5cc79f; --bad: #ff8a80; --link: #7cc0f0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 3rem 1.25rem 5rem; max-width: 72rem; overflow-wrap: anywhere; background: var(--ground); color: var(--ink);
  font: 1rem/1.6 Charter, "Bitstream Charter", "Iowan Old Style", Georgia, "Times New Roman", serif; }
h1, h2, h3, h4, th, nav, figcaption, .legend, .quiet, .headline, .tip, .verdict { font-family: Helvetica, Arial, "Liberation Sans", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.75rem; text-wrap: balance; }
h2 { font-size: 1.3rem; margin: 3rem 0 0.75rem; padding-top: 1rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.75rem 0 0.5rem; }
h4 { font-size: 1rem; margin: 0 0 0.4rem; }
p { margin: 0 0 1rem; max-width: 46rem; } a { color: var(--link); }
.headline { font-size: 1.15rem; font-weight: 600; color: var(--good); }
.finding { font-size: 1.15rem; border-left: 4px solid var(--link); padding-left: 0.9rem; }
.finding.bad { border-color: var(--bad); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: 0.9rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 2rem; }
figure { margin: 1.25rem 0 1.5rem; min-width: 0; } figure.wide { grid-column: 1 / -1; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, calc(0.85 * var(--least))), 1fr)); gap: 0.5rem 1rem; }
.pairs { grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
.panels > svg { display: block; width: 100%; height: auto; max-width: 42rem; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem; padding: 0; margin: 0 0 0.3rem; font-size: 0.85rem; }
.legend li, .legend label { display: flex; align-items: center; gap: 0.35rem; } .legend svg { flex: none; }
figcaption, .quiet { font-size: 0.85rem; line-height: 1.45; color: var(--quiet); max-width: 46rem; }
.tip { position: fixed; z-index: 1; pointer-events: none; background: var(--ground); color: var(--ink); border: 1px solid var(--rule);
  border-radius: 4px; padding: 0.3rem 0.5rem; font-size: 0.75rem; line-height: 1.35; max-width: min(22rem, 92vw); box-shadow: 0 2px 8px #0003; }
.tip b { display: block; } .tip i { display: inline-block; width: 0.8em; height: 0.2em; vertical-align: middle; margin-right: 0.4em; }
summary { cursor: pointer; color: var(--link); font-size: 0.9rem; margin: 0.5rem 0; max-width: 46rem; }
.scroll { overflow-x: auto; margin: 1rem 0 1.5rem; }
table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.4; overflow-wrap: normal; }
caption { text-align: left; color: var(--quiet); padding-bottom: 0.4rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.9rem 0.3rem 0; border-bottom: 1px solid var(--rule); }
th { font-size: 0.8rem; font-weight: 600; vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.pass { color: var(--good); } .fail { color: var(--bad); font-weight: 600; } .pass, .fail { white-space: nowrap; }
pre { overflow-x: auto; background: var(--tint); padding: 0.9rem 1rem; font-size: 0.8rem; line-height: 1.45;
  font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; user-select: all;
  white-space: pre-wrap; }
@media print { :root { --ground: #fff; --ink: #000; --quiet: #444; --rule: #bbb; --tint: #f5f5f5; --good: #064; --bad: #900; }
  body { max-width: none; padding: 0; font-size: 10.5pt; } .legend input, .tip, nav { display: none; }
  figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } }
`;
