import type { IncomingHttpHeaders } from 'node:http'
import type { FakeTask, FakeTaskKind, OrderScript } from './task-store.ts'

/** One request, read whole. */
export interface TaskRequest {
  readonly method: string
  /** As it came, without its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer
  /** The body as JSON, or undefined when it is not JSON. */
  readonly body: unknown
}

/** What a call is about. */
export type TaskAction =
  | { readonly kind: 'order'; readonly action: string; readonly about?: string }
  | { readonly kind: 'inquiry'; readonly ids: readonly string[] }
  | { readonly kind: 'seed' | 'content'; readonly id: string }

/** How a vendor of one kind of task speaks. */
export interface TaskProtocol {
  readonly kind: FakeTaskKind
  /** Undefined for calls that are not this vendor's. */
  actionOf(call: TaskRequest): TaskAction | undefined
  keyOf(headers: IncomingHttpHeaders): string | undefined
  newId(): string
  /** Codes other than these mean that the order was not taken. */
  isAccepted(code: OrderScript['code']): boolean
  submitResponse(order: { task?: FakeTask; script: OrderScript; call: TaskRequest; url: string }): unknown
  taskObject(task: FakeTask, url: string): Record<string, unknown>
  /** What is said to a question after tasks; undefined where that is a 404. */
  pollResponse(tasks: readonly FakeTask[], call: TaskRequest, url: string): unknown
  errorBody(status: number, message: string): unknown
}

/** The members of a body, none for what is no object. */
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
