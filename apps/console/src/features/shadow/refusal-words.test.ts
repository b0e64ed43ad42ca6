import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import { shadow as zh } from '../../locales/zh/admin.json'
import { startTestLanguage } from '../../../test/language.ts'
import { REFUSALS, refusalWords } from './refusal-words.ts'

const words = (code: string) => refusalWords(code, i18n.getFixedT(null, 'shadow'))

describe('why a call would be refused', () => {
  it('is said in words, in the language of the reader', async () => {
    expect(words('no_channel')).toBe('没有可用渠道')

    await startTestLanguage('en')

    expect(words('insufficient_user_quota')).toBe("The user's balance is too low")
  })

  it('is the code itself where there are no words for it', () => {
    expect(words('tide_too_low')).toBe('tide_too_low')
  })

  it('has words for every code that is known here, and no others', () => {
    expect(Object.keys(zh.refusals)).toEqual([...REFUSALS])
    for (const code of REFUSALS) expect(words(code)).not.toBe(code)
  })
})
