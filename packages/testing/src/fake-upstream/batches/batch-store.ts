import { randomBytes } from 'node:crypto'

/** One request of a batch, by the id of its client. */
export interface BatchRequest {
  readonly customId: string
  readonly path: string
  readonly body: Record<string, unknown>
}

export interface BatchResult {
  readonly status: number
  readonly body: Record<string, unknown>
}

export type FakeBatchState =
  | 'validating'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelling'
  | 'cancelled'

/** A batch of the fake provider. */
export interface FakeBatch {
  readonly id: string
  readonly kind: 'openai' | 'anthropic'
  readonly key: string | undefined
  readonly createdAt: Date
  readonly requests: readonly BatchRequest[]
  readonly metadata: Record<string, string>
  readonly inputFileId: string
  readonly endpoint: string
  /** In the order in which they ended, which is not that of the requests. */
  readonly results: Map<string, BatchResult>
  state: FakeBatchState
  outputFileId?: string
  errorFileId?: string
  errors?: readonly { code: string; message: string; line: number | null; param: null }[]
}

export interface FakeFile {
  readonly id: string
  readonly filename: string
  readonly purpose: string
  readonly text: string
  readonly expiresAfter: string | undefined
}

/** Batches and files of the fake provider. Each poll moves a batch one state forward. */
export class FakeBatches {
  readonly all: FakeBatch[] = []
  readonly files = new Map<string, FakeFile>()
  /** True keeps batches in progress. */
  isHeld = false
  /** How many requests a cancelled or expired batch has finished. */
  finishedEarly = 1
  /** How many requests reached batches that were created. */
  get requestCount(): number {
    return this.all.reduce((sum, { requests }) => sum + requests.length, 0)
  }

  /** The deadline of a batch passes. */
  expire(id: string): void {
    this.all.find((batch) => batch.id === id)!.state = 'expired'
  }

  clear(): void {
    this.all.length = 0
    this.files.clear()
    this.isHeld = false
    this.finishedEarly = 1
  }

  add(batch: Omit<FakeBatch, 'id' | 'createdAt' | 'results'>): FakeBatch {
    const prefix = batch.kind === 'openai' ? 'batch_provider' : 'msgbatch_provider'
    const added = { ...batch, id: `${prefix}${newId()}`, createdAt: new Date(), results: new Map() }
    this.all.push(added)
    return added
  }

  addFile(file: Omit<FakeFile, 'id'>): FakeFile {
    const added = { ...file, id: `file-provider${newId()}` }
    this.files.set(added.id, added)
    return added
  }

  /** Moves a batch forward when it is polled. `run` responds to one request. */
  advance(batch: FakeBatch, run: (request: BatchRequest) => BatchResult): void {
    const finish = (requests: readonly BatchRequest[]) => {
      for (const request of requests.toReversed()) batch.results.set(request.customId, run(request))
    }
    switch (batch.state) {
      case 'validating':
        batch.state = batch.errors ? 'failed' : 'in_progress'
        return
      case 'in_progress':
        if (!this.isHeld) batch.state = 'finalizing'
        return
      case 'finalizing':
        finish(batch.requests)
        batch.state = 'completed'
        return
      case 'cancelling':
        finish(batch.requests.slice(0, this.finishedEarly))
        batch.state = 'cancelled'
        return
      case 'expired':
        if (batch.results.size === 0) finish(batch.requests.slice(0, this.finishedEarly))
    }
  }
}

function newId(): string {
  return randomBytes(8).toString('hex')
}
