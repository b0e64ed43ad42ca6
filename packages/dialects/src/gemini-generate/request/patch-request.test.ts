import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../json/json-object.ts'
import { adaptModalities, adaptSafety, adaptThinking } from './patch-request.ts'

describe('adaptThinking', () => {
  const adapt = (model: string, body: JsonObject = {}, enabled = true) =>
    adaptThinking(body, model, {
      enabled,
      share: 0.6,
      supported: ['gemini-2.5-flash', 'gemini-2.5-pro'],
      maxOutputOf: (name) => (name === 'gemini-2.5-flash' ? 20_000 : undefined),
    })
  const thinking = (thinkingConfig: object) => ({ generationConfig: { thinkingConfig } })

  it("sets a budget by share of the client's limit, or of the model's maximum", () => {
    expect(adapt('gemini-2.5-flash-thinking', { generationConfig: { maxOutputTokens: 1001, topK: 1 } })).toEqual({
      model: 'gemini-2.5-flash',
      changes: {
        generationConfig: {
          maxOutputTokens: 1001,
          topK: 1,
          thinkingConfig: { thinkingBudget: 600, includeThoughts: true },
        },
      },
    })
    expect(adapt('gemini-2.5-flash-thinking').changes).toEqual(
      thinking({ thinkingBudget: 12_000, includeThoughts: true }),
    )
    expect(adapt('gemini-2.5-pro-thinking').changes).toEqual(
      thinking({ thinkingBudget: 32_768, includeThoughts: true }),
    )
  })

  it('takes the budget from the model name, within the range of the model', () => {
    expect(adapt('gemini-2.5-flash-thinking-2048')).toEqual({
      model: 'gemini-2.5-flash',
      changes: thinking({ thinkingBudget: 2048, includeThoughts: true }),
    })
    expect(adapt('gemini-2.5-flash-thinking-999999').changes).toEqual(
      thinking({ thinkingBudget: 24_576, includeThoughts: true }),
    )
  })

  it('disables thinking if the model allows it', () => {
    expect(adapt('gemini-2.5-flash-nothinking')).toEqual({
      model: 'gemini-2.5-flash',
      changes: thinking({ thinkingBudget: 0 }),
    })
    expect(adapt('gemini-2.5-pro-nothinking').changes).toEqual(thinking({ thinkingBudget: 128 }))
  })

  it('shows the thoughts of listed models', () => {
    expect(adapt('gemini-2.5-pro')).toEqual({ model: 'gemini-2.5-pro', changes: thinking({ includeThoughts: true }) })
  })

  it("keeps the client's own options", () => {
    const own = { generationConfig: { thinkingConfig: { thinkingBudget: 5, includeThoughts: false } } }

    expect(adapt('gemini-2.5-flash-thinking', own)).toEqual({ model: 'gemini-2.5-flash', changes: {} })
  })

  it('ignores names that are not listed, and all names if it is disabled', () => {
    expect(adapt('gemini-2.0-flash-thinking')).toEqual({ model: 'gemini-2.0-flash-thinking', changes: {} })
    expect(adapt('gemini-2.5-flash-thinking', {}, false)).toEqual({ model: 'gemini-2.5-flash-thinking', changes: {} })
  })

  it("uses the client's spelling", () => {
    const body = { generation_config: { max_output_tokens: 1000, thinking_config: {} } }

    expect(adapt('gemini-2.5-flash-thinking', body).changes).toEqual({
      generation_config: { max_output_tokens: 1000, thinking_config: { thinkingBudget: 600, includeThoughts: true } },
    })
  })
})

describe('adaptSafety', () => {
  const settings = { default: 'OFF', HARM_CATEGORY_HARASSMENT: 'BLOCK_NONE' }

  it('sets all five categories to their own threshold or the default', () => {
    expect(adaptSafety({}, settings)).toEqual({
      safetySettings: [
        { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' },
        { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'OFF' },
        { category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT', threshold: 'OFF' },
        { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'OFF' },
        { category: 'HARM_CATEGORY_CIVIC_INTEGRITY', threshold: 'OFF' },
      ],
    })
  })

  it('leaves out categories without a threshold, and all if the client sent settings', () => {
    const chosen = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }]

    expect(adaptSafety({}, { HARM_CATEGORY_HARASSMENT: 'BLOCK_NONE' })).toEqual({ safetySettings: chosen })
    expect(adaptSafety({}, {})).toEqual({})
    expect(adaptSafety({ safetySettings: chosen }, settings)).toEqual({})
    expect(adaptSafety({ safety_settings: chosen }, settings)).toEqual({})
    expect(Object.keys(adaptSafety({ safety_settings: [] }, settings))).toEqual(['safety_settings'])
  })
})

describe('adaptModalities', () => {
  it('requests text and images from image models unless the client set modalities', () => {
    const supported = ['gemini-2.0-flash-exp']

    expect(adaptModalities({ generationConfig: { topK: 1 } }, 'gemini-2.0-flash-exp', supported)).toEqual({
      generationConfig: { topK: 1, responseModalities: ['TEXT', 'IMAGE'] },
    })
    expect(adaptModalities({}, 'gemini-2.5-flash', supported)).toEqual({})
    expect(
      adaptModalities({ generationConfig: { responseModalities: ['IMAGE'] } }, 'gemini-2.0-flash-exp', supported),
    ).toEqual({})
  })
})
