import type { Signature } from '../../canonical/index.ts'

/** Writes one block of an answer into the stream. */
export interface BlockWriter {
  write(text: string): void
  end(ending: Ending): void
}

export interface Ending {
  readonly signature?: Signature
  readonly redacted?: boolean
  /** Whether the block was cut off. */
  readonly status?: 'completed' | 'incomplete'
}
