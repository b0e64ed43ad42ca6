import type { Target } from '../provider.ts'

/** A request that is ready but for what proves whose it is. */
export interface Unsigned {
  readonly target: Target
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly body: string
}

/** What signing takes from outside. */
export interface SigningDesk {
  now(): Date
  /** A token that was traded for a key, kept until shortly before it ends. Those who ask at once share one trade. */
  token(name: string, trade: () => Promise<TradedToken>): Promise<string>
  /** Posts a form and answers the JSON that comes back. Throws an UpstreamFailure when none does. */
  postForm(url: string, fields: Readonly<Record<string, string>>): Promise<unknown>
}

export interface TradedToken {
  readonly token: string
  readonly lifetimeMs: number
}

/** For vendors that sign every request, or trade a key for a token: the headers that prove whose it is. */
export type Sign = (request: Unsigned, desk: SigningDesk) => Promise<Record<string, string>>

/** For vendors that look for the proof in the address: the address with it. */
export type SignUrl = (request: Unsigned, desk: SigningDesk) => Promise<string>
