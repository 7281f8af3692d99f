/** Changes of one file, which these tests are to notice: each says what it breaks, a text that is there once, and what to write instead. */
export function changes(file, tests, list, only) {
  return list.map(([what, text, instead]) => ({ file, what, text, instead, tests, only }));
}
