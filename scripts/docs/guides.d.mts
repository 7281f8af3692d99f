export const guides: readonly { readonly title: string; readonly pages: readonly string[] }[];
