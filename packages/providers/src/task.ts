import type { JsonObject } from '@tidegate/dialects'
import type { Target } from './target.ts'

/** Long-running jobs: submitted once and polled until they finish. */
export type TaskKind = 'drawing' | 'music' | 'video'

/** A submission, in the format that clients and providers of its kind share. */
export interface UpstreamTaskRequest {
  /** Such as IMAGINE, MUSIC or GENERATE. */
  readonly action: string
  /** The path clients use, without a mode prefix: `/mj/submit/imagine`. */
  readonly path: string
  /** Without fields that are only for the gateway. Empty for a form, which is forwarded unchanged. */
  readonly body: JsonObject
}

/** An accepted submission. */
export interface TaskSubmission {
  /** The provider's task id. */
  readonly upstreamId: string
  /** The result code of providers that have one, else 1. */
  readonly code: number
  /** Set if the response already contains the task's state. */
  readonly report?: TaskReport
  /** The provider's response, for the client. */
  readonly body: JsonObject
}

/** See `api.TASK_STATUSES`. */
export type UpstreamTaskStatus =
  | 'NOT_START'
  | 'SUBMITTED'
  | 'QUEUED'
  | 'UNKNOWN'
  | 'IN_PROGRESS'
  | 'MODAL'
  | 'SUCCESS'
  | 'FAILURE'

/** The state of a task as the provider reports it. */
export interface TaskReport {
  readonly upstreamId: string
  readonly status: UpstreamTaskStatus
  /** Percent. */
  readonly progress?: number
  readonly failReason?: string
  /** Where the result is stored. */
  readonly resultUrl?: string
  readonly startedAt?: Date
  readonly finishedAt?: Date
  /** The provider's original data, for clients. */
  readonly data: unknown
}

export interface PollRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly body?: string
}

/** How a provider handles tasks of one kind. */
export interface TaskApi {
  submitUrl(target: Target, request: UpstreamTaskRequest): string
  /** Reads a 2xx response. Throws an UpstreamFailure if the submission was not accepted. */
  readSubmission(body: JsonObject, request: UpstreamTaskRequest): TaskSubmission
  /** How many tasks one poll can contain. */
  readonly maxPerPoll: number
  pollRequest(target: Target, upstreamIds: readonly string[]): PollRequest
  /** Only the tasks that the provider knows. */
  readPoll(body: unknown): TaskReport[]
  /** Reads a callback of the provider. */
  readCallback?(body: JsonObject): TaskReport | undefined
  /** Where to get the seed of an image. */
  seedUrl?(target: Target, upstreamId: string): string
  /** Where to download the result with the channel's key. */
  contentUrl?(target: Target, upstreamId: string): string
}

export type TaskApis = Readonly<Partial<Record<TaskKind, TaskApi>>>
