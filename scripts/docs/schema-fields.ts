export type Schema = { readonly [keyword: string]: unknown }

export interface Field {
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** Blank if there is none. */
  readonly description: string
}

/** Maximum depth of listed fields; deeper ones are shown as an object. */
const MAX_DEPTH = 3

/** Every field of a JSON schema by its dotted name, with a readable type. */
export function fieldsOf(schema: Schema, shapes: Readonly<Record<string, Schema>>, prefix = '', depth = 1): Field[] {
  const object = objectIn(schema, shapes)
  if (object === undefined) return prefix === '' ? [fieldOf('', schema, true, shapes)] : []
  const needed = (object.required ?? []) as readonly string[]
  return Object.entries((object.properties ?? {}) as Record<string, Schema>).flatMap(([key, value]) => {
    const name = prefix + key
    const inner = depth < MAX_DEPTH ? fieldsOf(value, shapes, nameWithin(name, value, shapes), depth + 1) : []
    return [fieldOf(name, value, needed.includes(key), shapes), ...inner]
  })
}

function fieldOf(name: string, schema: Schema, required: boolean, shapes: Readonly<Record<string, Schema>>): Field {
  const { description = '' } = schema as { description?: string }
  return { name, type: typeOf(schema, shapes), required, description }
}

function nameWithin(name: string, schema: Schema, shapes: Readonly<Record<string, Schema>>): string {
  return isList(resolveSchema(schema, shapes), shapes) ? `${name}[].` : `${name}.`
}

/** The object schema of a value, of its list items, or of its non-null form. */
function objectIn(schema: Schema, shapes: Readonly<Record<string, Schema>>): Schema | undefined {
  const whole = resolveSchema(schema, shapes)
  if (whole.properties !== undefined) return whole
  if (whole.type === 'array' && whole.items !== undefined) return objectIn(whole.items as Schema, shapes)
  const others = choicesOf(whole).filter(({ type }) => type !== 'null')
  return others.length === 1 ? objectIn(others[0]!, shapes) : undefined
}

function isList(schema: Schema, shapes: Readonly<Record<string, Schema>>): boolean {
  return schema.type === 'array' || choicesOf(schema).some((choice) => isList(resolveSchema(choice, shapes), shapes))
}

/** A readable type: `integer, at least 1`, `list of string`, `string or null`. */
function typeOf(schema: Schema, shapes: Readonly<Record<string, Schema>>): string {
  const whole = resolveSchema(schema, shapes)
  const choices = choicesOf(whole)
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeOf(choice, shapes)))].join(' or ')
  if (whole.const !== undefined) return JSON.stringify(whole.const)
  if (Array.isArray(whole.enum)) return whole.enum.map((value) => JSON.stringify(value)).join(', ')
  if (whole.type === 'array') return `list of ${typeOf((whole.items ?? {}) as Schema, shapes)}`
  return [baseOf(whole), ...boundsOf(whole)].join(', ')
}

function baseOf({ type, format }: Schema): string {
  if (Array.isArray(type)) return type.join(' or ')
  if (typeof type !== 'string') return 'anything'
  return typeof format === 'string' ? `${type} (${format})` : type
}

function boundsOf({ minimum, maximum, minLength, maxLength, default: usual }: Schema): string[] {
  const bounds: [unknown, (value: string) => string][] = [
    [minimum, (value) => `at least ${value}`],
    [maximum, (value) => `at most ${value}`],
    [minLength, (value) => `at least ${value} characters`],
    [maxLength, (value) => `at most ${value} characters`],
    [usual, (value) => `default ${value}`],
  ]
  return bounds.filter(([value]) => value !== undefined).map(([value, say]) => say(JSON.stringify(value)))
}

function choicesOf(schema: Schema): Schema[] {
  return (schema.anyOf ?? schema.oneOf ?? []) as Schema[]
}

function resolveSchema(schema: Schema, shapes: Readonly<Record<string, Schema>>): Schema {
  const pointer = typeof schema.$ref === 'string' ? schema.$ref : ''
  const name = /^#\/components\/schemas\/(.+)$/.exec(pointer)?.[1]
  return name === undefined ? schema : (shapes[name] ?? {})
}
