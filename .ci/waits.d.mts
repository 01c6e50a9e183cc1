export function waitsIn(text: string): { line: number; advice: string }[];
