export function compiledKey(): string;
