/** npm run bench -- NAME: one claim of speed, with its limit measured in the same run. */

const benches: Readonly<Record<string, () => Promise<{ run(): Promise<void> }>>> = {
  gossip: () => import("./gossip.ts"),
};

const [name = ""] = process.argv.slice(2);
const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (load === undefined) {
  console.error(`npm run bench -- NAME, where NAME is one of ${Object.keys(benches).join(", ")}`);
  process.exitCode = 2;
} else {
  await (await load()).run();
}
