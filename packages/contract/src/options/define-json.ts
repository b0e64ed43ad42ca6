import { z } from 'zod'
import type { OptionDefinition, Place } from './define.ts'

/** JSON text checked against a schema; blank means the default. */
export function json<Value>(place: Place, schema: z.ZodType<Value>, initial: Value): OptionDefinition<Value> {
  const document = z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'not a valid JSON text', params: { zh: '不是合法的 JSON 字符串' } })
        return z.NEVER
      }
    })
    .pipe(schema)
  return {
    ...place,
    kind: 'json',
    default: initial,
    secret: false,
    parse: (text) => (text.trim() === '' ? initial : document.parse(text)),
    format: (value) => JSON.stringify(value),
  }
}

/** Figures or texts by name. It has no prototype, so looking up `constructor` finds nothing. */
export type NamedMap<Value> = { readonly [name: string]: Value }

/** A JSON object whose keys are names of models, groups or headers. */
export function namedMapSchema<Value>(value: z.ZodType<Value>, name: RegExp = NAME): z.ZodType<NamedMap<Value>> {
  return z
    .unknown()
    .superRefine((candidate, context) => {
      // A record schema drops `__proto__` in silence, so names are looked at before it.
      for (const key of ownNames(candidate)) {
        if (key in Object.prototype || !name.test(key)) {
          const shown = JSON.stringify(key.slice(0, 64))
          const params = { zh: `不能用作名称：${shown}` }
          context.addIssue({ code: 'custom', message: `not a usable name: ${shown}`, params })
        }
      }
    })
    .pipe(z.record(z.string(), value))
    .transform((record) => namedMap(record))
}

export function namedMap<Value>(entries: Readonly<Record<string, Value>>): NamedMap<Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries)
}

/** Not blank at either end and without control characters. */
const NAME = /^(?! )[^\p{Cc}]{1,256}(?<! )$/u

function ownNames(candidate: unknown): string[] {
  return typeof candidate === 'object' && candidate !== null ? Object.keys(candidate) : []
}
