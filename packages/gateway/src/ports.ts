import type { IncomingMessage } from 'node:http'
import type { ErrorCode, Quota, Settings } from '@tidegate/contract'
import type { Receipt, Usage } from '@tidegate/pricing'
import type { FailureClass, FetchedMedia, SigningDesk, TaskKind, TaskReport, UpstreamClient } from '@tidegate/providers'
import type { TriedRoute } from './dispatch/describe-attempt.ts'
import type { ShadowRow } from './shadow/shadow-row.ts'
import type { ChatContent } from './chat/chat-content.ts'
import type { StepTimes } from './admit/step-times.ts'

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
  /** Where orders are kept that vendors take their time for; without it none are taken. */
  readonly tasks?: TaskStore
  /** Without one no rate is limited. */
  readonly limiter?: Limiter
  readonly upstream: UpstreamClient
  /** Needed for vendors whose keys are not sent but used. */
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

export interface RejectedAddress {
  readonly userId: number
  readonly tokenName: string
  readonly clientAddress: string
  readonly requestId: string
}

export interface ImplausibleUsage {
  readonly channelId: number
  readonly model: string
  readonly reportedTokens: number
  /** What was counted here, and billed. */
  readonly countedTokens: number
}

/** Keeps tasks, and moves them on. */
export interface TaskStore {
  /** Before a vendor is asked. */
  open(draft: TaskDraft): Promise<OpenedTask>
  /** A vendor took it. */
  take(id: number, taken: TaskTaken): Promise<void>
  /** None did. */
  refuse(id: number, why: { reason: string; code: number; channelId: number }): Promise<void>
  /** Moves it on, forward only; what was taken for one that failed is given back. */
  report(task: { id: number; userId: number }, report: TaskReport): Promise<void>
  /** Own ones by what their vendors call them, newest first. */
  findOwn(owned: { userId: number; task: TaskKind; vendorIds: readonly string[] }): Promise<StoredTask[]>
  /** The newest own ones below an id. */
  listOwn(owned: { userId: number; task: TaskKind; after?: number | undefined; limit: number }): Promise<StoredTask[]>
  /** By an address that only its vendor was given. */
  findByCallback(address: { id: number; token: string }): Promise<StoredTask | undefined>
  /** By an address that only those were given who may see it. */
  findByView(address: { task: TaskKind; vendorId: string; token: string }): Promise<StoredTask | undefined>
}

export interface TaskDraft {
  readonly task: TaskKind
  readonly userId: number
  readonly tokenId: number
  readonly requestId: string
  readonly action: string
  readonly model: string
  readonly prompt: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly quota: Quota
  readonly deadline: Date
}

export interface OpenedTask {
  readonly id: number
  /** Makes the address its vendor tells news at. */
  readonly callbackToken: string
}

export interface TaskTaken {
  readonly channelId: number
  readonly key: string
  readonly vendorId: string
  readonly code: number
  readonly quota: Quota
  readonly pollAt: Date
  readonly deadline: Date
}

export interface StoredTask {
  readonly id: number
  readonly task: TaskKind
  readonly userId: number
  readonly channelId: number
  readonly vendorId: string
  readonly action: string
  readonly model: string
  readonly status: string
  /** Percent. */
  readonly progress: number
  readonly prompt: string
  readonly failReason: string
  readonly resultUrl: string
  readonly properties: Readonly<Record<string, unknown>>
  /** The vendor's own words. */
  readonly data: unknown
  readonly submittedAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  /** Makes the address at which it is shown. */
  readonly viewToken: string
  /** Whether this is the key it was ordered with. */
  isOrderedWith(key: string): boolean
}

export interface AccountFigures {
  readonly remain: Quota
  readonly used: Quota
}

export interface AccountPair {
  readonly user: AccountFigures
  readonly token: AccountFigures
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
  /** An answer that is made to order: between two looks at it. As the vendor has it when left out. */
  readonly lookMs?: number
}

export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Somebody with an account, as it stands. */
export interface Person {
  readonly userId: number
  readonly username: string
  readonly userStatus: number
  readonly userRole: number
  readonly userGroup: string
  /** As it was when the record was read, without what processes hold of it; missing when it is not known. */
  readonly userQuota?: Quota
  readonly userSetting: { readonly acceptUnsetRatio: boolean; readonly showIp: boolean }
}

/** A token and its owner, as they stand. */
export interface CallerRecord extends Person {
  /** 0 for calls that are made without a token. */
  readonly tokenId: number
  /** Names the token in change notifications. */
  readonly tokenHash?: string
  readonly tokenName: string
  readonly tokenStatus: number
  /** Unix seconds, or -1 for never. */
  readonly expiredTime: number
  readonly unlimitedQuota: boolean
  readonly remainQuota: Quota
  /** Unix seconds of when the quota is filled up again; missing when it never is. */
  readonly budgetResetsAt?: number
  readonly modelLimitsEnabled: boolean
  readonly modelLimits: readonly string[]
  /** Addresses or ranges, one per line. */
  readonly allowIps: string
  /** Blank means the owner's group. */
  readonly tokenGroup: string
  /** Of the token itself; missing when it has none. */
  readonly rateLimit?: RateLimit
  /** Model tokens the token may use in a minute; missing when it may use as many as it likes. */
  readonly tokensPerMinute?: number
  /** Calls of the token that may run at the same time; missing when there may be any number. */
  readonly maxConcurrency?: number
}

/** How much within a window; 0 means as much as one likes. */
export interface RateLimit {
  readonly windowSeconds: number
  /** Every call counts, also the refused ones. */
  readonly requests: number
  /** Calls that were answered. */
  readonly successes: number
}

