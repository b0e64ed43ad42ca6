import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import type { AdaptContext } from '../provider.ts'
import { adaptChat, adaptResponses } from './adapt.ts'

const context = (model: string): AdaptContext => ({
  model,
  requestedModel: model,
  settings: readSettings(new Map()),
  isPassThrough: true,
})

describe('adaptChat', () => {
  it.each([
    ['o3-mini-high', 'o3-mini', 'high'],
    ['o4-mini-low', 'o4-mini', 'low'],
    ['grok-3-mini-medium', 'grok-3-mini', 'medium'],
  ])('reads the effort suffix of %s', (name, model, effort) => {
    expect(adaptChat({}, context(name))).toMatchObject({
      model,
      changes: { reasoning_effort: effort },
      reasoningEffort: effort,
    })
  })

  it('leaves other names and bodies alone', () => {
    const body = { temperature: 0.5, max_tokens: 10, messages: [{ role: 'system', content: 's' }] }

    expect(adaptChat(body, context('gpt-4o'))).toEqual({ model: 'gpt-4o', changes: {}, reasoningEffort: undefined })
    expect(adaptChat(body, context('my-model-high')).model).toBe('my-model-high')
  })

  it('follows the rules of models that always reason', () => {
    const body = { temperature: 0.5, max_tokens: 10, messages: [{ role: 'system', content: 's' }, { role: 'user' }] }

    expect(adaptChat(body, context('o3')).changes).toEqual({
      max_tokens: undefined,
      max_completion_tokens: 10,
      temperature: undefined,
      messages: [{ role: 'developer', content: 's' }, { role: 'user' }],
    })
  })
})

describe('adaptResponses', () => {
  it('reads an effort suffix of any name, and keeps the other reasoning settings', () => {
    expect(adaptResponses({ reasoning: { summary: 'auto' } }, context('gpt-5-high'))).toEqual({
      model: 'gpt-5',
      changes: { reasoning: { summary: 'auto', effort: 'high' } },
      reasoningEffort: 'high',
    })
    expect(adaptResponses({ reasoning: { effort: 'low' } }, context('gpt-5'))).toEqual({ reasoningEffort: 'low' })
  })

  it('drops reasoning settings from another protocol for models that do not reason', () => {
    const body = { reasoning: { effort: 'high' }, include: ['reasoning.encrypted_content'] }

    expect(adaptResponses(body, { ...context('gpt-4.1'), isPassThrough: false }).changes).toEqual({
      reasoning: undefined,
      include: undefined,
    })
    expect(adaptResponses(body, { ...context('gpt-5'), isPassThrough: false })).toMatchObject({
      reasoningEffort: 'high',
    })
  })

  it('removes sampling options from another protocol, and lowers an effort, where the model rejects them', () => {
    const body = { temperature: 1, top_p: 0.9, reasoning: { effort: 'minimal', summary: 'auto' } }
    const converted = (model: string, fields = {}) =>
      adaptResponses({ ...body, ...fields }, { ...context(model), isPassThrough: false }).changes

    expect(converted('gpt-6-sol')).toEqual({
      temperature: undefined,
      top_p: undefined,
      reasoning: { effort: 'low', summary: 'auto' },
    })
    expect(converted('gpt-6-sol', { reasoning: { effort: 'none' } })).toEqual({})
    expect(converted('gpt-5.2', { reasoning: { effort: 'max' } })).toMatchObject({ reasoning: { effort: 'xhigh' } })
    expect(adaptResponses(body, context('gpt-6-sol'))).toEqual({ reasoningEffort: 'minimal' })
  })
})
