import { describe, expect, it } from 'vitest'
import { aChannel } from '../../../test/sample-channel.ts'
import { sharedValues, tagChanges } from './tag-changes.ts'

const before = { new_tag: 'main', groups: ['default'], models: ['a', 'b'], model_mapping: '{"a":"b"}' }

describe('the form of a tag', () => {
  it('starts with the values that all channels share, and with blank fields otherwise', () => {
    const channels = [
      aChannel({ group: 'default,vip', models: 'a,b', model_mapping: '{"a":"b"}' }),
      aChannel({ group: 'default,vip', models: 'a', model_mapping: '{"a":"b"}' }),
    ]

    expect(sharedValues('main', channels)).toEqual({
      new_tag: 'main',
      groups: ['default', 'vip'],
      models: [],
      model_mapping: '{"a":"b"}',
    })
  })
})

describe('tagChanges', () => {
  it('returns null if nothing changed', () => {
    expect(tagChanges('main', before, { ...before })).toBeNull()
  })

  it('returns changed fields only', () => {
    expect(tagChanges('main', before, { ...before, models: ['a'] })).toEqual({ tag: 'main', models: 'a' })
    expect(tagChanges('main', before, { ...before, new_tag: ' spare ' })).toEqual({ tag: 'main', new_tag: 'spare' })
  })

  it('removes the tag if its name is blank', () => {
    expect(tagChanges('main', before, { ...before, new_tag: '' })).toEqual({ tag: 'main', new_tag: '' })
  })

  it('removes mapping keys that change a prototype', () => {
    const after = { ...before, model_mapping: '{"__proto__": "x", "c": "d"}' }

    expect(JSON.parse(tagChanges('main', before, after)!.model_mapping!)).toEqual({ c: 'd' })
  })

  it('omits cleared fields, because the server ignores blank values', () => {
    expect(tagChanges('main', before, { ...before, models: [], groups: [], model_mapping: '' })).toBeNull()
  })
})
