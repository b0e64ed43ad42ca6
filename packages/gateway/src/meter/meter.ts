import type { ChatAnswer, ChatEvent, ChunkHead, PromptParts, UsageBuckets } from '@tidegate/dialects'
import { NO_USAGE, type Usage } from '@tidegate/pricing'
import { countTokens } from '../count-tokens.ts'
import { estimateTokens } from '../estimate-tokens.ts'

const PER_TOOL_CALL = 7
/** Few tokens are longer. */
const LETTERS_PER_LONG_TOKEN = 8

/** Listens to an answer and tells in the end what it used. */
export interface Meter {
  hear(event: Pick<ChatEvent | ChatAnswer, 'text' | 'toolCalls' | 'usage' | 'head'>): void
  /** What a chunk of our own must repeat. */
  readonly head: ChunkHead | undefined
  total(): Promise<Usage>
  /** What was certainly used so far: a count that costs nothing and is never too high. */
  atLeast(): Usage
  /** What was probably used so far, rather too high than too low. */
  atMost(): Usage
  /** Output tokens so far, rather too many than too few: a number that costs nothing. */
  readonly outputGuess: number
  /** The same, counted. Each text is counted once, so asking often costs little more than asking once. */
  countOutput(): Promise<number>
}

interface Metered {
  readonly model: string
  readonly prompt: () => PromptParts
  /** What the prompt was taken for when credit was held. */
  readonly promptTokens: number
}

export function createMeter({ model, prompt, promptTokens }: Metered): Meter {
  let reported: UsageBuckets | undefined
  let head: ChunkHead | undefined
  let toolCalls = 0
  let texts: string[] = []
  /** Each event with text holds at least one token. */
  let spokenEvents = 0
  let guessedTokens = 0
  let countedTokens = 0
  let countedTexts = 0
  let letters = 0

  function soFar(output: number, input: number): Usage {
    return reported ? { ...reported, estimated: false } : { ...NO_USAGE, input, output, estimated: true }
  }

  return {
    hear(event) {
      head = event.head ?? head
      toolCalls += event.toolCalls
      if (event.text !== '') {
        texts.push(event.text)
        spokenEvents += 1
        letters += event.text.length
        guessedTokens += estimateTokens([event.text])
      }
      // Vendors that count on every chunk send running totals: the last one is the sum.
      if (event.usage && hasTokens(event.usage)) reported = event.usage
    },
    get head() {
      return head
    },
    atLeast: () => soFar(Math.max(spokenEvents, Math.floor(letters / LETTERS_PER_LONG_TOKEN)), promptAtLeast(prompt())),
    atMost: () => soFar(guessedTokens + toolCalls * PER_TOOL_CALL, promptTokens),
    get outputGuess() {
      return guessedTokens + toolCalls * PER_TOOL_CALL
    },
    async countOutput() {
      const fresh = texts.slice(countedTexts).join('')
      countedTexts = texts.length
      countedTokens += await countTokens(model, [fresh])
      return countedTokens + toolCalls * PER_TOOL_CALL
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

function promptAtLeast({ texts }: PromptParts): number {
  return Math.floor(texts.reduce((sum, text) => sum + text.length, 0) / LETTERS_PER_LONG_TOKEN)
}

function hasTokens(usage: UsageBuckets): boolean {
  return Object.values(usage).some((count: number) => count > 0)
}
