import { hash } from 'node:crypto'
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

export interface Affinity {
  recall(conversation: string): Place | undefined
  keep(conversation: string, place: Place): void
  /** A turn failed on the channel; means nothing to a conversation that is elsewhere. */
  leave(conversation: string, channelId: number): void
}

const MOST_CONVERSATIONS = 50_000
const IDLE_MS = 60 * 60_000

/** Remembers where conversations are served: a vendor keeps the prompt of the last turn for the account that sent it. */
export function createAffinity({ now }: { now(): number }): Affinity {
  const places = new RecentMap<string, Place & { readonly until: number }>(MOST_CONVERSATIONS)
  return {
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

/** One name for what a client calls a conversation, which may be long, and the same as another user's. */
export function conversationId(
  text: string,
  { userId, group, model }: { userId: number; group: string; model: string },
): string {
  return hash('sha256', JSON.stringify([userId, group, model, text]), 'base64url')
}
