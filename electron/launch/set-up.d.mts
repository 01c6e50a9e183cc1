/** Debian packages by name, each with the check whether this machine has it. */
export type SystemPackages = Readonly<Record<string, () => boolean>>;

export const windowPackages: SystemPackages;
export const testPackages: SystemPackages;
export function lacksNpmPackages(root: string): boolean;
export function installNpmPackages(root: string): boolean;
export function lackingPackages(packages: SystemPackages): string[];
export function installCommand(names: readonly string[]): string;
export function installSystemPackages(root: string, packages: SystemPackages): boolean;
export declare const testFolders: readonly string[];
