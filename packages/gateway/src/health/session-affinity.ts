import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHead } from '@tidegate/dialects'
import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import type { HealthOptions } from './circuit-breaker.ts'

/** Where the last turn of a conversation was served. */
export interface AffinityEntry {
  readonly channelId: number
  readonly keyId: string
  /** The name that the channel was looked up by: for a virtual model, the chosen target. */
  readonly routed: string
  /** A later turn failed there: the next one uses another channel if possible. */
  readonly failed?: boolean
}

/** The account that stores a response or a conversation, and the user it belongs to. */
export interface StoredResponseEntry extends AffinityEntry {
  readonly userId: number
}

export interface SessionAffinity {
  /** Undefined while the conversation is served by the channel that its hash selects. */
  recall(conversation: string): AffinityEntry | undefined
  remember(conversation: string, entry: AffinityEntry): void
  /** Records that a turn failed on the channel. Ignored when the conversation has moved to another one. */
  forget(conversation: string, channelId: number): void
  /** The conversation is served by the channel that its hash selects. */
  clear(conversation: string): void
  /** Where a provider stores the response or conversation with this id. */
  findStored(id: string): StoredResponseEntry | undefined
  setStored(id: string, entry: StoredResponseEntry): void
}

const MAX_CONVERSATIONS = 50_000
const IDLE_MS = 60 * 60_000
/** Providers store responses for weeks, so only their number is limited. */
const MAX_STORED = 100_000

type TimedEntry = AffinityEntry & { readonly until: number }

/**
 * A provider caches the prompt for the account that sent it, so turns of a conversation use the same channel. A hash of
 * the conversation selects it, in every process. This remembers the exceptions: conversations that had to move.
 */
export function createSessionAffinity({ now, exchange }: HealthOptions): SessionAffinity {
  const entries = new LRUCache<string, TimedEntry>(cacheLimit(MAX_CONVERSATIONS))
  const stored = new LRUCache<string, StoredResponseEntry>(cacheLimit(MAX_STORED))

  function set(conversation: string, entry: AffinityEntry): void {
    const known = entries.peek(conversation)
    const value = { ...entry, until: now() + IDLE_MS }
    entries.set(conversation, value)
    // Every turn extends the time. The others need to know only from time to time.
    if (known && isSame(known, entry) && value.until - known.until < IDLE_MS / 2) return
    exchange?.publish({ topic: 'conversation', id: conversation, value, expiresAt: value.until })
  }

  exchange?.subscribe('conversation', (conversation, entry: TimedEntry | null) => {
    if (entry) entries.set(conversation, entry)
    else entries.delete(conversation)
  })
  exchange?.subscribe('stored-response', (key, entry: StoredResponseEntry) => void stored.set(key, entry))

  return {
    findStored: (id) => stored.peek(storedKey(id)),
    setStored(id, entry) {
      const key = storedKey(id)
      stored.set(key, entry)
      exchange?.publish({ topic: 'stored-response', id: key, value: entry, expiresAt: now() + IDLE_MS })
    },
    recall(conversation) {
      const entry = entries.peek(conversation)
      if (!entry) return undefined
      if (now() < entry.until) return entry
      entries.delete(conversation)
      return undefined
    },
    remember: set,
    forget(conversation, channelId) {
      const entry = entries.peek(conversation)
      if (entry?.channelId === channelId) set(conversation, { ...entry, failed: true })
    },
    clear(conversation) {
      if (!entries.delete(conversation)) return
      exchange?.publish({ topic: 'conversation', id: conversation, value: null, expiresAt: 0 })
    },
  }
}

function isSame(one: AffinityEntry, other: AffinityEntry): boolean {
  return (
    one.channelId === other.channelId &&
    one.keyId === other.keyId &&
    one.routed === other.routed &&
    one.failed === other.failed
  )
}

/** A hash: ids of any length take the same memory. */
function storedKey(id: string): string {
  return hash('sha256', id, 'base64url')
}

/** A short key for a client's conversation id, which may be long, and the same as another user's. */
export function affinityKey(
  text: string,
  { userId, group, model }: { userId: number; group: string; model: string },
): string {
  return hash('sha256', JSON.stringify([userId, group, model, text]), 'base64url')
}

/** Headers that clients use to identify a conversation. The first one wins. */
const SESSION_HEADERS = [
  'x-claude-code-session-id',
  'x-session-affinity',
  'x-session-id',
  'x-opencode-session',
  'session-id',
  'session_id',
  'thread-id',
  'x-conversation-id',
  'conversation_id',
  'x-task-id',
]

/** The client's id of the conversation: from a header, else from the body. */
export function readConversationId(
  headers: IncomingHttpHeaders,
  { conversation, opening }: Pick<RequestHead, 'conversation' | 'opening'>,
): string | undefined {
  for (const name of SESSION_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  // Gemini CLI names no conversation. Its system prompt and first message stay the same.
  return conversation ?? (headers['user-agent']?.startsWith('GeminiCLI') ? opening?.() : undefined)
}
