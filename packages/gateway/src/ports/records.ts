import type { Quota } from '@tidegate/contract'
import type { ModelPrice, Usage } from '@tidegate/pricing'
import { FAILURE_CLASSES } from '@tidegate/providers'

interface RequestFields {
  readonly type: number
  readonly username: string
  readonly tokenName: string
  readonly modelName: string
  readonly channelId: number
  readonly group: string
  readonly isStream: boolean
  readonly useTimeMs: number
  /** Blank unless the user enables addresses in the log. */
  readonly clientIp: string
}

/** What the log row of a settled request is made from, besides its price. */
export interface SettlementLog extends RequestFields {
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly firstTokenMs: number
  readonly timing: StepTimes
  readonly attempts: readonly AttemptRecord[]
  readonly decision: RouteDecision
  /** Instead of the description of the price. */
  readonly content?: string
  /** Fields that few requests have, under their names in the log row. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The task that the request submitted. */
  readonly taskId?: number
  /** The line of a batch that the request stands for. It is charged once, however often it runs. */
  readonly batchLine?: { readonly batchId: string; readonly number: number }
}

/** The log row of a failed attempt or a rejected request. It has no usage and no charge. */
export interface ErrorLogRow extends RequestFields {
  readonly requestId: string
  readonly createdAt: Date
  readonly content: string
  readonly other: Record<string, unknown>
  readonly userId: number
  readonly tokenId: number
}

export interface ImplausibleUsage {
  readonly channelId: number
  readonly model: string
  readonly reportedTokens: number
  /** Counted here, and billed. */
  readonly countedTokens: number
}

export const REQUEST_OUTCOMES = ['served', 'refused', 'failed', 'interrupted', 'client-gone'] as const
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number]

export const ATTEMPT_OUTCOMES = ['served', ...FAILURE_CLASSES] as const

/** Events that metrics are made from. */
export type GatewayEvent =
  | {
      readonly kind: 'attempt'
      readonly channelId: number
      readonly model: string
      readonly outcome: (typeof ATTEMPT_OUTCOMES)[number]
      readonly status: number
      readonly milliseconds: number
    }
  | { readonly kind: 'first-token'; readonly channelId: number; readonly model: string; readonly milliseconds: number }
  | { readonly kind: 'implausible-usage'; readonly channelId: number; readonly model: string }
  | { readonly kind: 'auth-failure'; readonly failure: string }
  | { readonly kind: 'audit-forward-failure'; readonly destination: string }
  | { readonly kind: 'export-attempt'; readonly destination: string; readonly result: string }
  | {
      readonly kind: 'request'
      readonly outcome: RequestOutcome
      readonly status: number
      readonly milliseconds: number
    }
  | ModelRequestEvent

/** A model served a request, or failed to. Client errors and requests whose client disconnected are not reported. */
export interface ModelRequestEvent {
  readonly kind: 'model-request'
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly milliseconds: number
  /** The name that the client requested. */
  readonly model: string
  readonly dialect: string
  readonly stream: boolean
  readonly outcome: 'served' | 'failed'
  /** Attempts in order; empty for a failed request. */
  readonly attempts: readonly AttemptRecord[]
  /** Missing for a whole response. */
  readonly firstTokenMs?: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly timing: StepTimes
  /** The kind of request, if it is not a chat. */
  readonly operation?: string
  /** The span of the client that the request belongs to. */
  readonly traceparent?: string
}

/** The content of a chat, where the operator records it. */
export interface ChatContent {
  /** All instructions. */
  readonly systemPrompt: string
  /** Everything between the instructions and the last user message. */
  readonly context: string
  /** The last user message. */
  readonly input: string
  /** Reasoning and text of the model. */
  readonly output: string
}

/** One attempt in the log, for administrators. */
export interface AttemptRecord {
  readonly channel: number
  readonly dialect: string
  readonly milliseconds: number
  /** The provider's status; missing for the attempt that succeeded. */
  readonly status?: number
  /** The provider's message, without the key. */
  readonly reason?: string
}

/** The steps of a request before a channel is called. */
export type EarlyStep = 'authenticate' | 'limits' | 'prompt' | 'route' | 'credit'

/** The duration of each step, in milliseconds. Log rows have two decimals. */
export type StepTimes = Readonly<Partial<Record<EarlyStep, number>>>

/** Why a channel that serves the model was not used. */
export type SkipReason = 'cannot-serve' | 'no-price' | 'prompt-too-long' | 'cooling-down' | 'disabled' | 'other-group'

/** How a channel was chosen, for administrators. */
export interface RouteDecision {
  /** Enabled channels that serve the model to the group. */
  readonly candidates: number
  /** The channel of session affinity, if it was used. */
  readonly kept?: number
  /** Skipped channels: the first of them, and their number. */
  readonly passedOver: readonly { readonly channelId: number; readonly reason: SkipReason }[]
  readonly passedOverCount: number
}

/** The decision about a copy of a request. */
export interface ShadowDecision {
  /** The name that the client requested; blank where the request was rejected before it was read. */
  readonly model: string
  readonly isStream: boolean
  readonly group: string
  /** The channel that would have been called first. */
  readonly channelId: number | null
  readonly upstreamModel: string
  readonly promptTokens: number
  readonly reserve: Quota
  /** The error code of a rejection. */
  readonly refusal: string | null
  /** For computing the cost of other token counts; null for a rejected request. */
  readonly pricing: ShadowPricing | null
}

export interface ShadowPricing {
  readonly price: ModelPrice
  /** For models that are not priced by tokens: images, characters, audio. */
  readonly usage?: Usage
}

export interface ShadowRow extends ShadowDecision {
  readonly requestId: string
  readonly createdAt: Date
  readonly userId: number
  readonly tokenId: number
  readonly path: string
}
