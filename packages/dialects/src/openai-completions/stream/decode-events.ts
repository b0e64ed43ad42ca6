import type {
  CanonicalAnswer,
  CanonicalEvent,
  DecodeContext,
  EventDecoder,
  FinishReason,
  Part,
} from '../../canonical/index.ts'
import { errorIn, statusOf } from '../../openai-wire/errors.ts'
import { chatReport } from '../../openai-wire/usage.ts'
import { asList, asText, asJsonObject, parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { WireError } from '../../wire-error.ts'

const NOTHING: readonly CanonicalEvent[] = []
const DONE: readonly CanonicalEvent[] = [{ type: 'done' }]

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  content_filter: 'refusal',
}

/** Each choice, and of several prompts each answer, is a block of text. */
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
    events.push({ type: 'finish', reason: REASONS[choice.finish_reason] ?? 'other', raw: choice.finish_reason })
  }

  return ({ name, data }) => {
    if (data.startsWith('[DONE]')) return DONE
    const tree = parseJsonObject(data)
    if (!tree) return name === 'error' ? [errorEvent({ message: data })] : NOTHING
    const error = errorIn(tree) ?? (name === 'error' ? { message: asText(tree.message) || data } : undefined)
    if (error) return [errorEvent(error)]

    const events: CanonicalEvent[] = []
    if (!started && Array.isArray(tree.choices)) {
      started = true
      events.push({ type: 'response-start', ...headOf(tree) })
    }
    for (const choice of asList(tree.choices)) readChoice(asJsonObject(choice) ?? {}, events)
    const usage = asJsonObject(tree.usage)
    if (usage) events.push({ type: 'usage', usage: chatReport(tree, usage) })
    return events
  }
}

export function decodeAnswer(text: string): CanonicalAnswer | undefined {
  const tree = parseJsonObject(text)
  if (!tree) return undefined
  const error = errorIn(tree)
  if (error) return { parts: [], error, errorStatus: statusOf(error) }
  const choices = asList(tree.choices).map((choice) => asJsonObject(choice) ?? {})
  const texts = choices.map((choice) => asText(choice.text)).filter((said) => said !== '')
  const raw = choices.map((choice) => asText(choice.finish_reason)).find((reason) => reason !== '')
  const usage = asJsonObject(tree.usage)
  return {
    ...headOf(tree),
    parts: texts.map((said): Part => ({ type: 'text', text: said })),
    finish: raw === undefined ? undefined : { reason: REASONS[raw] ?? 'other', raw },
    usage: usage && chatReport(tree, usage),
  }
}

function headOf({ id, model, created }: JsonObject): Pick<CanonicalAnswer, 'id' | 'model' | 'created'> {
  return {
    id: asText(id) || undefined,
    model: asText(model) || undefined,
    created: typeof created === 'number' ? created : undefined,
  }
}

function errorEvent(error: WireError): CanonicalEvent {
  return { type: 'error', error, status: statusOf(error) }
}
