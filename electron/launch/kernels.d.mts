import type { Plugin } from 'vite';

/** WebAssembly of an AssemblyScript file, compiled when it or a neighbour has changed. */
export function compileKernel(file: string): Promise<Buffer>;

/** An import of an AssemblyScript file with `?kernel` gives its WebAssembly, as base64 in the constant `wasm`. */
export function kernels(): Plugin;
