export declare const chromiumFlags: string[];
export declare function chromiumProgram(): { path: string; env: Record<string, string> };
