import type { OptionKey } from '@tidegate/contract'
import type { ApiClient, FakeTaskProvider, FakeUpstream, RunningServer, ThrowAwayDatabase } from '@tidegate/testing'
import type { GROUPS } from './channels.ts'
import type { ExternalServices } from './external-services.ts'

export type Options = Partial<Record<OptionKey, string>>

export interface Member {
  readonly id: number
  /** Logged in on the node where effects are observed. */
  readonly client: ApiClient
  /** The headers that the console sends. */
  readonly session: Readonly<Record<string, string>>
  /** An API key per group. */
  readonly keys: Readonly<Record<(typeof GROUPS)[number], string>>
}

/** Two nodes of one site. Options are set on the first, everything else happens on the second. */
export interface EffectSite {
  readonly url: string
  readonly database: ThrowAwayDatabase
  readonly upstream: FakeUpstream
  /** Accepts image tasks. */
  readonly imageTasks: FakeTaskProvider
  readonly services: ExternalServices
  readonly root: ApiClient
  /** With a large balance and one settled request. */
  readonly member: Member
  /** With a balance below one dollar. */
  readonly poor: Member
  /** The inviter; sends no requests. */
  readonly inviter: ApiClient
  set(key: OptionKey, value: string): Promise<void>
  restore(key: OptionKey): Promise<void>
  /** Another process with the worker role. Due jobs have run when it has stopped. */
  startWorker(): Promise<RunningServer>
  close(): Promise<void>
}
