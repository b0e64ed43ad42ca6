import { describe, expect, it } from 'vitest'
import { aChannel } from '../../../test/sample-channel.ts'
import { sharedValues, tagChanges } from './tag-changes.ts'

const before = { new_tag: 'main', groups: ['default'], models: ['a', 'b'], model_mapping: '{"a":"b"}' }

describe('the form of a tag', () => {
  it('starts with what all of its channels agree on, and with nothing where they differ', () => {
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

describe('what is sent for a tag', () => {
  it('is nothing when nothing changed', () => {
    expect(tagChanges('main', before, { ...before })).toBeNull()
  })

  it('is what changed, and no more', () => {
    expect(tagChanges('main', before, { ...before, models: ['a'] })).toEqual({ tag: 'main', models: 'a' })
    expect(tagChanges('main', before, { ...before, new_tag: ' spare ' })).toEqual({ tag: 'main', new_tag: 'spare' })
  })

  it('takes the tag off when its name is emptied', () => {
    expect(tagChanges('main', before, { ...before, new_tag: '' })).toEqual({ tag: 'main', new_tag: '' })
  })

  it('drops redirection keys that reach into prototypes', () => {
    const after = { ...before, model_mapping: '{"__proto__": "x", "c": "d"}' }

    expect(JSON.parse(tagChanges('main', before, after)!.model_mapping!)).toEqual({ c: 'd' })
  })

  it('leaves out what was emptied, for the server would keep it', () => {
    expect(tagChanges('main', before, { ...before, models: [], groups: [], model_mapping: '' })).toBeNull()
  })
})
