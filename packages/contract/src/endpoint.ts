import type { z } from 'zod'
import type { ErrorCode, LocalizedText } from './errors.ts'
import type { RoleName, SettingsArea } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: `public` needs no login, `visitor` uses a session if there is one, the others need that role or higher.
 */
export type Access = 'public' | 'visitor' | RoleName

/** Schema of a missing query or body. */
type None = z.ZodUndefined

export interface Endpoint<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Level extends Access = Access,
> {
  readonly method: Method
  /**
   * Without a trailing slash; the server accepts both forms. `{id}` matches digits, other names hexadecimal characters.
   */
  readonly path: `/api/${string}`
  readonly access: Level
  /** One line for the generated reference. */
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  /** Maximum body size in bytes, if less than the default of one megabyte. */
  readonly largestBody?: number
  /** Schema of the envelope's `data`, or of the whole response if `bare`. */
  readonly reply: Reply
  /** The response is not wrapped in an envelope (endpoints with a format fixed by the specification). */
  readonly bare?: boolean
  /**
   * A GET with side effects, as the specification has it: browsers may send it from our own pages only, and on a demo
   * site only the super admin may.
   */
  readonly sameOriginOnly?: boolean
  /**
   * Reveals or changes a secret: a session needs re-authentication within the last ten minutes. Access tokens cannot
   * re-authenticate; `orToken` allows them where programs need the endpoint.
   */
  readonly proof?: true | 'orToken'
  /** Changes second factors: an account that has one must have used it within ten minutes; a password is not enough. */
  readonly needsFactor?: true
  /** Allowed for an administrator who must set up a second factor first. */
  readonly enrolment?: true
  /** Polled by open pages: does not extend an idle session. */
  readonly background?: true
  /** Accepts `Idempotency-Key` although it needs re-authentication: its reply may be stored. */
  readonly idempotent?: true
  /** Also allowed for administrators with this granted settings area; `any`: with at least one. */
  readonly settingsArea?: SettingsArea | 'any'
  /** A GET that returns an `ETag`, or a PUT that accepts it in `If-Match` and rejects a change of an older version. */
  readonly versioned?: true
  /** The scope of automation tokens where it does not follow from the method, such as a POST that only reads. */
  readonly scope?: 'read' | 'write'
  /** `message` of a successful response; blank by default. */
  readonly done?: LocalizedText
  /** Counts against the small rate limit per address for credentials and mail. */
  readonly critical?: boolean
  /** Errors specific to this endpoint; `errorsOf` adds those of its access level. */
  readonly errors: readonly ErrorCode[]
}

/** Defines an `/api` endpoint. Server validation, console calls and the OpenAPI document use it. */
export function endpoint<
  const Level extends Access,
  Reply extends z.ZodType,
  Query extends z.ZodType = None,
  Body extends z.ZodType = None,
>(definition: Endpoint<Query, Body, Reply, Level>): Endpoint<Query, Body, Reply, Level> {
  return definition
}

export type QueryOf<E extends Endpoint> = E extends Endpoint<infer Query> ? z.output<Query> : never
export type BodyOf<E extends Endpoint> = E extends Endpoint<z.ZodType, infer Body> ? z.output<Body> : never
export type ReplyOf<E extends Endpoint> =
  E extends Endpoint<z.ZodType, z.ZodType, infer Reply> ? z.output<Reply> : never
/** Input of a caller, before defaults and coercion. */
export type QueryInput<E extends Endpoint> = E extends Endpoint<infer Query> ? z.input<Query> : never
export type BodyInput<E extends Endpoint> = E extends Endpoint<z.ZodType, infer Body> ? z.input<Body> : never

/**
 * Every `/api` response. Business errors are HTTP 200 with `success: false`; `code` is stable, `message` is for people.
 */
export type Envelope<Data = unknown> =
  | { success: true; message: string; data?: Data }
  | { success: false; message: string; code: ErrorCode; data?: unknown }

/** Whether an endpoint has side effects. */
export function changesState({ method, sameOriginOnly = false }: Endpoint): boolean {
  return method !== 'GET' || sameOriginOnly
}

/** Header with the idempotency key of a request. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/** Headers with the user id. The first is ours; tools for related products send the others. */
export const USER_ID_HEADERS = [
  'Tidegate-User',
  'New-Api-User',
  'One-Api-User',
  'Veloera-User',
  'Voapi-User',
  'Rix-Api-User',
  'Neo-Api-User',
  'X-Api-User',
  'User-Id',
] as const

/** Whether an endpoint needs a login. */
export function needsLogin({ access }: Pick<Endpoint, 'access'>): boolean {
  return access !== 'public' && access !== 'visitor'
}

/**
 * Whether an endpoint accepts `Idempotency-Key`: every POST that needs a login. Replies of endpoints that need
 * re-authentication are mostly secrets and not stored.
 */
export function takesIdempotencyKey({
  method,
  access,
  proof,
  idempotent,
}: Pick<Endpoint, 'method' | 'access' | 'proof' | 'idempotent'>): boolean {
  return method === 'POST' && needsLogin({ access }) && (!proof || idempotent === true)
}

/** Parameter names of a path: `/api/channel/{id}` → `['id']`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
}
