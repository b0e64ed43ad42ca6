import { demand, wordSet } from '../checks.ts'

/** Refuses whatever of JSON schema Gemini's own kind of schema has no field for. */
export function checkSchema(schema: unknown, path: string): void {
  demand(isObject(schema), `${path}: a schema is an object`)
  for (const member of Object.keys(schema)) {
    demand(
      MEMBERS.has(member),
      `Invalid JSON payload received. Unknown name "${member}" at '${path}': Cannot find field.`,
    )
  }
  const { type, format, properties, items, anyOf, required = [], enum: values } = schema as Schema
  const kind = typeof type === 'string' ? type.toUpperCase() : undefined
  demand(type === undefined || TYPES.has(kind ?? ''), `${path}.type: not a type: ${JSON.stringify(type)}`)
  demand(kind !== undefined || anyOf !== undefined, `${path}.type: must be specified`)
  demand(format === undefined || FORMATS[kind ?? '']?.includes(format), `${path}.format: '${format}' is not supported`)
  demand(values === undefined || values.every(isText), `${path}.enum: every value is a text`)

  if (kind === 'ARRAY') demand(items !== undefined, `${path}.items: missing field`)
  if (kind === 'OBJECT') {
    const names = Object.keys(properties ?? {})
    demand(names.length > 0, `${path}.properties: should be non-empty for OBJECT type`)
    for (const name of required) demand(names.includes(name), `${path}.required: property ${name} is not defined`)
  }
  for (const [name, member] of Object.entries(properties ?? {})) checkSchema(member, `${path}.properties.${name}`)
  if (items !== undefined) checkSchema(items, `${path}.items`)
  anyOf?.forEach((choice, index) => checkSchema(choice, `${path}.any_of[${index}]`))
}

interface Schema {
  type?: unknown
  format?: string
  properties?: Record<string, unknown>
  items?: unknown
  anyOf?: readonly unknown[]
  required?: readonly string[]
  enum?: readonly unknown[]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

const TYPES = wordSet('STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL')
const FORMATS: Record<string, readonly string[]> = {
  STRING: ['enum', 'date-time'],
  NUMBER: ['float', 'double'],
  INTEGER: ['int32', 'int64', 'enum'],
}
const MEMBERS = wordSet(`
  type format title description nullable enum maxItems minItems properties required minProperties maxProperties
  minLength maxLength pattern example anyOf propertyOrdering items minimum maximum
`)
