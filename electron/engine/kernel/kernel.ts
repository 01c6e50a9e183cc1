/** Starts WebAssembly kernels: one compiled module for all of a thread's instances, each with memory of its own. */
import { AppError } from '../../../shared/model/errors.ts';

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

/** Instances that one conversion may need at once. Each takes some gigabytes of addresses, which `ulimit -v` may not leave. */
const AT_ONCE = 4;

/** Whether this runtime runs kernels: WebAssembly with 128-bit SIMD, and addresses for its memories. */
export function kernelsRun(): boolean {
  supported ??= typeof WebAssembly === 'object' && WebAssembly.validate(SIMD_PROBE) && hasAddresses();
  return supported;
}

function hasAddresses(): boolean {
  try {
    return Array.from({ length: AT_ONCE }, () => new WebAssembly.Memory({ initial: 1 })).length === AT_ONCE;
  } catch {
    return false;
  }
}

/** A kernel has found no memory. From then on this thread does without kernels, so that the same work succeeds when it is tried again. */
export class NoKernelMemory extends AppError {
  constructor(cause: unknown) {
    super('INTERNAL', 'There is too little memory to convert the file', {
      hint: 'Try again: it is then read in another way',
      cause,
    });
  }
}

/** Throws NoKernelMemory where memory is what `run` fails for. */
function withMemory<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    supported = false;
    throw new NoKernelMemory(error);
  }
}

const modules = new Map<string, WebAssembly.Module>();

/** Functions that a kernel's file declares, by the name of that file: they get the kernel's memory and what it passes. */
export type HostFunctions = Readonly<Record<string, HostFunction>>;
type HostFunction = (memory: WebAssembly.Memory, from: number, to: number) => number;

/** A fresh instance of a kernel, given as base64. `host` has what its file `declaredIn` declares. Throws NoKernelMemory. */
export function startKernel<Exports extends KernelExports>(wasm: string, declaredIn = 'host', host: HostFunctions = {}): Exports {
  const module = modules.get(wasm) ?? new WebAssembly.Module(Buffer.from(wasm, 'base64'));
  modules.set(wasm, module);
  const functions = Object.entries(host).map(([name, call]) => [
    name,
    (from: number, to: number): number => call(exports.memory, from, to),
  ]);
  const imports = { [declaredIn]: Object.fromEntries(functions) };
  const exports = withMemory(() => new WebAssembly.Instance(module, imports).exports as Exports);
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
  if (missing > 0) withMemory(() => memory.grow(Math.ceil(missing / PAGE_BYTES)));
}

/** A copy of what a kernel has written, for whoever wants it. Large ones cost less so than with `slice`, which clears the memory first. */
export function takeOut(written: Uint8Array): Uint8Array {
  // No Buffer goes out: its own `slice` would share the memory.
  const copy = new Uint8Array(Buffer.allocUnsafeSlow(written.length).buffer);
  copy.set(written);
  return copy;
}

/** Null where no kernel runs, or none finds memory. */
export function startedKernel<Kernel>(start: () => Kernel): Kernel | null {
  if (!kernelsRun()) return null;
  try {
    return start();
  } catch (error) {
    if (error instanceof NoKernelMemory) return null;
    throw error;
  }
}
