import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import en from '../../locales/en/console.json'
import zh from '../../locales/zh/console.json'
import { explainFields } from './explain-fields.ts'

const words = (fields: Record<string, unknown>) =>
  Object.fromEntries(explainFields(fields, i18n.getFixedT('en', 'logs')).map(({ label, value }) => [label, value]))

describe('explainFields', () => {
  it('shows names and units', () => {
    expect(
      words({ model_price: -1, model_ratio: 1.25, cache_tokens: 1200, frt: 340, uncovered: 500_000, claude: true }),
    ).toEqual({
      'Price per request': 'Billed by tokens',
      'Model ratio': '× 1.25',
      'Cache read': '1,200 tokens',
      'Time to first token': '0.34 s',
      'Not charged': '$1.00',
      'Claude protocol': 'Yes',
    })
  })

  it('shows the price source and the attempted channels', () => {
    expect(words({ price_basis: 'fallback', admin_info: { use_channel: ['3', '5'], attempts: [] } })).toEqual({
      'Price source': 'Fallback ratio',
      'Channels tried': '3 → 5',
    })
  })

  it('shows unknown fields by their key and omits fields that are shown elsewhere', () => {
    expect(words({ tide: { level: 3 }, input_content: 'secret', timing: {}, event: 'check_in' })).toEqual({
      tide: '{"level":3}',
    })
  })

  it('has the same field names in both languages', () => {
    expect(Object.keys(zh.logs.fields)).toEqual(Object.keys(en.logs.fields))
  })
})
