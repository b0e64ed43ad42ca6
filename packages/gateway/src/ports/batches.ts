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

/** What runs the lines of batches. A lease ends by itself when its process dies. */
export interface BatchQueue {
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
  /** Starts a batch whose lines are all stored. */
  start(batchId: string, batch: { readonly total: number; readonly model: string }): Promise<void>
  /** Ends a batch that cannot run. */
  fail(batchId: string, errors: readonly BatchError[]): Promise<void>
  /** `share` divides the free places among open batches. */
  claimLines(share: (open: readonly OpenBatch[]) => ReadonlyMap<string, number>): Promise<readonly ClaimedLine[]>
  renewLines(): Promise<void>
  /** False if another process runs the line by now. */
  finishLine(line: LineId, isSuccess: boolean, result: LineResult): Promise<boolean>
  /** Puts a line back. `counts` is false for a run that did not reach a provider. */
  retryLine(line: LineId, retry: { readonly seconds: number; readonly counts: boolean }): Promise<void>
  /** How many lines of a user run at the site. */
  countRunning(userId: number): Promise<number>
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
