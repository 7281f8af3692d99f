/**
 * The README's tour as steps that a program can take: its programs are files to write, its lines of shell are commands. What
 * stands under "From a clone" is for those who have the repository, and no part of it.
 *
 * Three kinds of lines are not simply run to their end, and each is still held to something:
 * - `npm install` is the installation, which has been made from the tarballs;
 * - what stays up until Ctrl-C (studio, serve) must print an address, and end when it is interrupted;
 * - what needs a folder of data sets, written DIR, must be refused for that folder alone.
 */

const staysUp = /^equitopo (studio|serve)\b/;

/** The steps in the order of the page. */
export function tourSteps(page) {
  const sections = page.split(/^(?=## )/m).filter((section) => !section.startsWith("## From a clone"));
  return sections.flatMap((section) =>
    [...section.matchAll(/^```(sh|js)\n([\s\S]*?)^```$/gm)].flatMap(([, language, text]) =>
      language === "js" ? [program(text)] : text.trim().split("\n").map(command),
    ),
  );
}

/** A program says its name in its first line. */
function program(text) {
  const name = /^\/\/ (\S+)\n/.exec(text)?.[1];
  if (name === undefined) throw new Error(`a program of the tour begins with its name: ${text.slice(0, 60)}`);
  return { kind: "file", name, text };
}

function command(line) {
  const words = line.replace(/\s+#.*$/, "").trim();
  if (/^npm install @?equitopo/.test(words)) return { kind: "install", line: words };
  if (!words.startsWith("npx equitopo ")) throw new Error(`a line of the tour is npm install or npx equitopo: ${line}`);
  const rest = words.replace(/^npx /, "");
  if (/['"|><&;$]/.test(rest)) throw new Error(`a line of the tour is plain words, for every shell: ${line}`);
  const kind = staysUp.test(rest) ? "stays" : /\bDIR\b/.test(rest) ? "data" : "run";
  return { kind, line: rest };
}
