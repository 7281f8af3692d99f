export function install(
  tarballs: readonly { readonly name: string; readonly tarball: string }[],
  folder: string,
  root: string,
): Promise<string>;
