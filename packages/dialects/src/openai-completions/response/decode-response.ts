import type { CanonicalAnswer, FinishReason, Part } from '../../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject, parseJsonObject } from '../../json/json-object.ts'
import { errorIn, statusOf } from '../../openai-wire/errors.ts'
import { chatReport } from '../../openai-wire/usage.ts'

export function decodeAnswer(text: string): CanonicalAnswer | undefined {
  const body = parseJsonObject(text)
  if (!body) return undefined
  const error = errorIn(body)
  if (error) return { parts: [], error, errorStatus: statusOf(error) }
  const choices = asList(body.choices).map((choice) => asJsonObject(choice) ?? {})
  const texts = choices.map((choice) => asText(choice.text)).filter((said) => said !== '')
  const raw = choices.map((choice) => asText(choice.finish_reason)).find((reason) => reason !== '')
  const usage = asJsonObject(body.usage)
  return {
    ...headOf(body),
    parts: texts.map((said): Part => ({ type: 'text', text: said })),
    finish: raw === undefined ? undefined : { reason: readFinish(raw), raw },
    usage: usage && chatReport(body, usage),
  }
}

export function headOf({ id, model, created }: JsonObject): Pick<CanonicalAnswer, 'id' | 'model' | 'created'> {
  return {
    id: asText(id) || undefined,
    model: asText(model) || undefined,
    created: typeof created === 'number' ? created : undefined,
  }
}

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  content_filter: 'refusal',
}

export function readFinish(raw: string): FinishReason {
  return REASONS[raw] ?? 'other'
}
