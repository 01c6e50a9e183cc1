export function downloadElectron(electronPackage: string, timeout?: number): Promise<string | undefined>;
