/** Servers that a person can add: from pasted text, a file, the catalogue or the public registry. */
import type { AppError } from '../../shared/model/errors.ts';

/** A value that only the person knows. The entry has a hole for it. */
export interface Input {
  /** Unique within its server. */
  id: string;
  label: string;
  description: string | null;
  kind: 'text' | 'number' | 'boolean' | 'file' | 'folder';
  secret: boolean;
  required: boolean;
  /** Takes a list. */
  multiple: boolean;
  /** The only values it takes; none: any. */
  choices: readonly string[];
  preset: string | readonly string[] | null;
  /** An example, as text. */
  example: string | null;
}

/** Entered values by the id of the input. */
export type InputValues = Readonly<Record<string, string | readonly string[]>>;

/** A server as it was read, before the person completes it. */
export interface Offer {
  name: string;
  title: string | null;
  description: string | null;
  /** How it runs, where there is a choice: `npm`, `pypi`, `oci`, `remote`. */
  way: string | null;
  /**
   * In the form of any app, with holes. An item of `args` may be a list: it is left out where one of its holes stays empty. A single
   * argument is left out, too.
   */
  entry: unknown;
  inputs: readonly Input[];
  /** Why it cannot be added. */
  refusal: AppError | null;
  /** Puts the files in place that the entry starts. */
  prepare?: (() => Promise<void>) | undefined;
  /** Identifies what the entry alone does not: the content of a bundle. */
  hash?: string | undefined;
}

/** A dialect's result; missing parts are completed later. */
export type Draft = Partial<Offer> & Pick<Offer, 'entry'>;

/** One way in which servers are written down. */
export interface PasteDialect {
  readonly name: string;
  /** Null for text in another dialect. Throws CONFIG_INVALID for text in this one that has an error, without quoting the text. */
  read(text: string): Promise<readonly Draft[] | null> | readonly Draft[] | null;
}
