import { expect, it } from 'vitest'
import { fieldsOf } from './schema-fields.ts'

const SHAPES = {
  Key: {
    type: 'object',
    properties: { id: { type: 'integer', minimum: 1, description: 'Key ID' }, name: { type: ['string', 'null'] } },
    required: ['id'],
  },
}

it('lists the fields of a schema by their dotted names, with readable types and descriptions', () => {
  const schema = {
    type: 'object',
    properties: {
      keys: { type: 'array', items: { $ref: '#/components/schemas/Key' }, description: 'All keys' },
      period: { enum: ['day', 'week'] },
      size: { anyOf: [{ type: 'integer', maximum: 9, default: 3 }, { type: 'null' }] },
    },
    required: ['keys'],
  }

  expect(fieldsOf(schema, SHAPES)).toEqual([
    { name: 'keys', type: 'list of object', required: true, description: 'All keys' },
    { name: 'keys[].id', type: 'integer, at least 1', required: true, description: 'Key ID' },
    { name: 'keys[].name', type: 'string or null', required: false, description: '' },
    { name: 'period', type: '"day", "week"', required: false, description: '' },
    { name: 'size', type: 'integer, at most 9, default 3 or null', required: false, description: '' },
  ])
})

it('describes a value without fields', () => {
  expect(fieldsOf({ type: 'boolean' }, {})).toEqual([{ name: '', type: 'boolean', required: true, description: '' }])
})
