import { describe, expect, it } from 'vitest'
import { aChannel } from '../../../../test/sample-channel.ts'
import { bodyOf, INITIAL_CHANNEL, valuesOf } from './channel-values.ts'

const values = { ...INITIAL_CHANNEL, name: ' harbour ', models: ['gpt-4o', 'o3'], key: 'sk-1' }
const severalKeys = { singleKey: false }

describe('bodyOf', () => {
  it('trims names, joins lists and removes trailing slashes of the base URL', () => {
    const body = bodyOf(
      { ...values, base_url: ' https://api.example.com/v2// ', groups: ['default', 'vip'] },
      severalKeys,
    )

    expect(body).toMatchObject({
      name: 'harbour',
      models: 'gpt-4o,o3',
      group: 'default,vip',
      base_url: 'https://api.example.com/v2',
      auto_ban: 1,
    })
    expect(body).not.toHaveProperty('groups')
  })

  it('puts each distinct key on its own line, unless the key is a document', () => {
    expect(bodyOf({ ...values, key: ' a, b\n\na ,c' }, severalKeys).key).toBe('a\nb\nc')
    expect(bodyOf({ ...values, key: '{\n "a": 1, "b": 2\n}' }, { singleKey: true }).key).toBe('{\n "a": 1, "b": 2\n}')
  })

  it('sends blank values for fields that the form does not show', () => {
    const { key: _key, other: _other, openai_organization: _organization, ...shown } = values

    expect(bodyOf(shown, severalKeys)).toMatchObject({ key: '', other: '', openai_organization: '' })
  })

  it('sends 0 for a blank number', () => {
    expect(bodyOf({ ...values, priority: null, weight: null, max_input_tokens: null }, severalKeys)).toMatchObject({
      priority: 0,
      weight: 0,
      max_input_tokens: 0,
    })
  })
})

it('restores a stored channel without its key', () => {
  const channel = aChannel({ auto_ban: 0, group: 'default,vip', priority: -3, setting: '{"force_format":true}' })

  const form = valuesOf({ ...channel, key: 'sk-1••••9' })

  expect(form).toMatchObject({ key: '', groups: ['default', 'vip'], auto_ban: false, priority: -3 })
  const { id: _id, ...sent } = { ...channel }
  expect(bodyOf(form, severalKeys)).toMatchObject({ name: sent.name, models: sent.models, setting: sent.setting })
})
