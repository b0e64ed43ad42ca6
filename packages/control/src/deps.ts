import type { Log, ProbeResult } from '@tidegate/contract'
import type { UpstreamClient } from '@tidegate/providers'
import type { Catalog, CatalogChannel, Db, Limiter, LogStore, SharedListener, Vault } from '@tidegate/storage'
import type { Origin } from './http/actor.ts'

/** Dependencies of the control plane, provided by the process. Operations take the parts they use. */
export interface Deps {
  /** In a server, queries have a deadline of a few seconds. */
  db: Db
  /** The same with a longer deadline, for reports, exports and cleanup of large tables. */
  reportsDb: Db
  /** Log rows, with the deadline of `db`. */
  logs: LogStore
  /** The same with the deadline of `reportsDb`. */
  reportLogs: LogStore
  vault: Vault
  /** The current snapshot of options, channels and prices. */
  catalog(): Catalog
  /** Resolves when this node uses the version. */
  catchUp(version: number): Promise<unknown>
  /** Change notifications of other processes. */
  listener: Pick<SharedListener, 'subscribe'>
  limiter: Limiter
  authFailures: AuthFailures
  log: Log
  now(): Date
  site: SiteConfig
  /** Guarded client for providers (model lists, balances); without it these requests are rejected. */
  upstream?: UpstreamClient
  /** Guarded client for user-supplied addresses; without it there are no webhooks and no OIDC discovery. */
  webhookClient?: UpstreamClient
  /** Sends a test request through the gateway; without it tests are rejected. */
  probe?: Probe
  /** Explains routing with the rules of the gateway; without it the request is rejected. */
  explainRoutes?(question: RouteQuestion): RouteExplanation
}

/** Configuration of the installation that no option can change. */
export interface SiteConfig {
  version: string
  startTime: Date
  /** The cell of this database, which new API tokens name. */
  cell: string
  /** Shown on the setup page, which asks users of the embedded database to keep the data directory. */
  databaseType: 'postgres' | 'embedded'
  /** Proxies whose forwarding headers are trusted; undefined: private addresses, if the option allows it. */
  trustedProxies: readonly string[] | undefined
  /** Requests per client address to all of `/api`; a count of 0 means no limit. */
  apiLimit: { count: number; windowSeconds: number }
  /** Address of the Turnstile verify API. */
  turnstileVerifyUrl: string
  /** Base URLs of OAuth providers, without a trailing slash. */
  signIn: { githubUrl: string; githubApiUrl: string; linuxDoUrl: string }
  /** Base URL of Stripe. */
  stripeUrl: string
  /** New users get an unlimited API token. */
  generateDefaultToken: boolean
  /** Allows private addresses and any port in user-supplied addresses: for tests only. */
  allowPrivateFetches: boolean
  /** Limit of equal notifications per user within some minutes; a count of 0 means no limit. */
  notificationLimit: { count: number; minutes: number }
}

/** Sends one small request through a channel like the gateway would. It is neither charged nor logged. */
export type Probe = (request: ProbeRequest) => Promise<ProbeResult>

export interface ProbeRequest {
  channelId: number
  /** A channel that is not saved; replaces `channelId`. */
  unsaved?: CatalogChannel
  model: string
  stream: boolean
  signal: AbortSignal
}

/** A request whose routing is explained. */
export interface RouteQuestion {
  model: string
  group: string
  /** Decides which groups an automatic group stands for. */
  userGroup: string
  promptTokens: number
}

interface RouteChannel {
  readonly channel: { id: number; name: string; type: number; priority: number; weight: number }
  /** The circuits of the model over all keys; undefined where the process does not know them. */
  readonly circuit?: { state: 'closed' | 'open' | 'half_open'; trippedKeys: number }
}

/** The channels that would serve a request, and those that would not. */
export interface RouteExplanation {
  readonly tiers: readonly {
    readonly group: string
    readonly model: string
    readonly priority?: number
    readonly weightFloor: number
    readonly candidates: readonly (RouteChannel & { upstreamModel: string; share: number })[]
  }[]
  readonly excluded: readonly (RouteChannel & {
    readonly group: string
    readonly model: string
    readonly reason:
      | 'cannot-serve'
      | 'misconfigured'
      | 'no-price'
      | 'prompt-too-long'
      | 'cooling-down'
      | 'disabled'
      | 'other-group'
    readonly inputLimit?: number
    readonly waitMs?: number
  })[]
}

export const AUTH_FAILURE_KINDS = [
  'login_failed',
  'second_factor_failed',
  'reauthentication_failed',
  'forbidden',
  'ip_not_allowed',
] as const
export type AuthFailureKind = (typeof AUTH_FAILURE_KINDS)[number]

export interface AuthFailure {
  kind: AuthFailureKind
  /** The account that was tried; undefined if it does not exist. */
  userId?: number | undefined
  /** The caller is verified to be that user. */
  isUser?: boolean
  origin: Pick<Origin, 'clientIp' | 'requestId' | 'tokenName'>
  details?: Readonly<Record<string, string>>
}

/** Counts failed authentications, writes them to the audit trail and sends an alert when there are many. */
export interface AuthFailures {
  /** Never throws and does not block: response times must not reveal which accounts exist. */
  record(failure: AuthFailure): void
  /** Resolves when everything recorded so far is written. */
  flush(): Promise<void>
}
