import { upstreamNameOf } from '@tidegate/contract/api'
import { isJsonObject } from '../../../ui/json-text.ts'

export interface UnpricedModel {
  /** As the channel lists it. */
  model: string
  /** As clients send it. */
  clientName: string
  /** As the channel sends it upstream. */
  upstreamName: string
}

interface Names {
  model_mapping?: string | null | undefined
  model_prefix?: string | null | undefined
}

/** Adds the names that a mapping and a prefix give to models. */
export function nameUnpriced(
  models: readonly string[],
  { model_mapping: text, model_prefix: prefix }: Names,
): UnpricedModel[] {
  const mapping = readMapping(text ?? '')
  return models.map((model) => {
    const clientName = `${prefix ?? ''}${model}`
    return { model, clientName, upstreamName: upstreamNameOf(mapping, { name: clientName, model }) }
  })
}

/** A text that the server cannot read maps nothing. */
function readMapping(text: string): Map<string, string> {
  if (!isJsonObject(text)) return new Map()
  const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
  const isNames = entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
  return new Map(isNames ? entries : [])
}
