/**
 * The one script of the studio: a page starts here, and so do its workers, from the same text (workers.ts). So the
 * library is in the file once, though both use it.
 */

if (typeof document === "undefined") void import("./sim.worker.ts");
else void import("./main.tsx");

export {};
