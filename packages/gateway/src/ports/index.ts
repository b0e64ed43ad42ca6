import type { IncomingMessage } from 'node:http'
import type { Log } from '@tidegate/contract'
import type { FetchedMedia, RequestSigner, UpstreamClient } from '@tidegate/providers'
import type { BatchQueue, BatchStore } from './batches.ts'
import type { CallerAmounts, CallerRecord, UserRecord, RejectedAddress } from './callers.ts'
import type { Catalog } from './catalog.ts'
import type { Credit } from './credit.ts'
import type { FileStore } from './files.ts'
import type { Limiter } from './limiter.ts'
import type { ChatContent, ErrorLogRow, GatewayEvent, ImplausibleUsage, ShadowRow } from './records.ts'
import type { ConversationStore, ResponseStore } from './responses.ts'
import type { StateExchange } from './state-exchange.ts'
import type { TaskStore } from './tasks.ts'

export type * from './batches.ts'
export type * from './callers.ts'
export type * from './catalog.ts'
export type * from './credit.ts'
export type * from './files.ts'
export type * from './limiter.ts'
export type * from './records.ts'
export { ATTEMPT_OUTCOMES, REQUEST_OUTCOMES } from './records.ts'
export type * from './responses.ts'
export type * from './state-exchange.ts'
export type * from './tasks.ts'

/** What the gateway needs from its environment. The interfaces do not depend on a database. */
export interface Ports {
  readonly callers: {
    /** Finds a token by its text without `sk-`. */
    find(key: string): Promise<CallerRecord | undefined>
    findById(tokenId: number): Promise<CallerRecord | undefined>
  }
  /** Finds the user of a console request by its session. Throws an ApiError when there is no valid session. */
  readonly users?: { identify(request: IncomingMessage): Promise<UserRecord> }
  /** The current snapshot. A request uses one snapshot from beginning to end. */
  catalog(): Catalog
  readonly credit: Credit
  /** Balances of accounts, for the billing endpoints. */
  readonly accounts?: { amountsOf(account: { userId: number; tokenId: number }): Promise<CallerAmounts> }
  /** Stores tasks. Without it, tasks are not implemented. */
  readonly tasks?: TaskStore
  /** Stores responses of the Responses API. Without it, only providers store them. */
  readonly responses?: ResponseStore
  /** Without it, only providers have conversations. */
  readonly conversations?: ConversationStore
  /** Without it, there are no files. */
  readonly files?: FileStore
  /** Without it, there are no batches. */
  readonly batches?: BatchStore & BatchQueue
  /** Without it, there are no rate limits. */
  readonly limiter?: Limiter
  readonly upstream: UpstreamClient
  /** For providers whose keys sign requests. */
  readonly signing?: RequestSigner
  /** Fetches URLs of clients. It must not reach private addresses. */
  readonly fetchMedia?: MediaFetcher
  clientAddress(request: IncomingMessage): string
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number
  readonly log: Log
  /** Disables a channel, or the one key that failed. */
  readonly disable?: (target: { channelId: number; key: string; reason: string }) => void
  /** A provider reported usage that its model cannot have used. Must not block. */
  readonly flag?: (usage: ImplausibleUsage) => void
  /** Writes a row to the log for a failed attempt or a rejected request. */
  readonly recordError?: (row: ErrorLogRow) => void
  /** Records the content of a request, where the settings enable that. */
  readonly recordContent?: (row: ChatContent & { readonly requestId: string; readonly userId: number }) => void
  /** Records the decision about a copy of a request that another gateway serves. Must not block. */
  readonly recordShadow?: (row: ShadowRow) => void
  readonly observe?: (event: GatewayEvent) => void
  /** An API token was used from an address that it does not allow. Never throws. */
  readonly recordRejectedAddress?: (use: RejectedAddress) => void
  readonly deadlines?: Partial<AttemptDeadlines>
  /** Shares circuits and session affinity with the other gateways of the site. */
  readonly routingState?: StateExchange
}

export type MediaFetcher = (url: string, signal: AbortSignal) => Promise<FetchedMedia>

/** Time limits of one attempt, in milliseconds. */
export interface AttemptDeadlines {
  /** A stream: until its first content. */
  readonly firstTokenMs: number
  /** A stream: the longest silence. */
  readonly idleMs: number
  /** A whole response: until its headers. */
  readonly responseMs: number
  /** An upstream job: the polling interval. By default the provider's. */
  readonly pollMs?: number
}
