import { describe, expect, it } from 'vitest'
import { countChoices, limitOutput } from './output-limit.ts'

describe('limitOutput', () => {
  it('sets a limit if the client sent none', () => {
    expect(limitOutput('openai-chat', {}, 700)).toEqual({ max_tokens: 700 })
    expect(limitOutput('openai-completions', {}, 700)).toEqual({ max_tokens: 700 })
    expect(limitOutput('openai-responses', {}, 700)).toEqual({ max_output_tokens: 700 })
    expect(limitOutput('anthropic-messages', {}, 700)).toEqual({ max_tokens: 700 })
    expect(limitOutput('gemini-generate', {}, 700)).toEqual({ generationConfig: { maxOutputTokens: 700 } })
    expect(limitOutput('gemini-interactions', {}, 700)).toEqual({ generation_config: { max_output_tokens: 700 } })
  })

  it('replaces a higher limit and an invalid value, and keeps a lower limit', () => {
    expect(limitOutput('openai-chat', { max_tokens: 9000 }, 700)).toEqual({ max_tokens: 700 })
    expect(limitOutput('openai-chat', { max_tokens: '9000' }, 700)).toEqual({ max_tokens: 700 })
    expect(limitOutput('openai-chat', { max_tokens: 90 }, 700)).toEqual({})
    const config = { seed: 1, max_output_tokens: 9000 }
    expect(limitOutput('gemini-interactions', { generation_config: config }, 700)).toEqual({
      generation_config: { seed: 1, max_output_tokens: 700 },
    })
    expect(limitOutput('gemini-interactions', { generation_config: config }, 9000)).toEqual({})
    expect(limitOutput('openai-responses', { max_output_tokens: -1 }, 700)).toEqual({ max_output_tokens: 700 })
  })

  it('sets both members that a client sent', () => {
    const both = { max_tokens: 10, max_completion_tokens: 90_000 }
    expect(limitOutput('openai-chat', both, 700)).toEqual({ max_completion_tokens: 700 })
    expect(limitOutput('openai-chat', { max_completion_tokens: 90_000 }, 700)).toEqual({ max_completion_tokens: 700 })
  })

  it('lowers the thinking budget of Anthropic, and disables thinking if too little is left', () => {
    const body = { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 16_000 } }
    expect(limitOutput('anthropic-messages', body, 20_000)).toEqual({ max_tokens: 20_000 })
    expect(limitOutput('anthropic-messages', body, 4_000)).toEqual({
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 3_488 },
    })
    expect(limitOutput('anthropic-messages', body, 1_200)).toEqual({
      max_tokens: 1_200,
      thinking: { type: 'disabled' },
    })
  })

  it('keeps the other options of Gemini in either spelling', () => {
    expect(limitOutput('gemini-generate', { generationConfig: { topK: 3, maxOutputTokens: 9000 } }, 700)).toEqual({
      generationConfig: { topK: 3, maxOutputTokens: 700 },
    })
    expect(limitOutput('gemini-generate', { generation_config: { top_k: 3, max_output_tokens: 9000 } }, 700)).toEqual({
      generation_config: { top_k: 3, maxOutputTokens: 700 },
    })
    expect(limitOutput('gemini-generate', { generation_config: { max_output_tokens: 9 } }, 700)).toEqual({})
  })
})

it('counts the responses that a request asks for', () => {
  expect(countChoices('openai-chat', { n: 3 })).toBe(3)
  expect(countChoices('openai-chat', { n: 'many' })).toBe(1)
  expect(countChoices('openai-completions', { n: 2, best_of: 5, prompt: ['a', 'b'] })).toBe(10)
  expect(countChoices('openai-completions', { prompt: [1, 2, 3] })).toBe(1)
  expect(countChoices('openai-responses', { n: 3 })).toBe(1)
  expect(countChoices('gemini-generate', { generationConfig: { candidateCount: 2 } })).toBe(2)
})
