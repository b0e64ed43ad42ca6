import type { Message } from '@tidegate/contract/api'

const WHILE_SENDING_MS = 2000
const LONGEST_MS = 60_000

/** How long to wait before asking again: messages on their way move, scheduled ones begin to. False when none will. */
export function pauseBeforeNews(
  messages: readonly Pick<Message, 'state' | 'send_at'>[],
  now = Date.now(),
): number | false {
  const pauses = messages.flatMap(({ state, send_at: sendAt }) => {
    if (state === 'sent') return []
    if (state === 'sending' || sendAt === null) return [WHILE_SENDING_MS]
    return [Math.min(Math.max(sendAt * 1000 - now, WHILE_SENDING_MS), LONGEST_MS)]
  })
  return pauses.length === 0 ? false : Math.min(...pauses)
}
