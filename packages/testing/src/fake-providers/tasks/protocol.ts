import type { IncomingHttpHeaders } from 'node:http'
import type { FakeTask, FakeTaskKind, SubmissionScript } from './task-store.ts'

/** One request with its whole body. */
export interface TaskRequest {
  readonly method: string
  /** Unparsed, without its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer
  /** The body as JSON, or undefined when it is not JSON. */
  readonly body: unknown
}

/** The purpose of a request. */
export type TaskAction =
  | { readonly kind: 'submit'; readonly action: string; readonly about?: string }
  | { readonly kind: 'inquiry'; readonly ids: readonly string[] }
  | { readonly kind: 'seed' | 'content'; readonly id: string }

/** The protocol of a provider of one kind of task. */
export interface TaskProtocol {
  readonly kind: FakeTaskKind
  /** Undefined for requests of other protocols. */
  actionOf(call: TaskRequest): TaskAction | undefined
  keyOf(headers: IncomingHttpHeaders): string | undefined
  newId(): string
  /** Whether a result code means that the submission was accepted. */
  isAccepted(code: SubmissionScript['code']): boolean
  submitResponse(options: { task?: FakeTask; script: SubmissionScript; call: TaskRequest; url: string }): unknown
  taskObject(task: FakeTask, url: string): Record<string, unknown>
  /** Response of a poll; undefined for 404. */
  pollResponse(tasks: readonly FakeTask[], call: TaskRequest, url: string): unknown
  errorBody(status: number, message: string): unknown
}

/** The members of a body; empty if it is not an object. */
export function membersOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function idsOf(body: unknown): string[] {
  const { ids } = membersOf(body)
  return Array.isArray(ids) ? ids.map(String) : []
}

export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
}
