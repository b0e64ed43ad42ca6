import { countTokens, deltasOf } from '../tokens.ts'
import type {
  ChatResponse,
  StreamOptions,
  UpstreamEvent,
  UpstreamStream,
  UsagePlacement,
  UpstreamState,
} from '../types.ts'
import { RawJson, writeJson } from '../write-json.ts'

/** The response as one object. */
export function geminiResponse(response: ChatResponse, state: UpstreamState, placement: UsagePlacement = 'asked') {
  return {
    ...candidateOf(response, responseParts(response, state), true),
    ...(placement !== 'missing' && { usageMetadata: usageOf(response) }),
  }
}

/** A chunk of a stream, or the whole response. */
function candidateOf(response: ChatResponse, parts: readonly ResponsePart[], isLast: boolean) {
  const { sequence, request, finish, finishReason } = response
  const content = parts.length === 0 ? { role: 'model' } : { role: 'model', parts }
  return {
    candidates: [{ content, ...(isLast && { finishReason: finishReason ?? FINISH_REASONS[finish] }), index: 0 }],
    modelVersion: request.model,
    responseId: `gemini-fake-${sequence}`,
  }
}

/** Thinking tokens are counted beside candidate tokens. */
function usageOf({ counts }: ChatResponse) {
  const { input, cacheRead, output, reasoning } = counts
  return {
    promptTokenCount: input,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    candidatesTokenCount: output - reasoning,
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: input + output,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
  }
}

const FINISH_REASONS: Record<ChatResponse['finish'], string> = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  refusal: 'SAFETY',
}

interface ResponsePart {
  text?: string
  thought?: boolean
  inlineData?: { mimeType: string; data: string }
  functionCall?: { id?: string; name: string; args: RawJson }
  thoughtSignature?: string
}

/** These models give calls an id and require signatures. */
export function isGemini3(model: string): boolean {
  return model.startsWith('gemini-3')
}

/**
 * The parts of a response. Only the first of several calls is signed; without calls the signature is on the last part.
 * A refusal is only a finish reason.
 */
function responseParts(response: ChatResponse, { signatures }: UpstreamState): ResponsePart[] {
  const { request, reasoning, text, images, toolCalls, sequence } = response
  const thoughts = request.showReasoning && reasoning !== '' ? [{ text: reasoning, thought: true }] : []
  const contents: ResponsePart[] = [
    ...(text === '' ? [] : [{ text }]),
    ...images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })),
  ]
  const calls = toolCalls.map((call): ResponsePart => {
    const id = isGemini3(request.model) ? { id: call.id } : {}
    return { functionCall: { ...id, name: call.name, args: new RawJson(call.arguments) } }
  })
  const signed = calls[0] ?? (reasoning === '' ? undefined : contents.at(-1))
  if (signed !== undefined) {
    const subject = signed.functionCall?.name ?? `text ${sequence}`
    signed.thoughtSignature = signatures.issue('gemini-generate', subject, response.signature)
  }
  return [...thoughts, ...contents, ...calls]
}

/** The response as chunks. Texts are split, calls are complete; every chunk has usage. */
export function geminiStream(response: ChatResponse, state: UpstreamState, options: StreamOptions): UpstreamStream {
  const usage = options.placement === 'missing' ? undefined : usageOf(response)
  const pieces = responseParts(response, state).flatMap((part) => piecesOf(part, options))
  const events = pieces.map(({ part, text, tokens }) => {
    const counts = usage && { promptTokenCount: usage.promptTokenCount, totalTokenCount: usage.promptTokenCount }
    return eventOf({ ...candidateOf(response, [part], false), ...(counts && { usageMetadata: counts }) }, text, tokens)
  })
  const last = candidateOf(response, pieces.length === 0 ? [] : [{ text: '' }], true)
  events.push(eventOf({ ...last, ...(usage && { usageMetadata: usage }) }))
  return { events }
}

interface Piece {
  part: ResponsePart
  text: string
  tokens: number
}

/** A signature comes in a blank part after the text. */
function piecesOf(part: ResponsePart, { deltaLength }: StreamOptions): Piece[] {
  const { text, thought, thoughtSignature } = part
  if (part.functionCall !== undefined) {
    const { name, args } = part.functionCall
    return [{ part, text: '', tokens: countTokens(name) + countTokens(args.text) }]
  }
  if (text === undefined) return [{ part, text: '', tokens: 0 }]
  const deltas = deltasOf(text, deltaLength).map((delta) => ({
    part: { text: delta, ...(thought && { thought }) },
    text: thought ? '' : delta,
    tokens: countTokens(delta),
  }))
  return thoughtSignature === undefined
    ? deltas
    : [...deltas, { part: { text: '', thoughtSignature }, text: '', tokens: 0 }]
}

function eventOf(response: object, text = '', tokens = 0): UpstreamEvent {
  return { data: writeJson(response), text, tokens }
}
