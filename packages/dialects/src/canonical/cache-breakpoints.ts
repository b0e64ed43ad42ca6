import type { CacheBreakpoint, Part } from './content.ts'
import type { Message } from './request.ts'

/** OpenAI rejects more. */
const MAX_BREAKPOINTS = 4

/**
 * Messages for an OpenAI protocol: with the last breakpoints, which cover most of the prompt, or with none if the
 * provider rejects them.
 */
export function keepBreakpoints(messages: readonly Message[], areAccepted: boolean): readonly Message[] {
  const total = messages.reduce((sum, { parts }) => sum + countIn(parts), 0)
  let surplus = areAccepted ? total - MAX_BREAKPOINTS : total
  if (surplus <= 0) return messages
  const unmark = <P extends Part>(part: P): P => {
    const inner = part.type === 'tool-result' ? { ...part, content: part.content.map(unmark) } : part
    if (!cacheOf(inner) || surplus === 0) return inner
    surplus -= 1
    return { ...inner, cache: undefined }
  }
  return messages.map((message) =>
    surplus === 0 || countIn(message.parts) === 0 ? message : { ...message, parts: message.parts.map(unmark) },
  )
}

function countIn(parts: readonly Part[]): number {
  let count = 0
  for (const part of parts) {
    if (cacheOf(part)) count += 1
    if (part.type === 'tool-result') count += countIn(part.content)
  }
  return count
}

function cacheOf(part: Part): CacheBreakpoint | undefined {
  return 'cache' in part ? part.cache : undefined
}
