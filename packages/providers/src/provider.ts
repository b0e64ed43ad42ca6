import type { Target } from './target.ts'
import type { Settings } from '@tidegate/contract'
import type { BodyChanges, DialectId, JsonObject } from '@tidegate/dialects'
import type { Operations } from './operation.ts'
import type { Sign, SignUrl } from './upstream/request-signer.ts'
import type { TaskVendors } from './task.ts'
import type { UpstreamClient, UpstreamRequest, UpstreamResponse } from './upstream/types.ts'
import type { FailureClass, UpstreamFailure } from './upstream/failure.ts'

/** One way to have a conversation with a vendor's models: which wire format it speaks, and where. */
export interface Conversation {
  readonly dialect: DialectId
  url(target: Target, call: { stream: boolean; settings: Settings }): string
  /** What to do about the counts of a stream: ask for them, or leave the question out as the vendor does not know it. */
  readonly streamUsage?: 'ask' | 'omit'
  /** The vendor does not fetch media itself: addresses are replaced by what they hold. */
  readonly inlinesMedia?: boolean
  /** False where the vendor has no streams: its whole answer is sent as a stream of one chunk. */
  readonly streams?: false
  /** Used where a channel prefers it, and not merely because the client speaks it. */
  readonly onlyPreferred?: boolean
  /**
   * For a vendor with words of its own: the request, whole and in the words of the dialect, put into the vendor's.
   * Throws a DialectError `cannot_express` where the vendor has no words for it.
   */
  encode?(body: JsonObject, context: EncodeContext): JsonObject
  /** How the vendor is asked where it takes more than one HTTP request, or none. */
  ask?(upstream: Pick<UpstreamClient, 'open' | 'openSocket'>, request: UpstreamRequest): Promise<UpstreamResponse>
  /** Turns an answer in the vendor's own framing or words into one of the dialect, counts included. */
  unpack?(response: UpstreamResponse, context: ResponseContext): UpstreamResponse
  /** What the vendor is told with every call, beside the key. */
  headers?(settings: Settings): Record<string, string>
  /** Headers of the client that mean something to this vendor, by their lower-case names. */
  readonly passesHeaders?: readonly string[]
  /** What this vendor wants said differently: names with suffixes, limits it insists on, settings of the operator. */
  adapt?(body: JsonObject, context: AdaptContext): Adapted
}

export interface EncodeContext {
  readonly target: Target
  readonly stream: boolean
  /** A name for whoever calls, which stays the same and tells nothing about them. */
  caller(): string
}

export interface ResponseContext {
  /** The name the vendor was asked for. */
  readonly model: string
  /** The vendor was asked for a stream. */
  readonly stream: boolean
}

export interface AdaptContext {
  readonly model: string
  /** As the client asked for it. */
  readonly requestedModel: string
  readonly settings: Settings
  /** The client wrote this body itself: it is not to be changed without need. */
  readonly passedOn: boolean
}

export interface Adapted {
  /** The name without what was only meant for us. */
  readonly model?: string
  readonly changes?: BodyChanges
  readonly headers?: Readonly<Record<string, string>>
  /** For the log. */
  readonly reasoningEffort?: string
}

/** A vendor: where it is, how it knows us, what it speaks and how it fails. */
export interface Provider {
  readonly id: string
  /** Blank when only a channel can say. */
  readonly baseUrl: string
  /** Names to suggest for a new channel. */
  readonly models?: readonly string[]
  authorize(target: Target): Record<string, string>
  /** Where a key is not sent but used: to sign the request, or to be traded for a token. */
  readonly sign?: Sign
  /** Where the proof of whose a request is stands in its address. */
  readonly signUrl?: SignUrl
  /** In order of preference; none for vendors that only do other things. */
  readonly conversations?: readonly Conversation[]
  /** The dialect to use whatever the client speaks, where a channel or a model asks for one. */
  prefers?(target: Pick<Target, 'model' | 'setting'>): DialectId | undefined
  /** What it does beside conversations. */
  readonly operations?: Operations
  /** What it takes its time for. */
  readonly tasks?: TaskVendors
  /** Where the vendor tells which models an account may use. */
  readonly modelList?: ModelList
  /** How to ask what is left of an account's credit. */
  readonly balance?: BalanceCheck
  classify(failure: UpstreamFailure): FailureClass
}

export interface ModelList {
  url(target: Pick<Target, 'baseUrl'>): string
  /** The names in an answer. */
  read(body: unknown): string[]
}

/** Asks one address after the other; what each answers helps to form the next. */
export interface BalanceCheck {
  readonly steps: readonly ((target: Pick<Target, 'baseUrl'>, answers: readonly unknown[], now: Date) => string)[]
  /** US dollars, or the vendor's own currency where it has one. */
  read(answers: readonly unknown[]): number
  /** Where the vendor wants the key elsewhere than in its other calls. */
  authorize?(key: string): Record<string, string>
}

export function defineProvider(provider: Provider): Provider {
  return provider
}

/** How to talk to a vendor: as the channel prefers, else in the client's own dialect, else in the vendor's first. */
export function chooseConversation(
  { conversations = [], prefers }: Provider,
  request: { dialect: DialectId; target: Pick<Target, 'model' | 'setting'> },
): Conversation | undefined {
  const preferred = prefers?.(request.target)
  return (
    conversations.find(({ dialect }) => dialect === preferred) ??
    conversations.find(({ dialect, onlyPreferred }) => dialect === request.dialect && !onlyPreferred) ??
    conversations[0]
  )
}
