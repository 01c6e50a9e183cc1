/** A second thread for large files, as those who convert see it: they leave it a task, and it tells what it finds. */

/** What is asked of it: plain data, in which `control` is memory of both threads. */
export interface SecondTask {
  readonly kind: string;
  /** Of the source that it reads, for `OpenElsewhere`. */
  readonly facts: unknown;
  /** Its first word is 1 once the task is to end. */
  readonly control: Int32Array;
}

export interface SecondRun {
  /** Ends the task; settles when nothing is read for it any more. May be called again. */
  stop(): Promise<void>;
}

export interface SecondThread {
  /**
   * Begins a task; undefined where the thread is at another one or is not to be had: then whoever asks does the work alone.
   * `onFound` gets what the task tells; `onEnd` is called once, when nothing more comes.
   */
  begin(task: SecondTask, onFound: (found: unknown) => void, onEnd: () => void): SecondRun | undefined;
}

/** Place in `control` of the word that ends a task. */
export const STOP = 0;
