/** Numbers for people: the library's, which pages use, too. */

export {
  showBytes,
  showCount,
  showFactor,
  showIterations,
  showRate,
  showRateOf,
  showSeconds,
} from "equitopo/internal/picture";
