export function featuresBlock(): string;
export function withFeatures(text: string): string;
export function specPage(): string;
