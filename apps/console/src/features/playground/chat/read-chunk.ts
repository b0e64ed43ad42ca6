import type { Failure, Picture } from '../conversation/types.ts'

/** What one event of a stream adds to an answer. */
export interface Delta {
  text: string
  thinking: string
  pictures: Picture[]
  usage?: { inputTokens: number; outputTokens: number }
  failure?: Failure
}

/** Undefined for an event that is none of the protocol's. */
export function readChunk(data: string): Delta | undefined {
  const chunk = parse(data)
  if (chunk === undefined) return undefined
  const failure = failureIn(chunk)
  if (failure) return { text: '', thinking: '', pictures: [], failure }
  const choice = memberOf(memberOf(chunk, 'choices'), '0')
  const said = memberOf(choice, 'delta') ?? memberOf(choice, 'message')
  const usage = usageIn(chunk)
  return {
    text: textOf(memberOf(said, 'content')) || textOf(memberOf(said, 'refusal')),
    thinking: textOf(memberOf(said, 'reasoning_content')) || textOf(memberOf(said, 'reasoning')),
    pictures: picturesIn(memberOf(said, 'images')),
    ...(usage && { usage }),
  }
}

/** The error object of an event or of a refusal, without the request's id: that stands by itself. */
export function failureIn(answer: unknown): Failure | undefined {
  const error = memberOf(answer, 'error')
  if (error === undefined || error === null) return undefined
  const message = (textOf(memberOf(error, 'message')) || textOf(error)).replace(/ \(request id: [^)]*\)$/, '')
  return { code: textOf(memberOf(error, 'code')), message }
}

function picturesIn(images: unknown): Picture[] {
  if (!Array.isArray(images)) return []
  return images.flatMap((image: unknown) => {
    const url = textOf(memberOf(memberOf(image, 'image_url'), 'url'))
    return isPicture(url) ? [{ url, name: '' }] : []
  })
}

/** Drawings are left out: an SVG is a document. */
export const isPicture = (url: string): boolean =>
  /^https:\/\//i.test(url) || /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,/i.test(url)

function usageIn(chunk: unknown) {
  const usage = memberOf(chunk, 'usage')
  const [input, output] = [memberOf(usage, 'prompt_tokens'), memberOf(usage, 'completion_tokens')]
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  return { inputTokens: input, outputTokens: output }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    return undefined
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
