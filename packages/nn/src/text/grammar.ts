/**
 * Text that the project draws itself, for tests and examples: sentences "the ADJECTIVE NOUN VERB the NOUN." Every file has
 * nouns of its own that it prefers. Sentence k of file f is a function of (seed, f, k).
 */

import { option } from "equitopo/internal/input";
import { RandomStream, streams } from "equitopo/internal/random";
import { defineText } from "./member.ts";

const adjectives = ["old", "red", "tall", "quiet", "young", "grey"];
const nouns = ["fox", "hen", "tree", "river", "stone", "bird", "cat", "road"];
const verbs = ["sees", "hears", "follows", "knows", "likes"];

/** Sentences of a file. */
const SENTENCES = 2 ** 20;

export const grammar = defineText({
  name: "grammar",
  summary: "sentences that are drawn here: no files",
  options: {
    files: option.about(option.whole(8, 1, 1000), "each with nouns that it prefers"),
    bytes: option.about(option.whole(20_000, 100), "in all, about"),
  },
  open({ files, bytes }, { seed }) {
    const stream = new RandomStream(seed, streams.grammar);
    const one = (list: readonly string[]) => list[stream.below(list.length)];
    return Array.from({ length: files }, (_, f) => {
      const noun = () => (stream.below(2) === 0 ? nouns[f % nouns.length] : one(nouns));
      let text = "";
      for (let k = 0; text.length < bytes / files; k++) {
        stream.at(f * SENTENCES + k);
        text += `the ${one(adjectives)} ${noun()} ${one(verbs)} the ${noun()}.\n`;
      }
      return { name: `grammar-${f}`, bytes: new TextEncoder().encode(text) };
    });
  },
});
