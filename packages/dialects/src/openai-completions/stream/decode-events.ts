import type { CanonicalEvent, DecodeContext, EventDecoder } from '../../canonical/index.ts'
import { readError, errorStatus } from '../../openai-wire/errors.ts'
import { readChatUsage } from '../../openai-wire/usage.ts'
import { asList, asText, asJsonObject, parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { WireError } from '../../canonical/errors.ts'
import { readHead, readFinish } from '../response/decode-response.ts'

const NO_EVENTS: readonly CanonicalEvent[] = []
const DONE: readonly CanonicalEvent[] = [{ type: 'done' }]

/** Each choice is a text block. Several prompts have several choices. */
export function createDecoder(_context?: DecodeContext): EventDecoder {
  const open = new Map<unknown, number>()
  let started = false
  let finished = false
  let next = 0

  function readChoice(choice: JsonObject, events: CanonicalEvent[]): void {
    const index = choice.index ?? 0
    const text = asText(choice.text)
    let block = open.get(index)
    if (text !== '') {
      if (block === undefined) {
        open.set(index, (block = next++))
        events.push({ type: 'text-start', block })
      }
      events.push({ type: 'text-delta', block, text })
    }
    if (typeof choice.finish_reason !== 'string' || choice.finish_reason === '') return
    if (block !== undefined) events.push({ type: 'text-end', block })
    open.delete(index)
    if (finished || open.size > 0) return
    finished = true
    events.push({ type: 'finish', reason: readFinish(choice.finish_reason), raw: choice.finish_reason })
  }

  return ({ name, data }) => {
    if (data.startsWith('[DONE]')) return DONE
    const chunk = parseJsonObject(data)
    if (!chunk) return name === 'error' ? [errorEvent({ message: data })] : NO_EVENTS
    const error = readError(chunk) ?? (name === 'error' ? { message: asText(chunk.message) || data } : undefined)
    if (error) return [errorEvent(error)]

    const events: CanonicalEvent[] = []
    if (!started && Array.isArray(chunk.choices)) {
      started = true
      events.push({ type: 'response-start', ...readHead(chunk) })
    }
    for (const choice of asList(chunk.choices)) readChoice(asJsonObject(choice) ?? {}, events)
    const usage = asJsonObject(chunk.usage)
    if (usage) events.push({ type: 'usage', usage: readChatUsage(chunk, usage) })
    return events
  }
}

function errorEvent(error: WireError): CanonicalEvent {
  return { type: 'error', error, status: errorStatus(error) }
}
