import { describe, expect, it } from 'vitest'
import { ERRORS, errorMessage, preferredLanguage, ApiError, type ErrorCode, type ErrorRow } from './errors.ts'

const rows = Object.entries(ERRORS) as [ErrorCode, ErrorRow][]

describe('every error', () => {
  const failing = (holds: (row: ErrorRow, code: ErrorCode) => boolean) =>
    rows.filter(([code, row]) => !holds(row, code)).map(([code]) => code)

  it('has a code in snake case and an error status, or 200', () => {
    expect(failing((_row, code) => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code))).toEqual([])
    expect(failing(({ status }) => status === 200 || (status >= 400 && status < 600))).toEqual([])
  })

  it('has the same placeholders in both languages', () => {
    expect(failing(({ zh, en }) => placeholders(zh).join() === placeholders(en).join())).toEqual([])
  })

  it('has a Chinese and an English message', () => {
    const hasHan = (text: string) => /\p{Script=Han}/u.test(text)
    expect(failing(({ zh, en }) => hasHan(zh) && !hasHan(en))).toEqual([])
  })
})

describe('errorMessage', () => {
  it('fills the placeholders in the given language', () => {
    const details = { seconds: 7 }

    expect(errorMessage('rate_limited', 'en', details)).toBe('Too many requests. Try again in 7 s.')
    expect(errorMessage('rate_limited', 'zh', details)).toBe('请求过于频繁，请 7 秒后再试')
  })

  it('inserts details literally, also replacement patterns and placeholders', () => {
    expect(errorMessage('option_unknown', 'en', { key: '$& {key}' })).toBe('There is no option named $& {key}.')
  })

  it('inserts localized details in the given language', () => {
    const details = { reason: { zh: '超时', en: 'timed out' } }

    expect(errorMessage('balance_failed', 'zh', details)).toBe('查询余额失败：超时')
    expect(errorMessage('balance_failed', 'en', details)).toContain('timed out')
  })

  it('keeps a placeholder without a detail', () => {
    expect(errorMessage('option_unknown', 'en')).toContain('{key}')
  })
})

describe('ApiError', () => {
  it('has its code, status, details and retry time', () => {
    const error = new ApiError('login_delayed', { seconds: 4 }, { retryAfterSeconds: 4 })

    expect(error).toMatchObject({ code: 'login_delayed', status: 429, details: { seconds: 4 }, retryAfterSeconds: 4 })
    expect(error.message).toContain('4 s')
  })
})

describe('preferredLanguage', () => {
  it.each([
    [undefined, 'zh'],
    ['', 'zh'],
    ['*', 'zh'],
    ['fr-FR, *;q=0.5', 'zh'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['en-GB;q=0.7, fr;q=0.9', 'en'],
    ['en;q=0.1, zh;q=0.9', 'zh'],
    ['zh;q=0.1, en;q=0.9', 'en'],
    ['en;q=0', 'zh'],
    ['english', 'zh'],
    [';;,,q=', 'zh'],
  ] as const)('selects for the header %j the language %s', (header, language) => {
    expect(preferredLanguage(header, 'zh')).toBe(language)
  })

  it('falls back to the language of the site', () => {
    expect(preferredLanguage(undefined, 'en')).toBe('en')
    expect(preferredLanguage('fr', 'en')).toBe('en')
    expect(preferredLanguage('zh-CN', 'en')).toBe('zh')
  })

  it('prefers the first of two languages with equal weight', () => {
    expect(preferredLanguage('en, zh', 'zh')).toBe('en')
    expect(preferredLanguage('zh, en', 'en')).toBe('zh')
  })
})

function placeholders(sentence: string): string[] {
  return [...sentence.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).toSorted()
}
