import * as fc from 'fast-check'
import { sampleOf, type Schema } from '../support/routes.ts'
import { hostileValue, writeJson } from './hostile-values.ts'

export type Path = readonly (string | number)[]

/** Starts from a body that matches the schema. */
export function hostileBody(schema: Schema): fc.Arbitrary<string> {
  return hostileBodyFrom(sampleOf(schema))
}

/** Starts from a valid body and puts hostile values into one field, a few fields or all of them. */
export function hostileBodyFrom(sample: unknown): fc.Arbitrary<string> {
  const places = [...placesIn(sample)]
  const spoiled = fc
    .array(fc.tuple(fc.constantFrom(...places), hostileValue), { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((body, [place, value]) => withValue(body, place, value), sample))
  const extended = fc
    .tuple(fc.constantFrom('__proto__', 'constructor', 'id', 'role', 'quota', 'toString', '', 'x\0'), hostileValue)
    .map(([name, value]) => Object.fromEntries([...Object.entries(sample as object), [name, value]]))
  return fc.oneof(
    { weight: 8, arbitrary: spoiled.map(writeJson) },
    { weight: 1, arbitrary: extended.map(writeJson) },
    { weight: 1, arbitrary: hostileValue.map(writeJson) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
  )
}

/** Text that is not JSON. */
const BROKEN = [
  '',
  '{',
  '{"a"',
  '{"a":}',
  'undefined',
  '\0',
  '{"a":1}garbage',
  '{"a":NaN}',
  "{'a':1}",
  '\ufeff{}',
  '[1,]',
]

/** The path of every value inside a value, the value itself included. */
export function* placesIn(value: unknown, here: Path = []): Generator<Path> {
  yield here
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    yield* placesIn(inner, [...here, Array.isArray(value) ? Number(name) : name])
  }
}

export function withValue(body: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value
  if (typeof body !== 'object' || body === null) return body // an earlier change removed this path
  const inner = withValue((body as Record<string | number, unknown>)[first], rest, value)
  if (Array.isArray(body)) return body.map((old: unknown, index) => (index === first ? inner : old))
  return Object.fromEntries([...Object.entries(body), [String(first), inner]])
}
