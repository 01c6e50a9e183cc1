/** WebAssembly as kernels use it: Node's types leave its global out, and the plugin in electron/launch/kernels.mjs resolves `?kernel`. */
declare module '*?kernel' {
  /** The bytes of the compiled AssemblyScript file, base64. */
  export const wasm: string;
}

/** Made by the same plugin. */
declare module 'virtual:o200k-vocabulary' {
  /** Base64 of the deflated tokens of o200k_base by rank: their number in 4 bytes, the length of each in one, and their bytes. */
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
    /** Adds pages of 64 KiB; gives their number before. Throws RangeError where there is no room. */
    grow(pages: number): number;
  }
  function validate(bytes: Uint8Array): boolean;
}
