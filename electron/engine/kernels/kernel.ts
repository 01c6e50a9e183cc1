/** Starts WebAssembly kernels: one compiled module for all of a thread's instances, each with memory of its own. */

const PAGE_BYTES = 64 * 1024;

/** What every kernel exports beside its functions. `heapBase` is where memory is free for its host to lay out. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  readonly heapBase: { readonly value: number };
}

/** A module that does nothing but put a SIMD constant on the stack: valid only where SIMD is. */
const SIMD_PROBE = Uint8Array.of(
  ...[
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 10, 1, 8, 0, 0x41, 0, 0xfd, 0x0f, 0xfd, 0x62,
    0x0b,
  ],
);

let supported: boolean | undefined;

/** Whether this runtime runs kernels: WebAssembly with 128-bit SIMD. */
export function kernelsRun(): boolean {
  supported ??= typeof WebAssembly === 'object' && WebAssembly.validate(SIMD_PROBE);
  return supported;
}

const modules = new Map<string, WebAssembly.Module>();

/** Functions that a kernel's file declares, by the name of that file: they get the kernel's memory and what it passes. */
export type HostFunctions = Readonly<Record<string, HostFunction>>;
type HostFunction = (memory: WebAssembly.Memory, from: number, to: number) => number;

/** A fresh instance of a kernel, given as base64. `host` has what its file `declaredIn` declares. */
export function startKernel<Exports extends KernelExports>(wasm: string, declaredIn = 'host', host: HostFunctions = {}): Exports {
  const module = modules.get(wasm) ?? new WebAssembly.Module(Buffer.from(wasm, 'base64'));
  modules.set(wasm, module);
  const functions = Object.entries(host).map(([name, call]) => [
    name,
    (from: number, to: number): number => call(exports.memory, from, to),
  ]);
  const exports = new WebAssembly.Instance(module, { [declaredIn]: Object.fromEntries(functions) }).exports as Exports;
  return exports;
}

/** Started instances by kernel that nobody uses: starting one costs more than reading a small file. */
const idle = new Map<string, KernelExports[]>();

/** How many are kept of each, with the memory they have. */
const IDLE_INSTANCES = 4;

/** An instance that may have been used before; whoever takes it initializes it, and gives it back. */
export function borrowKernel<Exports extends KernelExports>(wasm: string, declaredIn?: string, host?: HostFunctions): Exports {
  return (idle.get(wasm)?.pop() as Exports | undefined) ?? startKernel<Exports>(wasm, declaredIn, host);
}

export function returnKernel(wasm: string, kernel: KernelExports): void {
  const others = idle.get(wasm) ?? [];
  if (others.length < IDLE_INSTANCES) others.push(kernel);
  idle.set(wasm, others);
}

/** Grows the memory of a kernel to hold `bytes` in all. Views made before are detached when it grows. */
export function reserveMemory(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}

/** A copy of what a kernel has written, for whoever wants it. Large ones cost less so than with `slice`, which clears the memory first. */
export function takeOut(written: Uint8Array): Uint8Array {
  // No Buffer goes out: its own `slice` would share the memory.
  const copy = new Uint8Array(Buffer.allocUnsafeSlow(written.length).buffer);
  copy.set(written);
  return copy;
}
