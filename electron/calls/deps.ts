/** Dependencies of calls on the rest of the program. */
import type { Approval } from '../../shared/contract/approvals.ts';
import type { Receipt } from '../../shared/model/call.ts';
import type { Config, ToolFingerprint } from '../../shared/model/config.ts';
import type { AppError } from '../../shared/model/errors.ts';
import type { Converter } from '../engine/index.ts';
import type { FolderClient } from '../files/client-folders.ts';
import type { FileAccess } from '../files/types.ts';
import type { Receipts } from '../store/receipts.ts';
import type { SentFiles } from '../store/sent-files.ts';
import type { Ledger } from '../store/types.ts';
import type { ToolResult, UpstreamPool } from '../upstream/types.ts';
import type { Attempts, RunningCalls, StoppedCalls } from './running-calls.ts';
import type { ToolTexts } from './tool-fingerprint.ts';
import type { CallerContext } from './types.ts';

/** An approval as shown to the person, and the tool's definition at that time: "always" applies to this definition only. */
export type ApprovalRequest = Omit<Approval, 'id' | 'asked' | 'leftMs' | 'client' | 'changes'> & {
  fingerprint: ToolFingerprint;
  /** The texts that the fingerprint is computed from, as they are shown. */
  texts: ToolTexts;
};

export type ApprovalAnswer = 'allowed' | 'refused' | 'unanswered';

/** Access of each client to stored answers. */
export interface ClientStores {
  of(client: FolderClient): { files: FileAccess; folder: string };
  /** A connection has ended. */
  left(connection: string): void;
}

export interface CallDeps {
  readonly config: () => Config;
  readonly files: FileAccess;
  readonly converter: Converter;
  readonly upstreams: UpstreamPool;
  readonly ledger: Pick<Ledger, 'append'>;
  /** Receipts on disk; absent: batched calls cannot be resumed by id. */
  readonly receipts?: Receipts;
  /** Files that were sent to tools before; absent: repetitions are not noticed. */
  readonly sentFiles?: SentFiles;
  /** Folder for stored answers where neither the call nor the configuration names one. */
  readonly responsesDirectory: string;
  /** Keeps apart what clients store there; absent: all store into that folder itself. */
  readonly clients?: ClientStores | undefined;
  /**
   * Asks the person at the window or console, and nobody else: a client must not approve its own call. Absent in a program without
   * either, where `approvals.throughClient` decides.
   */
  readonly approve?: (request: ApprovalRequest, caller: CallerContext) => Promise<ApprovalAnswer>;
  /**
   * Without `approve`: whether a window or console runs all the same, as one that was opened after this program. Then no client is asked,
   * and calls that need an approval are refused. Absent: none does.
   */
  readonly windowRuns?: () => Promise<boolean>;
  /** Whether a tool called itself read-only when it was first seen; absent: what it says now is believed. */
  readonly readOnlyAtFirst?: (server: string, tool: string) => Promise<boolean>;
  /** While true, calls are refused with PAUSED. */
  readonly paused?: () => boolean;
  /** The calls that are running; absent: nobody watches. */
  readonly running?: RunningCalls;
  /** Batched calls that can be gone on with; absent: none is kept. */
  readonly stopped?: Pick<StoppedCalls, 'keep' | 'forget'>;
  /** Hears the words of a failed call, by the id of its ledger line. They may hold data, so they go nowhere else. */
  readonly failed?: (entryId: string, message: string, error?: AppError) => void;
  /** Hears how a call that reached its server ended, before its answer is shaped or stored. */
  readonly answered?: (result: ToolResult, receipt: Receipt | null) => void;
  /** Recognises repeated calls; absent: none is. */
  readonly attempts?: Attempts;
  readonly log: (line: string) => void;
}
