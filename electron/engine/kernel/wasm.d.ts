/**
 * Types of WebAssembly, which Node's types lack, and of `?kernel` imports, which the plugin in
 * electron/launch/kernels.mjs resolves.
 */
declare module '*?kernel' {
  /** The compiled AssemblyScript file, in base64. */
  export const wasm: string;
}

/** Made by the same plugin. */
declare module 'virtual:o200k-vocabulary' {
  /**
   * Base64 of the deflated o200k_base tokens by rank: their number in 4 bytes, the length of each in one byte, and their
   * bytes.
   */
  export const packed: string;
}

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports?: Readonly<Record<string, Readonly<Record<string, (...args: never[]) => number>>>>);
    readonly exports: unknown;
  }
  class Memory {
    constructor(size: { initial: number });
    readonly buffer: ArrayBuffer;
    /** Adds pages of 64 KiB; returns the previous number. Throws RangeError if there is no room. */
    grow(pages: number): number;
  }
  function validate(bytes: Uint8Array): boolean;
}

/** SQLite's WebAssembly, compressed with Brotli, as base64. */
declare module 'virtual:sqlite-wasm' {
  export const packed: string;
}
