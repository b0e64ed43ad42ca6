import type { BodyChanges, JsonObject } from '@tidegate/dialects'

/** Keeps a figure of a body within what a vendor takes; one that is not given stays so. */
export function clamp(
  body: JsonObject,
  name: string,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
): BodyChanges {
  const value = body[name]
  if (typeof value !== 'number') return {}
  const kept = Math.min(max, Math.max(min, value))
  return kept === value ? {} : { [name]: kept }
}
