import type { CanonicalResponse, FinishReason, Part } from '../../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject, parseJsonObject } from '../../json/json-object.ts'
import { readError, errorStatus } from '../../openai-wire/errors.ts'
import { readChatUsage } from '../../openai-wire/usage.ts'

export function decodeResponse(text: string): CanonicalResponse | undefined {
  const body = parseJsonObject(text)
  if (!body) return undefined
  const error = readError(body)
  if (error) return { parts: [], error, errorStatus: errorStatus(error) }
  const choices = asList(body.choices).map((choice) => asJsonObject(choice) ?? {})
  const texts = choices.map((choice) => asText(choice.text)).filter((part) => part !== '')
  const raw = choices.map((choice) => asText(choice.finish_reason)).find((reason) => reason !== '')
  const usage = asJsonObject(body.usage)
  return {
    ...readHead(body),
    parts: texts.map((part): Part => ({ type: 'text', text: part })),
    finish: raw === undefined ? undefined : { reason: readFinish(raw), raw },
    usage: usage && readChatUsage(body, usage),
  }
}

export function readHead({ id, model, created }: JsonObject): Pick<CanonicalResponse, 'id' | 'model' | 'created'> {
  return {
    id: asText(id) || undefined,
    model: asText(model) || undefined,
    created: typeof created === 'number' ? created : undefined,
  }
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  content_filter: 'refusal',
}

export function readFinish(raw: string): FinishReason {
  return FINISH_REASONS[raw] ?? 'other'
}
