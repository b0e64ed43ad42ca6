import type { Usage } from '@tidegate/pricing'
import type { UpstreamClient } from '@tidegate/providers'
import type { Catalog, Db, Limiter, Log, SharedNotices, Vault } from '@tidegate/storage'
import type { Origin } from './http/actor.ts'

/** What the control plane is given by the process that runs it. Operations ask for the parts they use. */
export interface Deps {
  /** In a server, with a deadline of a few seconds for each query: people wait for the answer. */
  db: Db
  /** The same with a longer deadline, for reports, exports and clean-ups of large tables. */
  reportsDb: Db
  vault: Vault
  /** The current snapshot of options, channels and prices. */
  catalog(): Catalog
  /** Resolves when the snapshot of this node has reached a version. */
  catchUp(version: number): Promise<unknown>
  /** What other processes say has changed. */
  notices: Pick<SharedNotices, 'subscribe'>
  limiter: Limiter
  authFailures: AuthFailures
  log: Log
  now(): Date
  site: SiteFacts
  /** The guarded client towards vendors, for lists of models and balances; a process without it refuses those. */
  upstream?: UpstreamClient
  /** The guarded client towards addresses that people name; a process without it sends no webhooks and discovers nothing. */
  webhookClient?: UpstreamClient
  /** Sends a test call through the data plane; a process without it refuses tests. */
  probe?: Probe
}

/** Facts of this installation that no option can change. */
export interface SiteFacts {
  version: string
  startTime: Date
  /** What the setup screen is told, so that it can ask people to keep the data directory. */
  databaseType: 'postgres' | 'embedded'
  /** Addresses whose forwarding headers are believed; undefined means "private ones, when the option says so". */
  trustedProxies: readonly string[] | undefined
  /** Requests per client address to all of `/api`; a count of 0 means no limit. */
  apiLimit: { count: number; windowSeconds: number }
  /** Where tokens of the human check are verified. */
  turnstileVerifyUrl: string
  /** Where services that people sign in with are, without a trailing slash. */
  signIn: { githubUrl: string; githubApiUrl: string; linuxDoUrl: string }
  /** Where Stripe is. */
  stripeUrl: string
  /** Whoever registers gets an API token without limits at once. */
  generateDefaultToken: boolean
  /** Addresses that users name may be private ones, on any port: for tests only. */
  allowPrivateFetches: boolean
  /** How often a user is told the same thing within some minutes; a count of 0 means no limit. */
  noticeLimit: { count: number; minutes: number }
}

/** Sends one small call through a channel, as the data plane would send a user's. It charges nobody and logs nothing. */
export type Probe = (order: ProbeOrder) => Promise<ProbeResult>

export interface ProbeOrder {
  channelId: number
  model: string
  stream: boolean
  signal: AbortSignal
}

export interface ProbeResult {
  readonly ok: boolean
  /** What went wrong; blank when nothing did. */
  readonly message: string
  readonly milliseconds: number
  readonly usage?: Usage
  /** What the call would cost, the ratio of a group left out. */
  readonly quota?: number
  /** The vendor's, when it was the vendor that refused. */
  readonly status?: number
  /** The vendor refuses the key, or the account behind it. */
  readonly keyRefused?: boolean
}

export type AuthFailureKind =
  | 'login_failed'
  | 'second_factor_failed'
  | 'reauthentication_failed'
  | 'forbidden'
  | 'ip_not_allowed'

export interface AuthFailure {
  kind: AuthFailureKind
  /** The account that was tried; undefined when there is no such account. */
  userId?: number | undefined
  /** The caller has shown to be that user. */
  isUser?: boolean
  origin: Pick<Origin, 'clientIp' | 'requestId' | 'tokenName'>
  details?: Readonly<Record<string, string>>
}

/** Counts failed authentications, keeps them in the audit trail and raises an alert when there are many. */
export interface AuthFailures {
  /** Never throws and makes nobody wait: how long a refusal takes must not tell which accounts exist. */
  record(failure: AuthFailure): void
  /** Resolves when everything recorded so far is written. */
  flush(): Promise<void>
}
