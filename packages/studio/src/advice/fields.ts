/** What this view remembers beside what all share. */

export const adviceFields = {};
