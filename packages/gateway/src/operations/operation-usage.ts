import { Readable } from 'node:stream'
import type { FeeCount } from '@tidegate/contract'
import { asJsonObject, asList, readImageUsage, type JsonObject, parseJsonObject } from '@tidegate/dialects'
import { cardAt, type ModelPrice, NO_USAGE, pieceUsage, transcriptionTokens, type Usage } from '@tidegate/pricing'
import { parseStream } from 'music-metadata'
import type { FormPart } from '../http/form-body.ts'
import { requireField } from '../http/read-body.ts'
import { isPlausible, LARGEST_CONTEXT, MAX_UNITS } from '../settle/plausible-usage.ts'
import { countTokens } from '../tokens/count-tokens.ts'
import type { OperationRequest, BillableWork } from './operation-request.ts'

/** The expected usage of a request, for its credit reservation. */
export function expectedUsage({ work }: OperationRequest, promptTokens: number, price: ModelPrice): Usage {
  switch (work.kind) {
    case 'tokens':
      return withSearches({ ...NO_USAGE, input: promptTokens }, undefined)
    case 'characters':
      return characterUsage(work.characters)
    case 'images':
      return price.kind === 'call'
        ? pieceUsage(work.count)
        : { ...imageUsage(work, work.count, price), input: promptTokens }
    case 'audio':
      return audioUsage(work.seconds)
  }
}

/** Rerankers are priced per search or by tokens. A request with many documents counts as several searches. */
function withSearches(usage: Usage, body: JsonObject | undefined): Usage {
  const units = asJsonObject(asJsonObject(body?.meta)?.billed_units)?.search_units
  const count = typeof units === 'number' && units >= 1 && units <= MAX_UNITS ? Math.ceil(units) : 1
  return { ...usage, terms: { fees: [{ fee: 'search', count }] } }
}

/** Output tokens of an image, where the response does not report them: those of the largest image. */
const PER_IMAGE = 6240
/** More than the tokens of the largest image, including its input images. */
const MAX_PER_IMAGE = 500_000

function estimatesImages(price: ModelPrice): boolean {
  const card = price.kind === 'token' ? cardAt(price.cards, new Date()) : undefined
  return (card?.imageEstimate ?? card?.fees?.image ?? card?.fees?.imageBySizeQuality) !== undefined
}

/** Models are priced per character or by tokens. A character counts as one token. */
function characterUsage(characters: number): Usage {
  return { ...NO_USAGE, input: characters, terms: { fees: [{ fee: 'character', count: characters }] } }
}

/** Models are priced per second or by tokens. */
function audioUsage(seconds: number): Usage {
  return {
    ...NO_USAGE,
    input: transcriptionTokens(seconds),
    terms: { fees: [{ fee: 'audioSecond', count: seconds }] },
  }
}

/** Images by size and quality, or each at the same price. A rate card has one of the two. */
function imageUsage(
  { size, quality }: Pick<Extract<BillableWork, { kind: 'images' }>, 'size' | 'quality'>,
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

/** The usage of an operation, by the provider's counts if reported. The JSON body is missing for audio and text. */
export async function operationUsage(
  request: OperationRequest,
  { model, price }: { readonly model: string; readonly price: ModelPrice },
  body: JsonObject | undefined,
): Promise<Usage> {
  const { work } = request
  switch (work.kind) {
    case 'tokens': {
      const reported = countsIn(body)
      if (reported) return withSearches(reported, body)
      const counted = await countTokens(model, request.texts)
      const input = Math.max(1, counted + request.otherTokens)
      return withSearches({ ...NO_USAGE, input, estimated: true }, body)
    }
    case 'characters':
      return characterUsage(work.characters)
    case 'images': {
      // When fewer images arrive than requested, only those are billed.
      const made = asList(body?.data).length
      const count = made > 0 ? Math.min(made, work.count) : work.count
      if (price.kind === 'call') return pieceUsage(count)
      const reported = body && readImageUsage(body)
      return reported && isPlausible(reported, { maxTokens: count * MAX_PER_IMAGE, promptTokens: MAX_PER_IMAGE })
        ? { ...reported, estimated: false }
        : { ...imageUsage(work, count, price), estimated: true }
    }
    case 'audio':
      return { ...audioUsage(secondsIn(body) ?? work.seconds), ...countsIn(body) }
  }
}

function countsIn(body: JsonObject | undefined): Usage | undefined {
  const usage = asJsonObject(body?.usage)
  if (!usage || usage.type === 'duration') return undefined
  const read = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0)
  const audio = read(asJsonObject(usage.input_token_details)?.audio_tokens)
  const input = read(usage.prompt_tokens) || read(usage.input_tokens) || read(usage.total_tokens)
  const output = read(usage.completion_tokens) || read(usage.output_tokens)
  if (input + output === 0 || input + output > LARGEST_CONTEXT) return undefined
  return { ...NO_USAGE, input: Math.max(0, input - audio), audioInput: Math.min(audio, input), output }
}

/** A recording that fits in a request is shorter than a day. */
const MAX_SECONDS = 86_400

function secondsIn(body: JsonObject | undefined): number | undefined {
  const reported = [asJsonObject(body?.usage)?.seconds, body?.duration].map(Number)
  return reported.find((seconds) => seconds > 0 && seconds < MAX_SECONDS)
}

/** The last event of a stream that has usage. */
export function lastCounts(tail: string): JsonObject | undefined {
  for (const line of tail.split('\n').toReversed()) {
    const json = line.startsWith('data:') ? parseJsonObject(line.slice('data:'.length)) : undefined
    if (json?.usage) return json
  }
  return undefined
}

type File = Extract<FormPart, { file: string }>

/** A typical bit rate of speech, for files without a duration. */
const BYTES_PER_SECOND = 4_000

/** The duration of a recording in seconds, read from the file. */
export async function audioDuration({ file, type, chunks, bytes }: File): Promise<number> {
  const stream = Readable.from(chunks, { objectMode: false })
  try {
    const { format } = await parseStream(stream, { mimeType: type, path: file, size: bytes }, { duration: true })
    if (format.duration !== undefined && format.duration > 0) return format.duration
  } catch {
    // An unknown format here. The provider may know it.
  } finally {
    stream.destroy()
  }
  return bytes / BYTES_PER_SECOND
}

const SIZES: Readonly<Record<string, readonly string[]>> = {
  'dall-e': ['256x256', '512x512', '1024x1024'],
  'dall-e-2': ['256x256', '512x512', '1024x1024'],
  'dall-e-3': ['1024x1024', '1024x1792', '1792x1024'],
}

const MAX_IMAGES = 128

/** The number, size and quality of the images that a body or form requests. */
export function readImageWork(
  model: string,
  { n = 1, size, quality }: { readonly n?: unknown; readonly size?: unknown; readonly quality?: unknown },
): BillableWork {
  const count = typeof n === 'number' || typeof n === 'string' ? Number(n) : Number.NaN // an object may throw in Number()
  requireField(Number.isInteger(count) && count >= 1 && count <= MAX_IMAGES, `n must be from 1 to ${MAX_IMAGES}`)
  const requestedSize = typeof size === 'string' && size !== '' ? size : '1024x1024'
  requireField(!requestedSize.includes('×'), 'size must be written with the letter x, such as 1024x1024')
  const known = Object.hasOwn(SIZES, model) ? SIZES[model] : undefined
  requireField(!known || known.includes(requestedSize), `size must be one of ${known?.join(', ')} for ${model}`)
  const kind = typeof quality === 'string' && quality !== '' ? quality : 'standard'
  return { kind: 'images', count, size: requestedSize, quality: kind }
}
