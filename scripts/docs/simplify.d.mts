export function simplifySvg(svg: string): string;
export function simplify(points: readonly (readonly number[])[]): readonly (readonly number[])[];
