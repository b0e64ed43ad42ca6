import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { adaptClaude } from './anthropic-compatible.ts'
import type { AdaptContext } from './provider.ts'

const settings = readSettings(new Map())
const context = (model: string, change: Partial<AdaptContext> = {}): AdaptContext => ({
  model,
  requestedModel: model,
  settings,
  isPassThrough: true,
  ...change,
})

describe('adaptClaude', () => {
  it('turns a -thinking suffix into a thinking budget and the sampling settings it requires', () => {
    const body = { max_tokens: 10_000, top_p: 0.9, temperature: 0.2 }

    expect(adaptClaude(body, context('claude-sonnet-4-20250514-thinking'))).toMatchObject({
      model: 'claude-sonnet-4-20250514',
      changes: { thinking: { type: 'enabled', budget_tokens: 8000 }, top_p: undefined, temperature: 1 },
    })
  })

  it('keeps an explicit thinking block and still strips the suffix', () => {
    const body = { max_tokens: 10_000, thinking: { type: 'enabled', budget_tokens: 2000 } }

    expect(adaptClaude(body, context('claude-3-7-sonnet-20250219-thinking'))).toMatchObject({
      model: 'claude-3-7-sonnet-20250219',
      changes: {},
    })
  })

  it('leaves suffixes alone when the operator disabled the adapter', () => {
    const off = { ...settings, 'claude.thinking_adapter_enabled': false }

    expect(adaptClaude({ max_tokens: 5 }, context('claude-x-thinking', { settings: off })).model).toBe(
      'claude-x-thinking',
    )
  })

  it('fills in the required max_tokens, by model or by default', () => {
    const limits = { ...settings, 'claude.default_max_tokens': { default: 8192, 'claude-a': 100 } }

    expect(adaptClaude({}, context('claude-a', { settings: limits })).changes).toEqual({ max_tokens: 100 })
    expect(adaptClaude({}, context('claude-b', { settings: limits })).changes).toEqual({ max_tokens: 8192 })
    expect(adaptClaude({ max_tokens: 7 }, context('claude-b')).changes).toEqual({})
  })

  it("uses effort for models with adaptive thinking, and keeps a native client's own settings", () => {
    const thoughtful = { max_tokens: 10_000, thinking: { type: 'enabled', budget_tokens: 5000 }, top_k: 5 }

    expect(adaptClaude(thoughtful, context('claude-opus-4-7', { isPassThrough: false })).changes).toEqual({
      top_k: undefined,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
    })
    expect(adaptClaude(thoughtful, context('claude-opus-4-7')).changes).toEqual({})
    expect(adaptClaude({ max_tokens: 10_000 }, context('claude-fable-5-thinking')).changes).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    })
    expect(adaptClaude(thoughtful, context('claude-sonnet-4-5-20250929', { isPassThrough: false })).changes).toEqual({})
  })

  it('sends the headers configured for the model the client requested', () => {
    const headers = { ...settings, 'claude.model_headers_settings': { mine: { 'Anthropic-Beta': ['a', 'b'] } } }

    expect(adaptClaude({}, context('claude-x', { requestedModel: 'mine', settings: headers })).headers).toEqual({
      'anthropic-beta': 'a,b',
    })
  })
})
