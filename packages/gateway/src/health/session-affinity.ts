import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHead } from '@tidegate/dialects'
import { RecentMap } from '../recent-map.ts'

/** Where the last turn of a conversation was served. */
export interface Place {
  readonly channelId: number
  readonly keyId: string
  /** The name the channel was looked up by: of a virtual model's targets, the one that was chosen. */
  readonly routed: string
  /** A turn failed there since: the next one goes elsewhere when it can. */
  readonly failed?: boolean
}

/** The account that stores a response or a conversation, and the user it belongs to. */
export interface StoredPlace extends Place {
  readonly userId: number
}

export interface Affinity {
  recall(conversation: string): Place | undefined
  keep(conversation: string, place: Place): void
  /** A turn failed on the channel; means nothing to a conversation that is elsewhere. */
  leave(conversation: string, channelId: number): void
  /** Where a provider stores the response or conversation with this id. */
  findStored(id: string): StoredPlace | undefined
  keepStored(id: string, place: StoredPlace): void
}

const MOST_CONVERSATIONS = 50_000
const IDLE_MS = 60 * 60_000
/** Providers store responses for weeks: the number of them is the only bound. */
const MOST_STORED = 100_000

/** Remembers where conversations are served: a vendor keeps the prompt of the last turn for the account that sent it. */
export function createAffinity({ now }: { now(): number }): Affinity {
  const places = new RecentMap<string, Place & { readonly until: number }>(MOST_CONVERSATIONS)
  const stored = new RecentMap<string, StoredPlace>(MOST_STORED)
  return {
    findStored: (id) => stored.get(storedKey(id)),
    keepStored: (id, place) => stored.set(storedKey(id), place),
    recall(conversation) {
      const place = places.get(conversation)
      if (!place) return undefined
      if (now() < place.until) return place
      places.delete(conversation)
      return undefined
    },
    keep: (conversation, place) => places.set(conversation, { ...place, until: now() + IDLE_MS }),
    leave(conversation, channelId) {
      const place = places.get(conversation)
      if (place?.channelId === channelId) places.set(conversation, { ...place, failed: true })
    },
  }
}

/** Ids of any length take the same memory. */
function storedKey(id: string): string {
  return hash('sha256', id, 'base64url')
}

/** One name for what a client calls a conversation, which may be long, and the same as another user's. */
export function conversationId(
  text: string,
  { userId, group, model }: { userId: number; group: string; model: string },
): string {
  return hash('sha256', JSON.stringify([userId, group, model, text]), 'base64url')
}

/** Headers by which clients tie the turns of one conversation together. */
const SESSION_HEADERS = ['x-session-id', 'session_id', 'session-id', 'x-conversation-id', 'conversation_id']

/** What the turns of one conversation have in common: a header, or else what the body says. */
export function conversationOf(
  headers: IncomingHttpHeaders,
  { conversation }: Pick<RequestHead, 'conversation'>,
): string | undefined {
  for (const name of SESSION_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return conversation
}
