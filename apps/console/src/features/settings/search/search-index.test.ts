import { describe, expect, it } from 'vitest'
import { settings as en } from '../../../locales/en/settings.json'
import { settings as zh } from '../../../locales/zh/settings.json'
import { textKeyOf } from '../option-values.ts'
import { byName, matches, searchIndex } from './search-index.ts'

const index = searchIndex([zh, en])
const found = (query: string) => index.filter((entry) => matches(entry, query)).map(({ key }) => key)

describe('the search', () => {
  it.each([
    ['返佣', 'RebatePercentage'],
    ['rebate percent', 'RebatePercentage'],
    ['percent REBATE', 'RebatePercentage'],
    ['smtpserver', 'SMTPServer'],
    ['邮件服务器 密码', 'SMTPToken'],
    ['oidc.client_id', 'oidc.client_id'],
  ])('finds with %j the option %s', (query, key) => {
    expect(found(query)).toContain(key)
  })

  it('lists options with the query in their name first', () => {
    const found = index.filter((entry) => matches(entry, 'log')).toSorted(byName('log'))

    expect(found[0]?.key).toBe('LogConsumeEnabled')
    expect(found.map(({ key }) => key)).toContain('DrawingEnabled')
  })

  it('finds nothing for an unknown query', () => {
    expect(found('no such thing here')).toEqual([])
  })
})

describe('the page', () => {
  it('shows every option with a label, except the one with its own editor', () => {
    const shown = index.map(({ key }) => textKeyOf(key)).sort()
    const named = Object.keys(zh.options).filter((key) => key !== 'global_model_mapping')

    expect(shown).toEqual(named.sort())
  })

  it('has a label and a help text for every option', () => {
    for (const { options } of [zh, en]) {
      const texts = options as Record<string, { label?: string; help?: string }>
      const incomplete = index.filter(({ key }) => !texts[textKeyOf(key)]?.label || !texts[textKeyOf(key)]?.help)
      expect(incomplete).toEqual([])
    }
  })

  it('shows each option once', () => {
    expect(new Set(index.map(({ key }) => key)).size).toBe(index.length)
  })
})
