import { isJsonObject } from '../../ui/json-text.ts'

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Names that would reach into the prototype of a careless reader are no models. What is fine stays as it was typed. */
export function withoutPrototypeKeys(text: string): string {
  if (!isJsonObject(text)) return text.trim()
  const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
  const kept = entries.filter(([name]) => !PROTOTYPE_KEYS.has(name))
  return kept.length === entries.length ? text.trim() : JSON.stringify(Object.fromEntries(kept), null, 2)
}
