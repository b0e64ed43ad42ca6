import { countTokens } from '../count-tokens.ts'
import { deltasOf } from '../split-deltas.ts'
import { writeJson } from '../write-json.ts'
import { type AnswerPart, answerParts } from './answer-parts.ts'
import { candidateOf, usageOf } from './response.ts'
import type { Answer, StreamWishes, UpstreamEvent, UpstreamStream, Vendor } from '../types.ts'

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
