import type { Quota } from '@tidegate/contract'
import type { TaskKind, TaskReport } from '@tidegate/providers'

/** Keeps tasks, and moves them on. */
export interface TaskStore {
  /** Before a provider is asked. */
  open(draft: TaskDraft): Promise<OpenedTask>
  /** A provider took it. */
  take(id: number, taken: TaskTaken): Promise<void>
  /** None did. */
  refuse(id: number, why: { reason: string; code: number; channelId: number }): Promise<void>
  /** Moves it on, forward only; what was taken for one that failed is given back. */
  report(task: { id: number; userId: number }, report: TaskReport): Promise<void>
  /** Own ones by what their providers call them, newest first. */
  findOwn(owned: { userId: number; task: TaskKind; vendorIds: readonly string[] }): Promise<StoredTask[]>
  /** The newest own ones below an id. */
  listOwn(owned: { userId: number; task: TaskKind; after?: number | undefined; limit: number }): Promise<StoredTask[]>
  /** By an address that only its provider was given. */
  findByCallback(address: { id: number; token: string }): Promise<StoredTask | undefined>
  /** By an address that only those were given who may see it. */
  findByView(address: { task: TaskKind; vendorId: string; token: string }): Promise<StoredTask | undefined>
}

export interface TaskDraft {
  readonly task: TaskKind
  readonly userId: number
  readonly tokenId: number
  readonly requestId: string
  readonly action: string
  readonly model: string
  readonly prompt: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly quota: Quota
  readonly deadline: Date
}

export interface OpenedTask {
  readonly id: number
  /** Makes the address its provider tells news at. */
  readonly callbackToken: string
}

export interface TaskTaken {
  readonly channelId: number
  readonly key: string
  readonly vendorId: string
  readonly code: number
  readonly quota: Quota
  readonly pollAt: Date
  readonly deadline: Date
}

export interface StoredTask {
  readonly id: number
  readonly task: TaskKind
  readonly userId: number
  readonly channelId: number
  readonly vendorId: string
  readonly action: string
  readonly model: string
  readonly status: string
  /** Percent. */
  readonly progress: number
  readonly prompt: string
  readonly failReason: string
  readonly resultUrl: string
  readonly properties: Readonly<Record<string, unknown>>
  /** The provider's own words. */
  readonly data: unknown
  readonly submittedAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  /** Makes the address at which it is shown. */
  readonly viewToken: string
  /** Whether this is the key it was ordered with. */
  isOrderedWith(key: string): boolean
}
