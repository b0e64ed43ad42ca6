import type { TaskKind } from '@tidegate/providers'
import type { RequestSummary } from '../admit/admit.ts'
import type { FormBody } from '../http/form-body.ts'
import type { JsonBody } from '../http/read-body.ts'
import type { StoredTask } from '../ports/index.ts'

/** A task submission, with the fields that the gateway needs. */
export interface TaskRequest {
  readonly task: TaskKind
  readonly action: string
  /** The name for routing and pricing. */
  readonly model: string
  readonly path: string
  readonly body: JsonBody | FormBody
  readonly prompt: string
  /** Stored with the task. */
  readonly properties: Readonly<Record<string, unknown>>
  /** Billed units; 0 for a submission that is billed with another one. */
  readonly pieces: number
  /** The task that it continues, which determines the channel. */
  readonly parent?: { readonly upstreamId: string; readonly mustBeDone: boolean }
}

export interface Submission extends TaskRequest, RequestSummary {
  readonly parentTask: StoredTask | undefined
}
