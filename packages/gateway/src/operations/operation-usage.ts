import type { FeeCount } from '@tidegate/contract'
import { asList, asJsonObject, imageReport, parseJsonObject, type JsonObject } from '@tidegate/dialects'
import { cardAt, NO_USAGE, pieceUsage, transcriptionTokens, type ModelPrice, type Usage } from '@tidegate/pricing'
import { countTokens } from '../tokens/count-tokens.ts'
import { isPlausible, LARGEST_CONTEXT, MOST_UNITS } from '../settle/plausible-usage.ts'
import type { OperationRequest, Work } from './operation-request.ts'

/** What a call is taken for before it is made. */
export function expectedOf({ work }: OperationRequest, promptTokens: number, price: ModelPrice): Usage {
  switch (work.kind) {
    case 'tokens':
      return withSearches({ ...NO_USAGE, input: promptTokens }, undefined)
    case 'letters':
      return characterUsage(work.letters)
    case 'images':
      return price.kind === 'call'
        ? pieceUsage(work.count)
        : { ...imageUsage(work, work.count, price), input: promptTokens }
    case 'sound':
      return soundUsage(work.seconds)
  }
}

/** Rerankers are sold by the search or by tokens. A request with many documents counts as several searches. */
function withSearches(usage: Usage, answer: JsonObject | undefined): Usage {
  const units = asJsonObject(asJsonObject(answer?.meta)?.billed_units)?.search_units
  const count = typeof units === 'number' && units >= 1 && units <= MOST_UNITS ? Math.ceil(units) : 1
  return { ...usage, terms: { fees: [{ fee: 'search', count }] } }
}

/** Output tokens of an image, where the response does not report them: those of the largest. */
const PER_IMAGE = 6240
/** More than the tokens of the largest image, with the images that it is made from. */
const MOST_PER_IMAGE = 500_000

function estimatesImages(price: ModelPrice): boolean {
  const card = price.kind === 'token' ? cardAt(price.cards, new Date()) : undefined
  return (card?.imageEstimate ?? card?.fees?.image ?? card?.fees?.imageBySizeQuality) !== undefined
}

/** Models are sold by the character or by tokens, of which a character counts as one. */
function characterUsage(characters: number): Usage {
  return { ...NO_USAGE, input: characters, terms: { fees: [{ fee: 'character', count: characters }] } }
}

/** Models are sold by the second or by tokens. */
function soundUsage(seconds: number): Usage {
  return {
    ...NO_USAGE,
    input: transcriptionTokens(seconds),
    terms: { fees: [{ fee: 'audioSecond', count: seconds }] },
  }
}

/** Images by size and quality, or each at the same price: a card has one of them. */
function imageUsage(
  { size, quality }: Pick<Extract<Work, { kind: 'images' }>, 'size' | 'quality'>,
  count: number,
  price: ModelPrice,
): Usage {
  const key = `${quality || 'standard'} ${size || '1024x1024'}`
  const fees: FeeCount[] = [
    { fee: 'image', count },
    { fee: 'imageBySizeQuality', count, key },
  ]
  return { ...NO_USAGE, ...(!estimatesImages(price) && { imageOutput: count * PER_IMAGE }), terms: { fees } }
}

/** What it used, by the vendor's counts where it gives them. `answer` is missing for sound and texts. */
export async function usedBy(
  request: OperationRequest,
  { model, price }: { readonly model: string; readonly price: ModelPrice },
  answer: JsonObject | undefined,
): Promise<Usage> {
  const { work } = request
  switch (work.kind) {
    case 'tokens': {
      const reported = countsIn(answer)
      if (reported) return withSearches(reported, answer)
      const counted = await countTokens(model, request.texts)
      const input = Math.max(1, counted + request.otherTokens)
      return withSearches({ ...NO_USAGE, input, estimated: true }, answer)
    }
    case 'letters':
      return characterUsage(work.letters)
    case 'images': {
      // Fewer than were asked for cost no more than what came.
      const made = asList(answer?.data).length
      const count = made > 0 ? Math.min(made, work.count) : work.count
      if (price.kind === 'call') return pieceUsage(count)
      const reported = answer && imageReport(answer)
      return reported && isPlausible(reported, { mostTokens: count * MOST_PER_IMAGE, promptTokens: MOST_PER_IMAGE })
        ? { ...reported, estimated: false }
        : { ...imageUsage(work, count, price), estimated: true }
    }
    case 'sound':
      return { ...soundUsage(secondsIn(answer) ?? work.seconds), ...countsIn(answer) }
  }
}

function countsIn(answer: JsonObject | undefined): Usage | undefined {
  const usage = asJsonObject(answer?.usage)
  if (!usage || usage.type === 'duration') return undefined
  const read = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0)
  const heard = read(asJsonObject(usage.input_token_details)?.audio_tokens)
  const input = read(usage.prompt_tokens) || read(usage.input_tokens) || read(usage.total_tokens)
  const output = read(usage.completion_tokens) || read(usage.output_tokens)
  if (input + output === 0 || input + output > LARGEST_CONTEXT) return undefined
  return { ...NO_USAGE, input: Math.max(0, input - heard), audioInput: Math.min(heard, input), output }
}

/** A recording that fits in a request is shorter than a day. */
const LONGEST_SECONDS = 86_400

function secondsIn(answer: JsonObject | undefined): number | undefined {
  const reported = [asJsonObject(answer?.usage)?.seconds, answer?.duration].map(Number)
  return reported.find((seconds) => seconds > 0 && seconds < LONGEST_SECONDS)
}

/** The last event of a stream that holds counts, as a vendor ends it. */
export function lastCounts(tail: string): JsonObject | undefined {
  for (const line of tail.split('\n').toReversed()) {
    const tree = line.startsWith('data:') ? parseJsonObject(line.slice('data:'.length)) : undefined
    if (tree?.usage) return tree
  }
  return undefined
}
