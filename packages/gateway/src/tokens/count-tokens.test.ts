import { describe, expect, it } from 'vitest'
import { countTokens } from './count-tokens.ts'

describe('countTokens', () => {
  it('uses the vocabulary of the model', async () => {
    expect(await countTokens('gpt-4o', ['hello world'])).toBe(2)
    expect(await countTokens('gpt-4o', ['hello', ' world'])).toBe(2)
    expect(await countTokens('gpt-4', ['你好，世界'])).toBeGreaterThan(await countTokens('gpt-4o', ['你好，世界']))
    expect(await countTokens('gpt-4o', [])).toBe(0)
  })

  it('counts special tokens as plain text', async () => {
    expect(await countTokens('gpt-4o', ['<|endoftext|>'])).toBeGreaterThan(1)
  })

  it('counts long runs without spaces', async () => {
    const runs = await countTokens('gpt-4o', ['a'.repeat(200_000), '🌊'.repeat(20_000), ' '.repeat(100_000)])

    expect(runs).toBeGreaterThan(20_000)
  })

  it('extrapolates from the beginning of a very long text', async () => {
    const sentence = 'The tide comes in and the gate lets it through. '
    const part = await countTokens('gpt-4o', [sentence.repeat(1000)])

    const whole = await countTokens('gpt-4o', [sentence.repeat(60_000)])

    expect(whole / part).toBeGreaterThan(59.5)
    expect(whole / part).toBeLessThan(60.5)
  })
})
