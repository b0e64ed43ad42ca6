import { inputTokens, outputTokens, type UsageReport } from '@tidegate/contract'
import { readGeneratedText, type CanonicalEvent, type PromptParts } from '@tidegate/dialects'
import { NO_USAGE, type Usage } from '@tidegate/pricing'
import { countTokens } from '../tokens/count-tokens.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { isPlausible } from '../settle/plausible-usage.ts'

const PER_TOOL_CALL = 7
const PER_IMAGE = 258
/** Few tokens are longer. */
const CHARACTERS_PER_LONG_TOKEN = 8
/**
 * Chunks are joined in groups: a short string takes ten times the memory that it takes within a longer one, and a slice
 * of a frame keeps the whole frame in memory.
 */
const JOINED_CHUNKS = 32

/** Meters a response and returns its usage. */
export interface Meter {
  add(event: CanonicalEvent): void
  total(): Promise<Usage>
  /** A lower bound of the usage so far. It is cheap. */
  atLeast(): Usage
  /** An upper estimate of the usage so far. */
  atMost(): Usage
  /** An upper estimate of the output tokens so far. It is cheap. */
  readonly outputEstimate: number
  /** The output tokens so far, counted. Each text is counted once, so frequent calls cost little more. */
  countOutput(): Promise<number>
  /** Usage that the provider reported and that the model cannot have used. It is not billed. */
  readonly implausible: UsageReport | undefined
  /** The beginning of the received text, at least this many characters of it. */
  text(characters: number): string
}

interface MeterOptions {
  readonly model: string
  readonly prompt: () => PromptParts
  /** The prompt tokens that credit was reserved for. */
  readonly promptTokens: number
  /** The most tokens that a response can report. */
  readonly maxTokens?: number
}

export function createMeter({ model, prompt, promptTokens, maxTokens = Infinity }: MeterOptions): Meter {
  let reported: UsageReport | undefined
  let implausible: UsageReport | undefined
  let finished = false
  /** Tokens of content other than text: the overhead of tool calls, and images. */
  let otherTokens = 0
  let texts: string[] = []
  let lastChunks: string[] = []
  /** Each event with text holds at least one token. */
  let textEvents = 0
  let estimatedTokens = 0
  let countedTokens = 0
  let countedTexts = 0
  let characters = 0
  let minInput: number | undefined

  function soFar(output: number, input: number): Usage {
    if (!reported) return { ...NO_USAGE, input, output, estimated: true }
    return isReportFinal() ? { ...reported, estimated: false } : withReceived(reported, output)
  }

  /** The report is final once the model has finished, unless it reports no output although text was received. */
  function isReportFinal(): boolean {
    return reported !== undefined && (textEvents === 0 || (finished && outputTokens(reported) > 0))
  }

  /** Providers that report usage with every chunk send running totals: the last one is the sum. */
  function takeReport(usage: UsageReport): void {
    if (!isPlausible(usage, { maxTokens, promptTokens })) implausible = usage
    else if (inputTokens(usage) + outputTokens(usage) > 0) reported = usage
  }

  function joinChunks(): void {
    if (lastChunks.length > 0) texts.push(lastChunks.join(''))
    lastChunks = []
  }

  return {
    add(event) {
      if (event.type === 'finish' || event.type === 'done') finished = true
      if (event.type === 'tool-call-start') otherTokens += PER_TOOL_CALL
      if (event.type === 'image') otherTokens += PER_IMAGE
      if (event.type === 'usage') takeReport(event.usage)
      const text = readGeneratedText(event)
      if (text === '') return
      lastChunks.push(text)
      if (lastChunks.length === JOINED_CHUNKS) joinChunks()
      textEvents += 1
      characters += text.length
      estimatedTokens += estimateTokens([text])
    },
    atLeast() {
      minInput ??= promptAtLeast(prompt()) // called every few seconds for thousands of streams
      return soFar(Math.max(textEvents, Math.floor(characters / CHARACTERS_PER_LONG_TOKEN)), minInput)
    },
    atMost: () => soFar(estimatedTokens + otherTokens, promptTokens),
    get implausible() {
      return implausible
    },
    get outputEstimate() {
      return estimatedTokens + otherTokens
    },
    async countOutput() {
      joinChunks()
      const fresh = texts.slice(countedTexts).join('')
      countedTexts = texts.length
      countedTokens += await countTokens(model, [fresh])
      return countedTokens + otherTokens
    },
    text(minimum) {
      joinChunks()
      let beginning = ''
      for (const text of texts) {
        if (beginning.length >= minimum) break
        beginning += text
      }
      return beginning
    },
    async total() {
      if (reported && isReportFinal()) return { ...reported, estimated: false }
      joinChunks()
      const written = texts.join('')
      texts = [written]
      const output = (await countTokens(model, [written])) + otherTokens
      if (reported) return withReceived(reported, output)
      const parts = prompt()
      const input = parts.otherTokens + (await countTokens(model, parts.texts))
      return { ...NO_USAGE, input, output, estimated: true }
    },
  }
}

/** Providers report prompt tokens at once and output tokens at the end. Until then, the received text counts. */
function withReceived(reported: UsageReport, received: number): Usage {
  const unreported = received - outputTokens(reported)
  if (unreported <= 0) return { ...reported, estimated: false }
  const { parts } = reported.terms ?? {}
  const last = parts?.at(-1)
  return {
    ...reported,
    output: reported.output + unreported,
    ...(last && {
      terms: { ...reported.terms, parts: [...parts!.slice(0, -1), { ...last, output: last.output + unreported }] },
    }),
    estimated: true,
  }
}

function promptAtLeast({ texts }: PromptParts): number {
  return Math.floor(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_LONG_TOKEN)
}
