import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { openrouter } from './openrouter.ts'

describe('OpenRouter', () => {
  it('sends the site name and address if a header can hold them', () => {
    const settings = { ...readSettings(new Map()), ServerAddress: 'https://gate.example', SystemName: '潮门' }

    for (const { headers } of openrouter.chatApis!) {
      expect(headers!(settings)).toEqual({ 'http-referer': 'https://gate.example' })
      expect(headers!({ ...settings, SystemName: 'Tide' })).toMatchObject({ 'x-title': 'Tide' })
      expect(headers!({ ...settings, ServerAddress: '', SystemName: 'Tide\r\nx: 1' })).toEqual({})
    }
  })

  it("uses OpenRouter's base URL", () => {
    expect(openrouter.chatApis![0]!.url({ baseUrl: '', key: 'k', model: 'm' }, {} as never)).toBe(
      'https://openrouter.ai/api/v1/chat/completions',
    )
  })
})