/** Counts shared by all nodes, where there is a place to share them. */
export interface Limiter {
  /** Takes from every budget and a place, or none of them but the standing budgets. One trip, however much is asked. */
  enter(entry: { budgets: readonly EntryBudget[]; place?: Place }): Promise<Entered>
  /** Corrects budgets (a cost below 0 gives back) and frees the place. Answers how those budgets stand now. */
  leave(departure: { budgets: readonly Required<Budget>[]; place?: Place }): Promise<BudgetState[]>
}

export interface Budget {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** 1 when left out. */
  readonly cost?: number
}

export interface EntryBudget extends Budget {
  /** Taken from also when something else refuses: whoever knocks is counted. */
  readonly standing?: boolean
}

/** One of the `limit` that calls hold while they run. */
export interface Place {
  readonly key: string
  readonly limit: number
  readonly holder: string
}

export type Entered = (
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number; readonly key: string }
) & { readonly budgets: readonly BudgetState[] }

export interface BudgetState {
  readonly key: string
  readonly limit: number
  readonly remaining: number
  /** Until all of the limit is there again. */
  readonly resetSeconds: number
}

export interface Catalog {
  readonly version: number
  readonly settings: Settings
  /** All channels, also the disabled ones. */
  readonly channels: ReadonlyMap<number, CatalogChannel>
  /** Enabled channels that serve the model to the group. */
  channelsFor(group: string, model: string): readonly CatalogChannel[]
  modelsFor(group: string): readonly string[]
}

export interface CatalogChannel {
  readonly id: number
  readonly type: number
  readonly name: string
  readonly enabled: boolean
  readonly keys: readonly string[]
  readonly baseUrl: string
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly priority: number
  readonly weight: number
  readonly modelMapping: ReadonlyMap<string, string>
  readonly statusCodeMapping: ReadonlyMap<number, number>
  readonly paramOverride?: Readonly<Record<string, unknown>>
  readonly headerOverride?: ReadonlyMap<string, string>
  readonly systemPrompt?: string
  readonly openaiOrganization?: string
  /** A free field whose meaning is the vendor's. */
  readonly other?: string
  readonly modelPrefix: string
  readonly maxInputTokens: number
  readonly setting: Readonly<Record<string, unknown>>
  readonly autoBan: boolean
  /** Fields whose text could not be read. A channel with one cannot do what its operator meant, and is passed over. */
  readonly unreadable?: readonly string[]
}

export interface Credit {
  /** Throws a ApiError: insufficient_user_quota, pre_consume_token_quota_failed or settlement_unavailable. */
  reserve(order: CreditOrder): Promise<Reservation>
}

export interface CreditOrder {
  readonly requestId: string
  readonly userId: number
  readonly tokenId: number
  readonly tokenUnlimited: boolean
  readonly amount: Quota
  /** The least that is reserved when an account does not hold the amount; the whole amount when left out. */
  readonly minimum?: Quota
  /** Of an account that does not hold the amount, takes half, so that the next request finds some too. */
  readonly leavesHalf?: boolean
}

export interface Reservation {
  readonly requestId: string
  readonly amount: Quota
  /** Raises what is held to `total`. Returns the error of the account that is short; what is held stays held. */
  extend(total: Quota): Promise<ErrorCode | undefined>
  /** Notes how the call would be billed if the process died now. */
  checkpoint(settlement: Settlement): void
  /**
   * Charges the receipt, beyond what is held as far as the accounts reach; the rest is recorded as uncovered. Resolves
   * when durable; the same request is booked once, however often it is asked for.
   */
  settle(settlement: Settlement): Promise<void>
  release(): Promise<void>
}

export interface Settlement {
  readonly usage: Usage
  readonly receipt: Receipt
  readonly log: LogDraft
}

/** What the usage log tells of a call beside its price. */
export interface LogDraft {
  readonly type: number
  readonly createdAt: Date
  readonly username: string
  readonly tokenName: string
  readonly modelName: string
  readonly channelId: number
  readonly group: string
  readonly isStream: boolean
  readonly useTimeMs: number
  /** Blank unless the user wants addresses in the log. */
  readonly clientIp: string
  readonly content: string
  readonly other: Record<string, unknown>
  /** The task that the call ordered. */
  readonly taskId?: number
}

/** A failed attempt or a rejected request as the log keeps it: nothing was used, nothing is charged. */
export interface ErrorRow extends LogDraft {
  readonly requestId: string
  readonly userId: number
  readonly tokenId: number
}

export type CallOutcome = 'served' | 'refused' | 'failed' | 'interrupted' | 'client-gone'

/** What a metric could be made of. */
export type GatewayEvent =
  | {
      readonly kind: 'attempt'
      readonly channelId: number
      readonly model: string
      readonly outcome: 'served' | FailureClass
      readonly status: number
      readonly milliseconds: number
    }
  | { readonly kind: 'first-token'; readonly channelId: number; readonly model: string; readonly milliseconds: number }
  | { readonly kind: 'implausible-usage'; readonly channelId: number; readonly model: string }
  | { readonly kind: 'auth-failure'; readonly failure: string }
  | { readonly kind: 'audit-forward-failure'; readonly destination: string }
  | { readonly kind: 'call'; readonly outcome: CallOutcome; readonly status: number; readonly milliseconds: number }
  | ConversationEvent

/** A model was asked, and answered or not. Calls that were their caller's own mistake, or that nobody waited for, are none. */
export interface ConversationEvent {
  readonly kind: 'conversation'
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly milliseconds: number
  /** As the client asked for it. */
  readonly model: string
  readonly dialect: string
  readonly stream: boolean
  readonly outcome: 'served' | 'failed'
  /** Channels in the order they were asked; none for a call that failed. */
  readonly attempts: readonly TriedRoute[]
  /** Missing for an answer in one piece. */
  readonly firstTokenMs?: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly timing: StepTimes
}
