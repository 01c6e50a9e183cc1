import type { Plugin } from 'vite';

/** The content of `electron/engine/kernel/compiled.json`, compiled anew. */
export function compileAll(): Promise<string>;

/** An import of an AssemblyScript file with `?kernel` gives its WebAssembly, as base64 in the constant `wasm`. */
export function kernels(): Plugin;
