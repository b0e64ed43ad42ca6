import { countTokens, deltasOf } from '../tokens.ts'
import type { Answer, StreamWishes, UpstreamEvent, UpstreamStream, UsagePlacement, Vendor } from '../types.ts'
import { Verbatim, writeJson } from '../write-json.ts'

/** The answer as one object. */
export function geminiResponse(answer: Answer, vendor: Vendor, placement: UsagePlacement = 'asked') {
  return {
    ...candidateOf(answer, answerParts(answer, vendor), true),
    ...(placement !== 'missing' && { usageMetadata: usageOf(answer) }),
  }
}

/** One response of a stream, or the only one. */
function candidateOf(answer: Answer, parts: readonly AnswerPart[], isLast: boolean) {
  const { sequence, asked, finish, finishReason } = answer
  const content = parts.length === 0 ? { role: 'model' } : { role: 'model', parts }
  return {
    candidates: [{ content, ...(isLast && { finishReason: finishReason ?? WORDS[finish] }), index: 0 }],
    modelVersion: asked.model,
    responseId: `gemini-fake-${sequence}`,
  }
}

/** The thoughts stand beside the candidates, not among them. */
function usageOf({ counts }: Answer) {
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

const WORDS: Record<Answer['finish'], string> = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  refusal: 'SAFETY',
}

interface AnswerPart {
  text?: string
  thought?: boolean
  inlineData?: { mimeType: string; data: string }
  functionCall?: { id?: string; name: string; args: Verbatim }
  thoughtSignature?: string
}

/** Models from here on give their calls an id, and insist on their signatures. */
export function isGemini3(model: string): boolean {
  return model.startsWith('gemini-3')
}

/**
 * The parts of an answer. Of several calls only the first is signed; without calls the signature is on the last part.
 * A model refuses by its finish reason alone.
 */
function answerParts(answer: Answer, { signatures }: Vendor): AnswerPart[] {
  const { asked, reasoning, text, images, toolCalls, sequence } = answer
  const thoughts = asked.showThoughts && reasoning !== '' ? [{ text: reasoning, thought: true }] : []
  const spoken: AnswerPart[] = [
    ...(text === '' ? [] : [{ text }]),
    ...images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })),
  ]
  const calls = toolCalls.map((call): AnswerPart => {
    const id = isGemini3(asked.model) ? { id: call.id } : {}
    return { functionCall: { ...id, name: call.name, args: new Verbatim(call.arguments) } }
  })
  const signed = calls[0] ?? (reasoning === '' ? undefined : spoken.at(-1))
  if (signed !== undefined) {
    const subject = signed.functionCall?.name ?? `text ${sequence}`
    signed.thoughtSignature = signatures.issue('gemini-generate', subject, answer.signature)
  }
  return [...thoughts, ...spoken, ...calls]
}

/** The answer as a stream of responses. Texts come in pieces and calls whole; counts are on every one. */
export function geminiStream(answer: Answer, vendor: Vendor, wishes: StreamWishes): UpstreamStream {
  const usage = wishes.placement === 'missing' ? undefined : usageOf(answer)
  const pieces = answerParts(answer, vendor).flatMap((part) => piecesOf(part, wishes))
  const events = pieces.map(({ part, text, tokens }) => {
    const counts = usage && { promptTokenCount: usage.promptTokenCount, totalTokenCount: usage.promptTokenCount }
    return eventOf({ ...candidateOf(answer, [part], false), ...(counts && { usageMetadata: counts }) }, text, tokens)
  })
  const last = candidateOf(answer, pieces.length === 0 ? [] : [{ text: '' }], true)
  events.push(eventOf({ ...last, ...(usage && { usageMetadata: usage }) }))
  return { events }
}

interface Piece {
  part: AnswerPart
  text: string
  tokens: number
}

/** A signature does not wait for words: it comes in a blank part after them. */
function piecesOf(part: AnswerPart, { deltaLength }: StreamWishes): Piece[] {
  const { text, thought, thoughtSignature } = part
  if (part.functionCall !== undefined) {
    const { name, args } = part.functionCall
    return [{ part, text: '', tokens: countTokens(name) + countTokens(args.text) }]
  }
  if (text === undefined) return [{ part, text: '', tokens: 0 }]
  const words = deltasOf(text, deltaLength).map((word) => ({
    part: { text: word, ...(thought && { thought }) },
    text: thought ? '' : word,
    tokens: countTokens(word),
  }))
  return thoughtSignature === undefined
    ? words
    : [...words, { part: { text: '', thoughtSignature }, text: '', tokens: 0 }]
}

function eventOf(response: object, text = '', tokens = 0): UpstreamEvent {
  return { data: writeJson(response), text, tokens }
}
