/** WebAssembly as kernels use it: Node's types leave its global out, and the plugin in electron/launch/kernels.mjs resolves `?kernel`. */
declare module '*?kernel' {
  /** The bytes of the compiled AssemblyScript file, base64. */
  export const wasm: string;
}

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module);
    readonly exports: unknown;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    /** Adds pages of 64 KiB; gives their number before. Throws RangeError where there is no room. */
    grow(pages: number): number;
  }
  function validate(bytes: Uint8Array): boolean;
}
