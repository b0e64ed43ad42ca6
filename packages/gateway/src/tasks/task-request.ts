import type { TaskKind } from '@tidegate/providers'
import type { RequestSummary } from '../admit/admit.ts'
import type { FormBody } from '../http/form-body.ts'
import type { JsonBody } from '../http/read-body.ts'
import type { StoredTask } from '../ports/index.ts'

/** A task submission, as far as the gateway has to understand it. */
export interface TaskRequest {
  readonly task: TaskKind
  readonly action: string
  /** What it is routed and priced by. */
  readonly model: string
  readonly path: string
  readonly body: JsonBody | FormBody
  readonly prompt: string
  /** Worth knowing later. */
  readonly properties: Readonly<Record<string, unknown>>
  /** How much of it is paid for; 0 for what comes with another order. */
  readonly pieces: number
  /** The task it continues, which decides the channel. */
  readonly follows?: { readonly vendorId: string; readonly onceDone: boolean }
}

/** With what every kind of request has, and the task that it continues. */
export interface Submission extends TaskRequest, RequestSummary {
  readonly followed: StoredTask | undefined
}
