import type { RequestHead } from '@tidegate/dialects'
import type { SessionAffinity } from '../health/session-affinity.ts'
import { keyIdOf } from '../health/channel-keys.ts'
import type { Attempt } from './send-chat.ts'
import type { OpenedResponse } from './first-content.ts'

/**
 * Remembers which account stores a response, so that the next turn goes there. Called before the client sees the id. A
 * conversation belongs to the user whose request is the first to be served with it.
 */
export function rememberStored(
  affinity: Pick<SessionAffinity, 'setStored'>,
  { request, attempt, userId }: { request: RequestHead; attempt: Attempt; userId: number },
): void {
  const { stored, dialect } = request
  if (!stored || attempt.conversation.dialect !== dialect) return // converted: the provider stores nothing
  const { route, lease, opening } = attempt
  const entry = { userId, channelId: route.channel.id, keyId: keyIdOf(lease.key), routed: route.routed }
  for (const id of [stored.conversationId, stored.storesResponse ? responseId(opening) : undefined]) {
    if (id !== undefined) affinity.setStored(id, entry)
  }
}

function responseId(opening: OpenedResponse): string | undefined {
  if (opening.kind === 'whole') return opening.canonical.id
  for (const { events } of opening.held) {
    for (const event of events) if (event.type === 'response-start') return event.id
  }
  return undefined
}
