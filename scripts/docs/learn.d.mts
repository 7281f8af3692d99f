export function learnPictures(): Readonly<Record<string, string>>;
