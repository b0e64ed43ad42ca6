import { asJsonObject, asList, type JsonObject } from '../../json/json-object.ts'

/** Schema with resolved references and merged `allOf`. */
export interface FlatSchema {
  readonly schema: JsonObject
  /** References resolved on the way here. A repeated one means recursion. */
  readonly references: readonly string[]
  /** Name of the recursive schema. */
  readonly recursiveName?: string
}

/** Limits the work, because definitions that use each other twice grow exponentially. */
export interface SchemaBudget {
  readonly root: JsonObject
  left: number
}

const MAX_REFERENCES = 50

/** `undefined` if no value matches the schema. */
export function flattenSchema(
  budget: SchemaBudget,
  schema: unknown,
  references: readonly string[],
): FlatSchema | undefined {
  if (schema === false) return undefined
  const object = asJsonObject(schema)
  budget.left -= 1
  if (!object) return { schema: {}, references }
  if (budget.left < 0) return { schema: { type: object.type }, references }
  const { $ref: reference, allOf, ...own } = object
  let flat: FlatSchema | undefined = { schema: own, references }
  if (typeof reference === 'string') flat = followReference(budget, reference, flat)
  for (const member of asList(allOf)) {
    const other: FlatSchema | undefined = flat && flattenSchema(budget, member, flat.references)
    flat = flat && other && joinFlatSchemas(flat, other)
  }
  return flat
}

function followReference(budget: SchemaBudget, reference: string, own: FlatSchema): FlatSchema | undefined {
  const target = resolveReference(budget.root, reference)
  if (own.references.includes(reference) || own.references.length >= MAX_REFERENCES) {
    const { type, properties } = asJsonObject(target) ?? {}
    const kind = type ?? (properties ? 'object' : undefined)
    const bare = { ...(kind !== undefined && { type: kind }), ...own.schema }
    return {
      schema: bare,
      references: own.references,
      recursiveName: reference.split('/').at(-1)!.replace('#', 'the whole'),
    }
  }
  const flat = flattenSchema(budget, target, [...own.references, reference])
  return flat && joinFlatSchemas(own, flat)
}

function joinFlatSchemas(one: FlatSchema, other: FlatSchema): FlatSchema {
  const recursiveName = one.recursiveName ?? other.recursiveName
  return {
    schema: intersectSchemas(one.schema, other.schema),
    references: other.references,
    ...(recursiveName && { recursiveName }),
  }
}

/** Target of a local reference. A remote reference accepts any value. */
function resolveReference(root: JsonObject, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return {}
  let target: unknown = root
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = unescapePointer(step)
    const object = asJsonObject(target)
    if (Array.isArray(target)) target = (target as unknown[])[Number(name)]
    else target = object && Object.hasOwn(object, name) ? object[name] : undefined
  }
  return target ?? {}
}

function unescapePointer(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

/** Schema for values that match both. If two keywords cannot be merged, the first one stays. */
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
  const isInBoth = (name: string) => Object.hasOwn(one, name) && Object.hasOwn(other, name)
  return Object.fromEntries([
    ...Object.entries(one).map(([name, mine]) => [name, isInBoth(name) ? { allOf: [mine, other[name]] } : mine]),
    ...Object.entries(other).filter(([name]) => !isInBoth(name)),
  ])
}

function commonTypes(one: readonly unknown[], other: readonly unknown[]): unknown {
  const common = one.filter((type) => other.includes(type) || (type === 'integer' && other.includes('number')))
  const whole = other.includes('integer') && one.includes('number') && !common.includes('integer')
  const types = whole ? [...common, 'integer'] : common
  if (types.length === 0) return one
  return types.length === 1 ? types[0] : types
}
