import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { openrouter } from './openrouter.ts'

describe('OpenRouter', () => {
  it('is told which site calls, as far as a header can hold it', () => {
    const settings = { ...readSettings(new Map()), ServerAddress: 'https://gate.example', SystemName: '潮门' }

    for (const { headers } of openrouter.conversations!) {
      expect(headers!(settings)).toEqual({ 'http-referer': 'https://gate.example' })
      expect(headers!({ ...settings, SystemName: 'Tide' })).toMatchObject({ 'x-title': 'Tide' })
      expect(headers!({ ...settings, ServerAddress: '', SystemName: 'Tide\r\nx: 1' })).toEqual({})
    }
  })

  it('is asked where it is', () => {
    expect(openrouter.conversations![0]!.url({ baseUrl: '', key: 'k', model: 'm' }, {} as never)).toBe(
      'https://openrouter.ai/api/v1/chat/completions',
    )
  })
})
