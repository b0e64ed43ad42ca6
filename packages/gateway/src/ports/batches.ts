import type { Quota } from '@tidegate/contract'
import type { ModelPrice } from '@tidegate/pricing'
import type { Settlement } from './credit.ts'
import type { Page } from './files.ts'

export type BatchState =
  | 'validating'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelling'
  | 'cancelled'

export type BatchProtocol = 'openai' | 'anthropic'

export interface BatchError {
  readonly code: string
  readonly message: string
  readonly line: number | null
  readonly param: string | null
}

export interface NewBatch {
  readonly id: string
  readonly userId: number
  readonly tokenId: number
  readonly tokenName: string
  readonly protocol: BatchProtocol
  /** The path of the requests. */
  readonly endpoint: string
  readonly model: string
  readonly inputFileId: string
  readonly metadata: Readonly<Record<string, string>> | undefined
  /** How long the results are kept. */
  readonly outputSeconds: number | undefined
  readonly clientAddress: string
  /** The number of requests; 0 while it is unknown. */
  readonly total: number
  readonly createdAt: Date
  /** Unfinished requests expire then. */
  readonly deadline: Date
}

export interface Batch extends NewBatch {
  readonly state: BatchState
  readonly succeeded: number
  readonly errored: number
  readonly canceled: number
  readonly expired: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly outputFileId: string | undefined
  readonly errorFileId: string | undefined
  readonly errors: readonly BatchError[] | undefined
  /** Unix seconds at which states were reached. */
  readonly stateTimes: Readonly<Partial<Record<BatchState, number>>>
  readonly endedAt: Date | undefined
}

interface BatchOwner {
  readonly userId: number
  readonly protocol: BatchProtocol
}

/** Stores batches of requests with their lines. */
export interface BatchStore {
  create(batch: NewBatch): Promise<void>
  find(owner: BatchOwner, id: string): Promise<Batch | undefined>
  list(page: Page & BatchOwner): Promise<readonly Batch[]>
  /** How many batches of a user have not ended. */
  countOpen(userId: number): Promise<number>
  /** Asks for a batch to be cancelled. Requests that run are finished. */
  cancel(userId: number, id: string): Promise<void>
  /** Whether there was one that has ended. Its files are removed too. */
  remove(owner: BatchOwner, id: string): Promise<boolean>
}

/** Who pays for a batch that a provider runs, and at which prices. Fixed when the batch starts. */
export interface BatchTerms {
  readonly username: string
  readonly tokenUnlimited: boolean
  readonly showIp: boolean
  /** The group that the batch is billed in. */
  readonly group: string
  /** By the names in the requests: the names at the provider, and the prices. */
  readonly models: Readonly<Record<string, { readonly model: string; readonly price: ModelPrice }>>
}

/** The account of a provider that is to run a batch. */
export interface BatchSubmission {
  readonly channelId: number
  readonly keyId: string
  readonly terms: BatchTerms
  /** The most that all requests can cost. */
  readonly reserve: Quota
}

/** A batch that a provider runs, or is to run. */
export interface SubmittedBatch extends Batch, Pick<BatchSubmission, 'channelId' | 'keyId' | 'terms'> {
  readonly upstreamId: string | undefined
  /** The uploaded requests. */
  readonly upstreamFileId: string | undefined
  /** When the batch was last submitted. The provider may have accepted it even if there is no id. */
  readonly submittedAt: Date | undefined
  /** Requests to the provider that failed since the last success. */
  readonly failedPolls: number
}

/** A line that a provider ran. */
export interface UpstreamLineResult {
  readonly number: number
  readonly isSuccess: boolean
  readonly result: LineResult
  /** Missing for a line that costs nothing. */
  readonly settlement?: Settlement | undefined
}

