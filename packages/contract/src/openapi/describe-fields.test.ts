import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../endpoints.ts'
import { describeFields, type FieldDescriptions, indexDescriptions } from './describe-fields.ts'
import { openApiDocument } from './document.ts'
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts'
import type { JsonSchema } from './json-schema.ts'

describe('the description of a field', () => {
  const index = indexDescriptions({
    '*': { status: 'everywhere' },
    '/api/log': { status: 'below a path' },
    'GET /api/log/self, Channel': { status: 'in a place', 'data.status': 'at a path' },
  })

  it.each([
    ['the place', index.ofOperation('GET', '/api/log/self'), ['status'], 'in a place'],
    ['the longest path in the place', index.ofOperation('GET', '/api/log/self'), ['data', 'status'], 'at a path'],
    ['the path above', index.ofOperation('GET', '/api/log/stat'), ['data', 'status'], 'below a path'],
    ['a component', index.ofComponent('Channel'), ['keys', 'status'], 'in a place'],
    ['all places', index.ofComponent('User'), ['status'], 'everywhere'],
    ['none of them', index.ofComponent('User'), ['statuses'], undefined],
  ])('is that of %s', (_, find, path, description) => {
    expect(find(path)).toBe(description)
  })

  it('is added to nested properties, lists, maps and references', () => {
    const schema = {
      properties: {
        keys: { type: 'array', items: { properties: { id: { type: 'integer' } } } },
        byName: { additionalProperties: { anyOf: [{ properties: { id: { $ref: '#/a' } } }, { type: 'null' }] } },
      },
    }

    expect(describeFields(schema, (path) => path.join(' '), ['data'])).toEqual({
      properties: {
        keys: {
          type: 'array',
          items: { properties: { id: { type: 'integer', description: 'data keys id' } } },
          description: 'data keys',
        },
        byName: {
          additionalProperties: {
            anyOf: [{ properties: { id: { $ref: '#/a', description: 'data byName id' } } }, { type: 'null' }],
          },
          description: 'data byName',
        },
      },
    })
  })
})

describe('the table of descriptions', () => {
  it('describes every parameter and field of every endpoint', () => {
    const missing = fieldsOf(FIELD_DESCRIPTIONS).filter(({ description }) => description === undefined)

    expect(missing.map(({ field }) => field)).toEqual([])
  })

  it('has no unused place or field', () => {
    const entries = Object.entries(FIELD_DESCRIPTIONS).flatMap(([places, fields]) =>
      places.split(', ').flatMap((place) => Object.keys(fields).map((field) => ({ places, place, field }))),
    )
    // The description of each field is its key, so the document shows which ones are used.
    const keys: Record<string, Record<string, string>> = {}
    for (const { place, field } of entries) (keys[place] ??= {})[field] = `${place} ${field}`
    const used = new Set(fieldsOf(keys).map(({ description }) => description))
    const isUsed = ({ place, field }: (typeof entries)[number]) => used.has(`${place} ${field}`)
    const unusedBy = (keyOf: (entry: (typeof entries)[number]) => string) =>
      [...Map.groupBy(entries, keyOf)].filter(([, group]) => !group.some(isUsed)).map(([key]) => key)

    expect(unusedBy(({ place }) => place)).toEqual([])
    expect(unusedBy(({ places, field }) => `${places}: ${field}`)).toEqual([])
  })

  it('has short texts without a full stop', () => {
    const texts = Object.values(FIELD_DESCRIPTIONS).flatMap((fields) => Object.values(fields))

    expect(texts.filter((text) => text.endsWith('.') || text.length > 90 || text !== text.trim())).toEqual([])
  })
})

/** Every parameter and field of the document, without the envelope and errors. */
function fieldsOf(descriptions: FieldDescriptions) {
  const { paths, components } = openApiDocument({ version: '1', descriptions })
  const inOperations = ENDPOINTS.flatMap(({ endpoint: { method, path, bare = false } }) => {
    const { parameters = [], requestBody, responses } = paths[path]![method.toLowerCase()]!
    const place = `${method} ${path}`
    const whole = responses[200].content['application/json'].schema
    const done = (whole['oneOf'] as JsonSchema[] | undefined)?.[0] ?? whole
    const { data } = (done['properties'] ?? {}) as Record<string, JsonSchema>
    return [
      ...parameters.map(({ name, description }) => ({ field: `${place} ${name}`, description })),
      ...propertiesOf(requestBody?.content['application/json'].schema, place),
      ...propertiesOf(bare ? done : data, place),
    ]
  })
  const { Error: _, ...schemas } = components.schemas
  return [...inOperations, ...Object.entries(schemas).flatMap(([name, schema]) => propertiesOf(schema, name))]
}

function propertiesOf(node: unknown, place: string): { field: string; description?: unknown }[] {
  if (typeof node !== 'object' || node === null) return []
  const { properties = {}, ...rest } = node as { properties?: Record<string, JsonSchema> }
  return [
    ...Object.entries(properties).flatMap(([name, schema]) => [
      { field: `${place} ${name}`, description: schema['description'] },
      ...propertiesOf(schema, `${place} ${name}`),
    ]),
    ...Object.values(rest).flatMap((value) => propertiesOf(value, place)),
  ]
}
