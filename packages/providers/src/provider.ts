import type { FailureClass, UpstreamFailure } from './upstream/failure.ts'

/** Where one call goes: a channel's own values over those of its vendor. */
export interface Target {
  /** Blank means the vendor's own address. */
  readonly baseUrl: string
  readonly key: string
  /** The model name the vendor will be asked for. */
  readonly model: string
  readonly organization?: string
}

/** A capability: which wire format the vendor speaks for it, and where. */
export interface ChatCapability {
  readonly dialect: 'openai-chat'
  url(target: Target): string
  /** What to do about the counts of a stream: ask for them, or leave the question out as the vendor does not know it. */
  readonly streamUsage: 'ask' | 'omit'
}

/** A vendor: where it is, how it knows us, what it speaks and how it fails. */
export interface Provider {
  readonly id: string
  /** Blank when only a channel can say. */
  readonly baseUrl: string
  /** Names to suggest for a new channel. */
  readonly models?: readonly string[]
  authorize(target: Target): Record<string, string>
  readonly chat?: ChatCapability
  classify(failure: UpstreamFailure): FailureClass
}

export function defineProvider(provider: Provider): Provider {
  return provider
}
