import type { z } from 'zod'
import type { ErrorCode, Phrase } from './errors.ts'
import type { SettingsArea } from './settings-areas.ts'
import type { RoleName } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: `public` needs nobody, `visitor` uses a session when there is one, the rest need that role or higher.
 */
export type Access = 'public' | 'visitor' | RoleName

/** The schema of a part of a call that the endpoint does not have. */
type None = z.ZodUndefined

export interface Endpoint<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Level extends Access = Access,
> {
  readonly method: Method
  /** Written without a trailing slash; `{id}` matches digits only, other names hexadecimal signs. The server answers both slash forms. */
  readonly path: `/api/${string}`
  readonly access: Level
  /** One line for the reader of the generated reference. */
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  /** Bytes a body may come to, where that is less than the megabyte of every call. */
  readonly largestBody?: number
  /** What `data` of the envelope holds, or the whole answer when `bare`. */
  readonly reply: Reply
  /** The answer is not wrapped in the envelope's `data` (calls whose shape the console fixes otherwise). */
  readonly bare?: boolean
  /**
   * A GET that changes something or spends, as the console fixes it: a browser may send it from our own pages only, and on
   * a demo site only its super admin.
   */
  readonly sameOriginOnly?: boolean
  /**
   * Reveals or changes a secret: a session must have proved within ten minutes that its owner is at the keyboard. An
   * access token cannot prove that; `orToken` lets it in where a program has to be able to do the same.
   */
  readonly proof?: true | 'orToken'
  /** Changes second factors: an account that has one must show it within ten minutes; a password does not count. */
  readonly needsFactor?: true
  /** Open to an administrator who must set up a second factor first. */
  readonly enrolment?: true
  /** Sent by open pages on their own: does not keep an idle session alive. */
  readonly background?: true
  /** Takes `Idempotency-Key` although it needs proof: its reply may be kept. */
  readonly idempotent?: true
  /** Beside its role, open to an administrator with this granted area of the settings; `any`: with at least one. */
  readonly settingsArea?: SettingsArea | 'any'
  /** A GET that answers an `ETag`, or a PUT that accepts it in `If-Match` and rejects a change of an older state. */
  readonly versioned?: true
  /** What an automation token needs where the method does not tell: a POST that only asks. */
  readonly scope?: 'read' | 'write'
  /** What `message` of a success says; blank without it. */
  readonly done?: Phrase
  /** Counts against the small per-address budget that guards credentials and mail. */
  readonly critical?: boolean
  /** Refusals of this call's own, beside those every call of its access level can give. */
  readonly errors: readonly ErrorCode[]
}

/** States one `/api` call: the server validates with it, the console calls through it, OpenAPI is made from it. */
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
/** What a caller sends, before defaults and coercion. */
export type QueryInput<E extends Endpoint> = E extends Endpoint<infer Query> ? z.input<Query> : never
export type BodyInput<E extends Endpoint> = E extends Endpoint<z.ZodType, infer Body> ? z.input<Body> : never

/** Every `/api` answer. A business refusal is HTTP 200 with `success: false`; `code` is stable, `message` is for people. */
export type Envelope<Data = unknown> =
  | { success: true; message: string; data?: Data }
  | { success: false; message: string; code: ErrorCode; data?: unknown }

/** Whether a call leaves anything behind. */
export function changesState({ method, sameOriginOnly = false }: Endpoint): boolean {
  return method !== 'GET' || sameOriginOnly
}

/** How a program names a call that it may send again without its happening twice. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/**
 * Names of the header that carries the id of the user. The first is ours; tools and panels made for related products
 * send the others.
 */
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

/** Whether somebody has to be known for a call to be let in. */
export function needsLogin({ access }: Pick<Endpoint, 'access'>): boolean {
  return access !== 'public' && access !== 'visitor'
}

/**
 * Whether `Idempotency-Key` makes a call count once: every POST of somebody known, whatever it creates or moves. What asks
 * for a proof mostly answers with secrets, which are not kept for a second time.
 */
export function takesIdempotencyKey({
  method,
  access,
  proof,
  idempotent,
}: Pick<Endpoint, 'method' | 'access' | 'proof' | 'idempotent'>): boolean {
  return method === 'POST' && needsLogin({ access }) && (!proof || idempotent === true)
}

/** The names in braces of a path: `/api/channel/{id}` → `['id']`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
}
