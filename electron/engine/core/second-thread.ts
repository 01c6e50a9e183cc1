/** Interface of the second thread for large files: it takes a task and reports results. */

/** A task: plain data, in which `control` is shared memory. */
export interface SecondTask {
  readonly kind: string;
  /** Description of the source, for `OpenElsewhere`. */
  readonly facts: unknown;
  /** Its first word is set to 1 to stop the task. */
  readonly control: Int32Array;
}

export interface SecondRun {
  /** Stops the task; resolves when the thread reads nothing for it any more. Can be called repeatedly. */
  stop(): Promise<void>;
}

/** Minimum text of the pieces that two threads share out. Bytes. */
export interface Pieces {
  /** A whole multiple of 64 KiB. */
  readonly scanned: number;
  readonly written: number;
}

export interface SecondThread {
  /** Default: pieces that are worth a message between threads. */
  readonly pieces?: Pieces;
  /**
   * Begins a task. Undefined if the thread is busy or unavailable: the caller then does the work alone. `onFound`
   * receives the task's reports; `onEnd` is called once, after the last one.
   */
  begin(task: SecondTask, onFound: (found: unknown) => void, onEnd: () => void): SecondRun | undefined;
}

/** Index in `control` of the word that stops a task. */
export const STOP = 0;
