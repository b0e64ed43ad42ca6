import { createHash } from 'node:crypto'
import type { Target } from '../target.ts'
import type { UpstreamClient } from './types.ts'
import { failureFromAnswer, FAILURES } from './failure.ts'
import { readJsonText } from './read-body.ts'

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

/** A token is given up a little before it ends: a call that has begun must not find it over. */
const EXPIRY_MARGIN_MS = 60_000
const MAX_TOKENS = 1000
const RESPONSE_CAP_BYTES = 1024 * 1024

/** Trades keys for tokens over the one client towards vendors, and remembers them. */
export function createSigningDesk(client: Pick<UpstreamClient, 'open'>, now = () => new Date()): SigningDesk {
  const tokens = new Map<string, { token: Promise<TradedToken>; until: number }>()

  return {
    now,
    async token(name, trade) {
      // Names hold keys, which need not lie about.
      const id = createHash('sha256').update(name).digest('base64')
      const known = tokens.get(id)
      if (known && known.until > now().getTime()) return (await known.token).token
      if (tokens.size >= MAX_TOKENS) tokens.clear()
      const entry = { token: trade(), until: Infinity }
      tokens.set(id, entry)
      try {
        const { token, lifetimeMs } = await entry.token
        entry.until = now().getTime() + Math.max(0, lifetimeMs - EXPIRY_MARGIN_MS)
        return token
      } catch (error) {
        if (tokens.get(id) === entry) tokens.delete(id)
        throw error
      }
    },
    async postForm(url, fields) {
      const response = await client.open({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          'user-agent': 'tidegate',
        },
        body: new URLSearchParams(fields).toString(),
        deadlines: { firstByteMs: 20_000, idleMs: 10_000 },
      })
      const text = await readJsonText(response, RESPONSE_CAP_BYTES)
      if (response.status < 200 || response.status > 299)
        throw failureFromAnswer(response.status, text, response.headers)
      try {
        return JSON.parse(text) as unknown
      } catch (error) {
        throw FAILURES.unreadable(error)
      }
    },
  }
}
