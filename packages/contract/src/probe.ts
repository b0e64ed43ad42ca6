import type { Usage } from './usage.ts'

/** The result of a test request to one channel. It is neither charged nor logged. */
export interface ProbeResult {
  readonly ok: boolean
  /** Blank on success, else the error for an administrator. */
  readonly message: string
  readonly milliseconds: number
  readonly usage?: Usage
  /** The cost of the request in a group of ratio 1. */
  readonly quota?: number
  /** The provider's status, if the provider rejected the request. */
  readonly status?: number
  /** The provider rejected the key, or its account. */
  readonly keyRejected?: boolean
}
