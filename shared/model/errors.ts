/** The one error type of the product and the table of its codes. A code survives every transport. */

import { inAgentsWords, type Message, say, type Text } from './messages/message.ts';

/** Every way Filebridge can refuse or fail. Keys are wire-stable; the text says what the code stands for. */
export const errorCodes = {
  // asking
  INVALID_REQUEST: 'The request itself is wrong: an unknown, missing or ill-typed parameter.',
  // files
  FILE_NOT_FOUND: 'The path names nothing that can be read.',
  FILE_OUTSIDE_FOLDERS: 'What the path leads to is not inside an allowed folder.',
  FILE_SENSITIVE: 'A credential not allowed by name, a file of Filebridge, or a write where programs run what is written.',
  FILE_NOT_REGULAR: 'A directory, FIFO, socket or device instead of a file.',
  FILE_READ_ONLY: 'The folder is allowed for reading only.',
  FILE_EXISTS: 'A write would replace an existing file.',
  FILE_TOO_LARGE: 'A size bound was crossed.',
  FILE_CHANGED: 'The file changed while it was being read.',
  FILE_WRITE_FAILED: 'The file could not be written, for example because the disk is full.',
  // conversion
  FORMAT_UNKNOWN: 'Neither the name nor the content says what format this is.',
  PARSE_FAILED: 'The content is not what its format demands.',
  ENCODING_INVALID: 'The bytes do not fit the character encoding.',
  TRANSFORM_FAILED: 'A transform step is wrong or crossed its bounds.',
  // binding
  DATA_KEY_INVALID: 'The data key is not a path, or leads through something that cannot hold it.',
  BINDING_CONFLICT: 'The payload and tool_args both give the same argument.',
  BINDING_AMBIGUOUS: 'No data key was given and the schema does not settle where the payload goes.',
  SCHEMA_MISMATCH: "The arguments do not fit the upstream tool's input schema.",
  MESSAGE_TOO_LARGE: "The call would cross the upstream's message cap, or its answer ours.",
  PARTLY_SENT:
    'The same content went to the same tool before, but not all of it arrived: going on with it is another call than sending all again.',
  BATCH_INVALID: 'The batch options do not fit the payload.',
  // upstreams
  UPSTREAM_UNKNOWN: 'No upstream of that name is configured.',
  UPSTREAM_DISABLED: 'The upstream, or this tool of it, is switched off.',
  UPSTREAM_UNREACHABLE: 'The upstream could not be started or reached.',
  UPSTREAM_CLOSED: 'The upstream ended or broke the connection during the call.',
  UPSTREAM_TIMEOUT: 'The upstream did not answer in time.',
  UPSTREAM_FAILED: 'The upstream answered with an error.',
  SIGN_IN_NEEDED: 'The upstream needs a sign-in that only the person can do.',
  TOOL_UNKNOWN: 'The upstream has no tool of that name.',
  CONFIRMATION_REFUSED: 'The call needed a confirmation that was refused or could not be asked for.',
  PAUSED: 'The user has paused Filebridge.',
  CANCELLED: 'The caller cancelled.',
  INTERRUPTED: 'The program ended while the call ran.',
  JOB_UNKNOWN: 'No background job has that id.',
  // house
  CONFIG_INVALID: 'The configuration is not valid.',
  SECRET_UNAVAILABLE: 'A secret cannot be stored or read here.',
  NOT_AUTHORIZED: 'The caller gave no valid token.',
  INTERNAL: 'A fault in Filebridge.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** The JSON-RPC code of an error that names addresses to open before the call is made again (MCP 2025-11-25). */
export const URL_ELICITATION_REQUIRED = -32042;

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** Where in a file, or in which argument, an error lies. Lines and columns count from 1. */
export interface ErrorDetails {
  path?: string;
  line?: number;
  column?: number;
  /** The JSON-RPC error with which a server answered, as it was. */
  rpc?: RpcError;
  [key: string]: unknown;
}

/**
 * An error somebody can act on: `message` says what and where, `hint` says what to do next. Both are the agents' wordings, and callers may
 * rely on those of `message`. Where a text is a message of ours, `said` has it as data, for words in another language.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: ErrorDetails;
  readonly said: { readonly message?: Message; readonly hint?: Message };

  constructor(code: ErrorCode, message: Text, options: { hint?: Text; details?: ErrorDetails; cause?: unknown } = {}) {
    super(inAgentsWords(message), options.cause === undefined ? undefined : { cause: options.cause });
    const { hint } = options;
    this.name = 'AppError';
    this.code = code;
    this.hint = hint === undefined ? undefined : inAgentsWords(hint);
    this.details = options.details ?? {};
    this.said = { ...(typeof message === 'string' ? {} : { message }), ...(typeof hint === 'object' ? { hint } : {}) };
  }

  /** Message and hint as one text for a person or an agent. */
  get text(): string {
    return this.hint ? `${this.message}. ${this.hint}` : this.message;
  }

  /** The message as a part of another one. */
  get asText(): Text {
    return this.said.message ?? this.message;
  }

  get hintAsText(): Text | undefined {
    return this.said.hint ?? this.hint;
  }
}

/** Any thrown value as an AppError; foreign errors become INTERNAL and keep their cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return new AppError('CANCELLED', say('call.cancelled'), { cause: error });
  return new AppError('INTERNAL', error instanceof Error ? error.message : String(error), { cause: error });
}
