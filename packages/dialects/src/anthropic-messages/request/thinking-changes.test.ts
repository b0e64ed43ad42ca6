import { describe, expect, it } from 'vitest'
import { enableThinking, ensureMaxTokens } from './patch-request.ts'

const messages = [{ role: 'user', content: 'hi' }]
const options = { budgetShare: 0.8, defaultMaxTokens: 8192 }
const change = (fields: object, more = {}) =>
  enableThinking({ model: 'm', messages, ...fields }, { ...options, ...more })

describe('enableThinking', () => {
  it('sets a budget by share of the limit and removes incompatible options', () => {
    const changes = change({
      max_tokens: 10_000,
      top_p: 0.5,
      top_k: 4,
      temperature: 0,
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
    })

    expect(changes).toStrictEqual({
      thinking: { type: 'enabled', budget_tokens: 8000 },
      temperature: 1,
      top_p: undefined,
      top_k: undefined,
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    })
  })

  it('uses the default limit if the client set none, but at least the minimum for thinking', () => {
    const thinking = (budget_tokens: number) => ({ type: 'enabled', budget_tokens })

    expect(change({})).toEqual({ thinking: thinking(6553), temperature: 1, max_tokens: 8192 })
    expect(change({ max_tokens: 100 })).toMatchObject({ thinking: thinking(1024), max_tokens: 1280 })
    expect(change({ max_tokens: 2000 }, { budgetShare: 0.1 })).toMatchObject({ thinking: thinking(1024) })
    expect(change({ max_tokens: 2000 }, { budgetShare: 1 })).toMatchObject({ thinking: thinking(1999) })
  })

  it("keeps the client's own thinking options", () => {
    expect(change({ thinking: { type: 'disabled' }, max_tokens: 5 })).toEqual({})
    expect(change({ thinking: { type: 'enabled', budget_tokens: 9000 } })).toEqual({ max_tokens: 9000 + 8192 })
  })

  it('sets only the limit for a turn that does not allow thinking', () => {
    const loop = [
      ...messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
    ]

    expect(change({ messages: loop })).toEqual({ max_tokens: 8192 })
    expect(change({ messages: loop, max_tokens: 7 })).toEqual({})
  })
})

describe('ensureMaxTokens', () => {
  it('sets the limit only if there is none', () => {
    expect(ensureMaxTokens({}, 8192)).toEqual({ max_tokens: 8192 })
    expect(ensureMaxTokens({ max_tokens: null }, 8192)).toEqual({ max_tokens: 8192 })
    expect(ensureMaxTokens({ max_tokens: 0 }, 8192)).toEqual({})
  })

  it('sets the limit above the budget', () => {
    const thinking = { type: 'enabled', budget_tokens: 6553 }

    expect(ensureMaxTokens({ thinking }, 8192)).toEqual({ max_tokens: 8192 })
    expect(ensureMaxTokens({ thinking }, 4096)).toEqual({ max_tokens: 6553 + 4096 })
  })
})
