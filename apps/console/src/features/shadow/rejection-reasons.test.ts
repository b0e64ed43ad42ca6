import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import { shadow as zh } from '../../locales/zh/shadow.json'
import { startTestLanguage } from '../../../test/language.ts'
import { REJECTION_CODES, rejectionText } from './rejection-reasons.ts'

const text = (code: string) => rejectionText(code, i18n.getFixedT(null, 'shadow'))

describe('the reason of a rejection', () => {
  it('is translated', async () => {
    expect(text('no_channel')).toBe('没有可用渠道')

    await startTestLanguage('en')

    expect(text('insufficient_user_quota')).toBe("The user's balance is too low")
  })

  it('is the code if it has no translation', () => {
    expect(text('tide_too_low')).toBe('tide_too_low')
  })

  it('has a text for every known code and no others', () => {
    expect(Object.keys(zh.refusals)).toEqual([...REJECTION_CODES])
    for (const code of REJECTION_CODES) expect(text(code)).not.toBe(code)
  })
})
