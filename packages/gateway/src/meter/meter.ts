import type { ChatAnswer, ChatEvent, ChunkHead, PromptParts, UsageBuckets } from '@tidegate/dialects'
import { NO_USAGE, type Usage } from '@tidegate/pricing'
import { countTokens } from '../count-tokens.ts'

const PER_TOOL_CALL = 7

/** Listens to an answer and tells in the end what it used. */
export interface Meter {
  hear(event: Pick<ChatEvent | ChatAnswer, 'text' | 'toolCalls' | 'usage' | 'head'>): void
  /** What a chunk of our own must repeat. */
  readonly head: ChunkHead | undefined
  total(): Promise<Usage>
}

interface Metered {
  readonly model: string
  readonly prompt: () => PromptParts
}

export function createMeter({ model, prompt }: Metered): Meter {
  let reported: UsageBuckets | undefined
  let head: ChunkHead | undefined
  let toolCalls = 0
  let texts: string[] = []

  return {
    hear(event) {
      head = event.head ?? head
      toolCalls += event.toolCalls
      if (event.text !== '') texts.push(event.text)
      // Vendors that count on every chunk send running totals: the last one is the sum.
      if (event.usage && hasTokens(event.usage)) reported = event.usage
    },
    get head() {
      return head
    },
    async total() {
      if (reported) return { ...reported, estimated: false }
      const parts = prompt()
      const written = texts.join('')
      texts = [written]
      const input = parts.otherTokens + (await countTokens(model, parts.texts))
      const output = (await countTokens(model, [written])) + toolCalls * PER_TOOL_CALL
      return { ...NO_USAGE, input, output, estimated: true }
    },
  }
}

function hasTokens(usage: UsageBuckets): boolean {
  return Object.values(usage).some((count: number) => count > 0)
}
