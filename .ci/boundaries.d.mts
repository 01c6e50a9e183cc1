export function breaches(root: string, options?: { ofSourcesOnly?: boolean }): string[];
