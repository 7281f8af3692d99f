export function pythonVersion(version: string): string;
