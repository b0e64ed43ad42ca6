import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'

/** A schema for what matches both. Where two keywords cannot be joined, the first is kept: rather too wide than wrong. */
export function intersectSchemas(one: JsonObject, other: JsonObject): JsonObject {
  const both: Record<string, unknown> = { ...other, ...one }
  for (const [name, theirs] of Object.entries(other)) {
    const mine = one[name]
    if (mine === undefined) both[name] = theirs
    else if (theirs !== undefined && theirs !== mine) both[name] = joinKeyword(name, mine, theirs)
  }
  return both
}

function joinKeyword(keyword: string, one: unknown, other: unknown): unknown {
  switch (keyword) {
    case 'properties':
      return joinProperties(asJsonObject(one) ?? {}, asJsonObject(other) ?? {})
    case 'required':
      return [...new Set([...asList(one), ...asList(other)])]
    case 'enum':
      return asList(one).filter((value) => asList(other).includes(value))
    case 'type':
      return commonTypes([one].flat(), [other].flat())
    case 'items':
      return { allOf: [one, other] }
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return typeof one === 'number' && typeof other === 'number' ? Math.max(one, other) : one
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return typeof one === 'number' && typeof other === 'number' ? Math.min(one, other) : one
    default:
      return one
  }
}

function joinProperties(one: JsonObject, other: JsonObject): JsonObject {
  const shared = (name: string) => Object.hasOwn(one, name) && Object.hasOwn(other, name)
  return Object.fromEntries([
    ...Object.entries(one).map(([name, mine]) => [name, shared(name) ? { allOf: [mine, other[name]] } : mine]),
    ...Object.entries(other).filter(([name]) => !shared(name)),
  ])
}

function commonTypes(one: readonly unknown[], other: readonly unknown[]): unknown {
  const common = one.filter((type) => other.includes(type) || (type === 'integer' && other.includes('number')))
  const whole = other.includes('integer') && one.includes('number') && !common.includes('integer')
  const types = whole ? [...common, 'integer'] : common
  if (types.length === 0) return one
  return types.length === 1 ? types[0] : types
}