/** Batches that providers run. One process has a batch at a time, while it holds the lease. */
export interface SubmissionQueue {
  /** Takes a batch that is due for submission or for a poll. */
  claimDue(): Promise<SubmittedBatch | undefined>
  /** False if another process has the batch now. */
  recordSubmission(
    batchId: string,
    changes: {
      readonly upstreamId?: string | null
      readonly upstreamFileId?: string | null
      readonly isSubmitted?: boolean
    },
  ): Promise<boolean>
  /** Releases the batch until its next poll. */
  schedulePoll(
    batch: Pick<SubmittedBatch, 'id' | 'state'>,
    poll: { readonly seconds: number; readonly isFailed: boolean },
  ): Promise<void>
  /** Lets workers run the lines of a batch that no provider accepted, and returns its credit. */
  runHere(batchId: string): Promise<void>
  /** The first lines without a result, in their order: as many as fit in memory. None when all have one. */
  listPending(
    batchId: string,
    which: { readonly after: number; readonly limit: number } | { readonly numbers: readonly number[] },
  ): Promise<readonly PendingLine[]>
  /** Charges lines once, and stores their results. */
  finishUpstreamLines(batch: SubmittedBatch, lines: readonly UpstreamLineResult[]): Promise<void>
  /** Ends lines without a result, and returns the credit that is left. */
  endSubmission(batchId: string, outcome: 'canceled' | 'expired'): Promise<void>
  /** Those of some ids of a provider that belong to batches of this site. */
  findKnown(upstreamIds: readonly string[]): Promise<readonly string[]>
}

export type PendingLine = Pick<NewLine, 'number' | 'body'>

/** What runs the lines of batches. A lease ends by itself when its process dies. */
export interface BatchQueue extends SubmissionQueue {
  /** Whether there is a batch that has not ended. */
  hasOpen(): Promise<boolean>
  /** Moves batches forward that nothing runs for. */
  advance(now: Date): Promise<void>
  /** Takes a batch whose requests must be read, or whose results must be written. */
  claim(): Promise<Batch | undefined>
  /** False if another process has the batch now, or it was deleted. */
  renew(batchId: string): Promise<boolean>
  /** Lets another process continue. */
  release(batchId: string): Promise<void>
  addLines(batchId: string, lines: readonly NewLine[]): Promise<void>
  /** Starts a batch whose lines are all stored: at a provider if the balance covers all of it. */
  start(
    batchId: string,
    batch: { readonly total: number; readonly model: string; readonly submission?: BatchSubmission | undefined },
  ): Promise<void>
  /** Ends a batch that cannot run. */
  fail(batchId: string, errors: readonly BatchError[]): Promise<void>
  /** `share` divides the free places among open batches. */
  claimLines(share: (open: readonly OpenBatch[]) => ReadonlyMap<string, number>): Promise<readonly ClaimedLine[]>
  renewLines(): Promise<void>
  /** False if another process runs the line by now. */
  finishLine(line: LineId, isSuccess: boolean, result: LineResult): Promise<boolean>
  /** Puts a line back. `counts` is false for a run that did not reach a provider. */
  retryLine(line: LineId, retry: { readonly seconds: number; readonly counts: boolean }): Promise<void>
  /** How many lines of a user's open batches run at the site, and how many have finished. */
  readActivity(userId: number): Promise<{ readonly running: number; readonly finished: number }>
  /** Ends the lines of a batch that wait, because the balance is used up. */
  failPending(batchId: string): Promise<void>
  /** Finished lines in their order. */
  listFinished(batchId: string, page: { readonly after: number; readonly limit: number }): Promise<readonly EndedLine[]>
  /** Ends a batch whose results are written. False if another process has it now. */
  complete(
    batchId: string,
    files: { outputFileId: string | undefined; errorFileId: string | undefined },
  ): Promise<boolean>
}

export interface LineId {
  readonly batchId: string
  readonly number: number
}

export interface NewLine {
  readonly number: number
  readonly customId: string
  /** The request as JSON. */
  readonly body: string
}

/** An open batch, and how many of its lines run. Those that can run now are counted up to a number. */
export interface OpenBatch {
  readonly id: string
  readonly userId: number
  readonly running: number
  readonly waiting: number
}

export interface ClaimedLine extends LineId {
  readonly body: string
  readonly endpoint: string
  readonly protocol: BatchProtocol
  readonly userId: number
  readonly tokenId: number
  readonly clientAddress: string
  /** This run is included. */
  readonly attempts: number
}

export interface LineResult {
  readonly status: number
  readonly requestId: string
  /** The body of the response as JSON. */
  readonly body: string
  readonly inputTokens: number
  readonly outputTokens: number
}

export type EndedState = 'succeeded' | 'errored' | 'canceled' | 'expired'

export interface EndedLine {
  readonly number: number
  readonly customId: string
  readonly state: EndedState
  /** Missing for lines that did not run. */
  readonly result: LineResult | undefined
}
