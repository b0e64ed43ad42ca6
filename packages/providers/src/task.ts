import type { JsonObject } from '@tidegate/dialects'
import type { Target } from './target.ts'

/** What a vendor takes its time for: ordered once, and asked after until it is over. */
export type TaskKind = 'drawing' | 'music' | 'video'

/** One order, in the words clients and vendors of its kind share. */
export interface TaskOrder {
  /** Such as IMAGINE, MUSIC or GENERATE. */
  readonly action: string
  /** Where clients send it, without what stands for a mode: `/mj/submit/imagine`. */
  readonly path: string
  /** Without what is not for the vendor. Blank for a form, which is passed on as it came. */
  readonly body: JsonObject
}

/** A vendor's word that it took an order. */
export interface TakenOrder {
  /** What the vendor calls the task. */
  readonly vendorId: string
  /** How it took it, where it tells by a number; 1 elsewhere. */
  readonly code: number
  /** Where it was known at once how the task stands. */
  readonly news?: TaskReport
  /** Its answer, for the client. */
  readonly answer: JsonObject
}

/** How tasks stand; see `api.TASK_STATUSES`. */
export type ReportedStatus =
  | 'NOT_START'
  | 'SUBMITTED'
  | 'QUEUED'
  | 'UNKNOWN'
  | 'IN_PROGRESS'
  | 'MODAL'
  | 'SUCCESS'
  | 'FAILURE'

/** What a vendor says of one task. */
export interface TaskReport {
  readonly vendorId: string
  readonly status: ReportedStatus
  /** Percent. */
  readonly progress?: number
  readonly failReason?: string
  /** Where it keeps what was made. */
  readonly resultUrl?: string
  readonly startedAt?: Date
  readonly finishedAt?: Date
  /** Its own words, for clients that ask. */
  readonly data: unknown
}

export interface Inquiry {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly body?: string
}

/** How a vendor takes orders of one kind. */
export interface TaskVendor {
  orderUrl(target: Target, order: TaskOrder): string
  /** What came back with a 2xx. Throws an UpstreamFailure when it is no word that the order was taken. */
  readOrder(answer: JsonObject, order: TaskOrder): TakenOrder
  /** Tasks that can be asked after in one go. */
  readonly atOnce: number
  inquire(target: Target, vendorIds: readonly string[]): Inquiry
  /** Of the tasks the vendor knows. */
  readInquiry(answer: unknown): TaskReport[]
  /** What a vendor sends by itself when there is news. */
  readCallback?(body: JsonObject): TaskReport | undefined
  /** Where the seed a drawing grew from is told. */
  seedUrl?(target: Target, vendorId: string): string
  /** Where what was made is fetched with the channel's key. */
  contentUrl?(target: Target, vendorId: string): string
}

export type TaskVendors = Readonly<Partial<Record<TaskKind, TaskVendor>>>
