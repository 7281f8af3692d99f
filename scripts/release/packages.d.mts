export interface PublicPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

export function publicPackages(root: string): PublicPackage[];
export function inOrder<P extends { readonly name: string }>(packages: readonly P[]): P[];
export function versionTroubles(packages: readonly { readonly name: string; readonly version: string }[]): string[];
