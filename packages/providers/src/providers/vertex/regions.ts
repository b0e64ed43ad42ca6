import { asText, asJsonObject } from '@tidegate/dialects'

const DEFAULT_REGION = 'us-central1'
const REGION = /^[a-z0-9-]{1,40}$/

/** The region of a model: one for all, or a map of models to regions with a `default`. It becomes a part of an address. */
export function regionFor(other: string, model: string): string {
  const text = other.trim()
  const region = text.startsWith('{') ? fromMap(text, model) : text
  return REGION.test(region) ? region : DEFAULT_REGION
}

function fromMap(text: string, model: string): string {
  try {
    const map = asJsonObject(JSON.parse(text))
    return asText(map && Object.hasOwn(map, model) ? map[model] : map?.default)
  } catch {
    return ''
  }
}
