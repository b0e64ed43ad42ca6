import type { Usage } from '@tidegate/pricing'

/** Sends one small call through a channel, as the data plane would send a user's. It charges nobody and logs nothing. */
export type Probe = (order: ProbeOrder) => Promise<ProbeResult>

export interface ProbeOrder {
  channelId: number
  model: string
  stream: boolean
  signal: AbortSignal
}

export interface ProbeResult {
  readonly ok: boolean
  /** What went wrong; blank when nothing did. */
  readonly message: string
  readonly milliseconds: number
  readonly usage?: Usage
  /** What the call would cost, the ratio of a group left out. */
  readonly quota?: number
  /** The vendor's, when it was the vendor that refused. */
  readonly status?: number
  /** The vendor refuses the key, or the account behind it. */
  readonly keyRefused?: boolean
}
