import type { IncomingMessage } from 'node:http'
import type { FetchedMedia, SigningDesk, UpstreamClient } from '@tidegate/providers'
import type { AccountPair, CallerRecord, Person, RejectedAddress } from './callers.ts'
import type { Catalog } from './catalog.ts'
import type { Credit } from './credit.ts'
import type { Limiter } from './limiter.ts'
import type { ChatContent, ErrorRow, GatewayEvent, ImplausibleUsage, ShadowRow } from './records.ts'
import type { TaskStore } from './tasks.ts'

export type * from './callers.ts'
export type * from './catalog.ts'
export type * from './credit.ts'
export type * from './limiter.ts'
export type * from './records.ts'
export type * from './tasks.ts'

/** What the gateway needs from the world. Nothing here knows a database. */
export interface Ports {
  /** By the key without its `sk-`. */
  readonly callers: { find(key: string): Promise<CallerRecord | undefined> }
  /** Who a request of the console comes from, by its session. Throws a ApiError when it may not come in. */
  readonly people?: { identify(request: IncomingMessage): Promise<Person> }
  /** The snapshot of this moment; a call keeps the one it began with. */
  catalog(): Catalog
  readonly credit: Credit
  /** What is left of accounts, for clients that ask. */
  readonly accounts?: { figuresOf(account: { userId: number; tokenId: number }): Promise<AccountPair> }
  /** Where orders are kept that providers take their time for; without it none are taken. */
  readonly tasks?: TaskStore
  /** Without one no rate is limited. */
  readonly limiter?: Limiter
  readonly upstream: UpstreamClient
  /** Needed for providers whose keys are not sent but used. */
  readonly signing?: SigningDesk
  /** Fetches what clients point to. It must not reach private addresses: the address is a client's. */
  readonly fetchMedia?: MediaFetcher
  clientAddress(request: IncomingMessage): string
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 up to, not including, 1. */
  random(): number
  readonly log: Log
  /** A channel, or the one key of it that failed, must not be used any more. */
  readonly disable?: (order: { channelId: number; key: string; reason: string }) => void
  /** A provider reported usage that its model cannot have used. Must not wait. */
  readonly flag?: (order: ImplausibleUsage) => void
  /** A row of the log for an attempt that failed, or for a request that was rejected. */
  readonly recordError?: (row: ErrorRow) => void
  /** What was said in a call, where the settings ask for that to be kept. */
  readonly recordContent?: (row: ChatContent & { readonly requestId: string; readonly userId: number }) => void
  /** What would have become of a call that another gateway answers. Must not wait. */
  readonly recordShadow?: (row: ShadowRow) => void
  readonly observe?: (event: GatewayEvent) => void
  /** An API token was used from an address that it does not allow. Never throws. */
  readonly recordRejectedAddress?: (use: RejectedAddress) => void
  readonly deadlines?: Partial<CallDeadlines>
}

export type MediaFetcher = (url: string, signal: AbortSignal) => Promise<FetchedMedia>

/** How long one attempt may take, in milliseconds. */
export interface CallDeadlines {
  /** A streamed answer: until its first real event. */
  readonly firstTokenMs: number
  /** A streamed answer: the longest silence. */
  readonly idleMs: number
  /** An answer in one piece: until its headers. */
  readonly answerMs: number
  /** An answer that is made to order: between two looks at it. As the provider has it when left out. */
  readonly lookMs?: number
}

export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
