import { describe, expect, it } from 'vitest'
import { changesOf, textOf, valueOf } from './option-values.ts'
import { aField } from '../../../test/settings-screen.tsx'

describe('a stored text', () => {
  it.each([
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['integer', '500000', 500_000],
    ['number', '0.002', 0.002],
    ['number', '', null],
    ['list', '5xx,429', ['5xx', '429']],
    ['list', '', []],
    ['text', ' as it is ', ' as it is '],
    ['json', '{"default":1}', '{\n  "default": 1\n}'],
  ] as const)('of the kind %s is unchanged after editing: %j', (kind, text, value) => {
    const field = aField('Notice', { kind })

    expect(valueOf(field, text)).toEqual(value)
    expect(textOf(field, valueOf(field, text))).toBe(text)
  })
})

describe('changesOf', () => {
  const name = aField('SystemName')
  const ratios = aField('GroupRatio', { kind: 'json' })
  const secret = aField('SMTPToken', { secret: true, is_set: true })
  const base = { SystemName: 'Harbour', GroupRatio: '{"default":1}' }

  it('ignores whitespace in JSON', () => {
    const values = { SystemName: 'Harbour', GroupRatio: '{ "default" : 1 }\n', SMTPToken: '' }

    expect(changesOf([name, ratios, secret], base, values)).toEqual([])
  })

  it('returns changed values as text', () => {
    const values = { SystemName: '', GroupRatio: '{"default": 2}', SMTPToken: 'hush' }

    expect(changesOf([name, ratios, secret], base, values)).toEqual([
      { key: 'SystemName', value: '' },
      { key: 'GroupRatio', value: '{"default":2}' },
      { key: 'SMTPToken', value: 'hush' },
    ])
  })

  it('clears a secret only if it is null', () => {
    expect(changesOf([secret], {}, { SMTPToken: '' })).toEqual([])
    expect(changesOf([secret], {}, { SMTPToken: null })).toEqual([{ key: 'SMTPToken', value: '' }])
  })
})
