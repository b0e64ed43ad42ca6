import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import { attemptWords, reasonWords } from './step-words.ts'

const t = i18n.getFixedT('en', 'request')

describe('an attempt in words', () => {
  it('names the channel, the dialect and the status for those who may know', () => {
    const step = { kind: 'attempt', started: 0, took: 5, served: false } as const

    expect(attemptWords({ ...step, channel: 3, channel_name: 'harbour', dialect: 'openai-chat', status: 429 }, t)).toBe(
      '#3 harbour · openai-chat · HTTP 429',
    )
    expect(attemptWords(step, t)).toBe('')
  })

  it.each([
    ['timeout: ', 'The provider timed out'],
    ['status: Slow down: later', 'The provider returned an error — Slow down: later'],
    ['something else', 'something else'],
  ])('says why it failed: "%s"', (reason, words) => {
    expect(reasonWords(reason, t)).toBe(words)
  })
})
