import type { Quota } from '@tidegate/contract'
import type { TaskKind, TaskReport } from '@tidegate/providers'

/** Stores tasks and their state. */
export interface TaskStore {
  /** Called before a provider. */
  open(draft: TaskDraft): Promise<OpenedTask>
  /** A provider accepted the task. */
  accept(id: number, acceptance: TaskAcceptance): Promise<void>
  /** No provider accepted it. */
  reject(id: number, rejection: { reason: string; code: number; channelId: number }): Promise<void>
  /** Updates the status, forward only. A failed task is refunded. */
  report(task: { id: number; userId: number }, report: TaskReport): Promise<void>
  /** The user's tasks by their provider ids, newest first. */
  findOwn(query: { userId: number; task: TaskKind; upstreamIds: readonly string[] }): Promise<StoredTask[]>
  /** The user's newest tasks below an id. */
  listOwn(query: { userId: number; task: TaskKind; after?: number | undefined; limit: number }): Promise<StoredTask[]>
  /** By a URL that only the provider knows. */
  findByCallback(address: { id: number; token: string }): Promise<StoredTask | undefined>
  /** By a URL that is shown only to the owner. */
  findByView(address: { task: TaskKind; upstreamId: string; token: string }): Promise<StoredTask | undefined>
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
  /** Part of the callback URL. */
  readonly callbackToken: string
}

export interface TaskAcceptance {
  readonly channelId: number
  readonly key: string
  readonly upstreamId: string
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
  readonly upstreamId: string
  readonly action: string
  readonly model: string
  readonly status: string
  /** Percent. */
  readonly progress: number
  readonly prompt: string
  readonly failReason: string
  readonly resultUrl: string
  readonly properties: Readonly<Record<string, unknown>>
  /** The provider's last response. */
  readonly data: unknown
  readonly submittedAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  /** Part of the URL of the image. */
  readonly viewToken: string
  /** Whether the task was submitted with this key. */
  isSubmittedWith(key: string): boolean
}
