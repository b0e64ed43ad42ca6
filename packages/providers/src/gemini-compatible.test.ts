import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { adaptGemini } from './gemini-compatible.ts'
import type { AdaptContext } from './provider.ts'

const settings = { ...readSettings(new Map()), 'gemini.thinking_adapter_enabled': true }
const context = (model: string): AdaptContext => ({ model, requestedModel: model, settings, isPassThrough: true })

describe('adaptGemini', () => {
  it.each([
    ['gemini-2.5-pro-thinking', 6000],
    ['gemini-2.5-pro-thinking-4096', 4096],
  ])('reads a thinking budget from %s', (name, thinkingBudget) => {
    const body = { generationConfig: { maxOutputTokens: 10_000 } }

    expect(adaptGemini(body, context(name))).toMatchObject({
      model: 'gemini-2.5-pro',
      changes: {
        generationConfig: { maxOutputTokens: 10_000, thinkingConfig: { thinkingBudget, includeThoughts: true } },
      },
    })
  })

  it("adds the operator's safety settings if the client sent none", () => {
    const given = { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }] }

    expect(adaptGemini({}, context('gemini-x')).changes?.safetySettings).toHaveLength(5)
    expect(adaptGemini(given, context('gemini-x')).changes).not.toHaveProperty('safetySettings')
  })

  it('requests images from models that generate them', () => {
    expect(adaptGemini({}, context('gemini-2.0-flash-exp')).changes?.generationConfig).toEqual({
      responseModalities: ['TEXT', 'IMAGE'],
    })
  })
})
