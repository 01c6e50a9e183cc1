/** Instantiates WebAssembly kernels: one compiled module per kernel and thread, and separate memory for each instance. */

import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';

const PAGE_BYTES = 64 * 1024;

/** Exports of every kernel besides its functions. `heapBase` is the start of free memory for its host. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  readonly heapBase: { readonly value: number };
}

/** A module with a single SIMD constant: valid only if the runtime supports SIMD. */
const SIMD_PROBE = Uint8Array.of(
  ...[
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 10, 1, 8, 0, 0x41, 0, 0xfd, 0x0f, 0xfd, 0x62,
    0x0b,
  ],
);

let supported: boolean | undefined;

/**
 * Instances that one conversion may need at once. Each reserves gigabytes of address space, which `ulimit -v` may not
 * allow.
 */
const AT_ONCE = 4;

/** Whether this runtime can run kernels: WebAssembly with 128-bit SIMD, and enough address space. */
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

/** Thrown if a kernel got no memory. From then on this thread uses no kernels, so that a retry succeeds. */
export class NoKernelMemory extends AppError {
  constructor(cause: unknown) {
    super('INTERNAL', say('convert.noMemory'), { hint: say('convert.noMemory.hint'), cause });
  }
}

/** Throws NoKernelMemory if `run` fails for lack of memory. */
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

/** Imports that a kernel's file declares, by that file's name; they receive the kernel's memory and the arguments. */
export type HostFunctions = Readonly<Record<string, HostFunction>>;
type HostFunction = (memory: WebAssembly.Memory, from: number, to: number) => number;

/**
 * A new instance of a kernel, given as base64. `host` has the imports that the file `declaredIn` declares. Throws
 * NoKernelMemory.
 */
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

/** Idle instances by kernel: instantiating one takes longer than reading a small file. */
const idle = new Map<string, KernelExports[]>();

/** Maximum number of idle instances per kernel, with their memory. */
const IDLE_INSTANCES = 4;

/** An instance that may have been used before: the caller initializes it and returns it with `returnKernel`. */
export function borrowKernel<Exports extends KernelExports>(wasm: string, declaredIn?: string, host?: HostFunctions): Exports {
  return (idle.get(wasm)?.pop() as Exports | undefined) ?? startKernel<Exports>(wasm, declaredIn, host);
}

export function returnKernel(wasm: string, kernel: KernelExports): void {
  const others = idle.get(wasm) ?? [];
  if (others.length < IDLE_INSTANCES) others.push(kernel);
  idle.set(wasm, others);
}

/** Grows a kernel's memory to at least `bytes`. Growing detaches earlier views. */
export function reserveMemory(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) withMemory(() => memory.grow(Math.ceil(missing / PAGE_BYTES)));
}

/** A copy of a kernel's output. For large views this is faster than `slice`, which zeroes the memory first. */
export function takeOut(written: Uint8Array): Uint8Array {
  // Not a Buffer, whose `slice` shares memory.
  const copy = new Uint8Array(Buffer.allocUnsafeSlow(written.length).buffer);
  copy.set(written);
  return copy;
}
