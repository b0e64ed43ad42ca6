import { describe, expect, it } from 'vitest'
import { adaptSchema } from './tools.ts'

describe('adaptSchema', () => {
  it('closes every object at any depth unless it sets additionalProperties', () => {
    const open = { type: 'object', properties: {} }
    const closed = { ...open, additionalProperties: false }

    expect(
      adaptSchema({
        ...open,
        properties: {
          a: open,
          list: { type: 'array', items: open },
          map: { type: 'object', additionalProperties: true },
        },
        $defs: { b: open },
        anyOf: [open, { $ref: '#/$defs/b' }],
      }),
    ).toEqual({
      ...closed,
      properties: {
        a: closed,
        list: { type: 'array', items: closed },
        map: { type: 'object', additionalProperties: true },
      },
      $defs: { b: closed },
      anyOf: [closed, { $ref: '#/$defs/b' }],
    })
  })

  it('moves unsupported limits to the description and reads oneOf as anyOf', () => {
    expect(
      adaptSchema({
        oneOf: [
          { type: 'integer', description: 'Age', minimum: 0, maximum: 9 },
          { type: 'array', minItems: 1 },
        ],
      }),
    ).toEqual({
      anyOf: [
        { type: 'integer', description: 'Age\nminimum: 0, maximum: 9' },
        { type: 'array', minItems: 1 },
      ],
    })
  })

  it('does not treat a property name as a keyword', () => {
    const properties = { minimum: { type: 'string' }, items: { type: 'string' }, oneOf: { type: 'string' } }

    expect(adaptSchema({ type: 'object', properties }).properties).toEqual(properties)
  })
})
