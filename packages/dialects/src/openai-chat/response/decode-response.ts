import type { CanonicalAnswer, CanonicalEvent, DecodeContext } from '../../canonical/index.ts'
import { errorIn, statusOf } from '../../openai-wire/errors.ts'
import { parseJsonObject } from '../../json/json-object.ts'
import { collectParts } from './collect-parts.ts'
import { createAnswerReader, responseStart } from '../stream/decode-events.ts'

/** Reads the body of an answer that was not streamed, with the same eyes as a stream. */
export function decodeAnswer(text: string, context: DecodeContext): CanonicalAnswer | undefined {
  const tree = parseJsonObject(text)
  if (!tree) return undefined
  const events: CanonicalEvent[] = []
  const reader = createAnswerReader(context)
  reader.read(tree, events)
  events.push(...reader.close([]))

  const { id, model, created } = responseStart(tree)
  const finish = events.find((event) => event.type === 'finish')
  const usage = events.findLast((event) => event.type === 'usage')?.usage
  const error = errorIn(tree)
  return {
    id,
    model,
    created,
    parts: collectParts(events),
    finish: finish && { reason: finish.reason, raw: finish.raw },
    usage,
    error,
    errorStatus: error && statusOf(error),
  }
}
