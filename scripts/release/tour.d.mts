export type TourStep =
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  | { readonly kind: "install" | "run" | "stays" | "data"; readonly line: string };

export function tourSteps(page: string): TourStep[];
