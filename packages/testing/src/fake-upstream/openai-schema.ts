import { demand } from './checks.ts'

/** Refuses what OpenAI refuses in an output schema: a name it cannot use, and, when strict, an object left open. */
export function checkOpenaiSchema(
  { name, schema, strict }: { name?: unknown; schema?: unknown; strict?: boolean | null },
  path: string,
): void {
  demand(typeof name === 'string' && NAME.test(name), 'a name is 1 to 64 of a-z, A-Z, 0-9, _ and -', `${path}.name`)
  demand(typeof schema === 'object' && schema !== null, 'schema is missing', `${path}.schema`)
  if (strict) checkClosed(schema, `${path}.schema`, true)
}

/** Every object names all of its members and allows no others. */
export function checkClosed(schema: Schema, path: string, allRequired: boolean): void {
  if (schema.type === 'object' || schema.properties !== undefined) {
    demand(schema.additionalProperties === false, "'additionalProperties' must be false", path)
    const missing = Object.keys(schema.properties ?? {}).filter((name) => !schema.required?.includes(name))
    demand(!allRequired || missing.length === 0, `'required' must name every member: ${missing.join(', ')}`, path)
  }
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    checkClosed(member, `${path}.${name}`, allRequired)
  if (schema.items !== undefined) checkClosed(schema.items, `${path}.items`, allRequired)
  for (const choice of schema.anyOf ?? []) checkClosed(choice, `${path}.anyOf`, allRequired)
}

export interface Schema {
  type?: unknown
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: unknown
  items?: Schema
  anyOf?: readonly Schema[]
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
