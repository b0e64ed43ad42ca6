import type { Quota } from '@tidegate/contract'
import type { ModelPrice, Usage } from '@tidegate/pricing'
import type { FailureClass } from '@tidegate/providers'

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

export interface ImplausibleUsage {
  readonly channelId: number
  readonly model: string
  readonly reportedTokens: number
  /** What was counted here, and billed. */
  readonly countedTokens: number
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
  readonly attempts: readonly AttemptRecord[]
  /** Missing for an answer in one piece. */
  readonly firstTokenMs?: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly timing: StepTimes
}

/** What was said in a call, as an operator may keep it. */
export interface ChatContent {
  /** All instructions. */
  readonly systemPrompt: string
  /** Everything between the instructions and the last thing the user said. */
  readonly context: string
  /** The last thing the user said. */
  readonly input: string
  /** Thoughts and words of the model. */
  readonly output: string
}

/** One attempt as an administrator reads it in the log. */
export interface AttemptRecord {
  readonly channel: number
  readonly dialect: string
  readonly milliseconds: number
  /** As the provider sent it; missing for the attempt that was served. */
  readonly status?: number
  /** In the provider's words, but for the key. */
  readonly reason?: string
}

/** The steps of a call before a channel is asked. */
export type EarlyStep = 'authenticate' | 'limits' | 'prompt' | 'route' | 'credit'

/** How long each took, in milliseconds with two decimals. */
export type StepTimes = Readonly<Partial<Record<EarlyStep, number>>>

/** Why a channel that serves the model was not used. */
export type PassReason = 'cannot-serve' | 'no-price' | 'prompt-too-long' | 'cooling-down' | 'disabled' | 'other-group'

/** What the log tells administrators of how a channel was chosen. */
export interface RouteDecision {
  /** Enabled channels that serve the model to the group. */
  readonly candidates: number
  /** The conversation stayed on this channel. */
  readonly kept?: number
  /** Those that were looked at and left out: the first of them, and how many there were. */
  readonly passedOver: readonly { readonly channelId: number; readonly reason: PassReason }[]
  readonly passedOverCount: number
}

/** What would have become of a call. */
export interface ShadowDecision {
  /** As the client asked for it; blank where the call was refused before it was read. */
  readonly model: string
  readonly isStream: boolean
  readonly group: string
  /** The channel that would have been asked first. */
  readonly channelId: number | null
  readonly upstreamModel: string
  readonly promptTokens: number
  readonly reserve: Quota
  /** The code it would have been refused with. */
  readonly refusal: string | null
  /** What other counts of tokens would have cost; null for a call that would have been refused. */
  readonly pricing: ShadowPricing | null
}

export interface ShadowPricing {
  readonly price: ModelPrice
  /** Where something else is sold than tokens: images, letters, sound. */
  readonly usage?: Usage
}

export interface ShadowRow extends ShadowDecision {
  readonly requestId: string
  readonly createdAt: Date
  readonly userId: number
  readonly tokenId: number
  readonly path: string
}
