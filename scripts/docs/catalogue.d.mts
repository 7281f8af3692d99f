export function topologyPage(
  link: (page: string) => string,
  sizes?: readonly number[],
): {
  readonly text: string;
  readonly pictures: ReadonlyMap<string, string>;
};
