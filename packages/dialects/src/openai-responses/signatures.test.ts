import { describe, expect, it } from 'vitest'
import type { Signature } from '../canonical/index.ts'
import { isOurSeal, readSeal, writeCallSeal, writeThoughtSeal } from './signatures.ts'

const gemini: Signature = { dialect: 'gemini-generate', value: 'sig==' }
const own: Signature = { dialect: 'openai-responses', value: 'gAAAA', id: 'rs_1' }

describe('seals', () => {
  it("leave a vendor's own seal as it is on an item of its id", () => {
    const sealed = writeThoughtSeal(own, { itemId: 'rs_1' })!

    expect(sealed).toBe('gAAAA')
    expect(isOurSeal(sealed)).toBe(false)
    expect(readSeal(sealed)).toEqual({ of: 'thought', signature: { dialect: 'openai-responses', value: 'gAAAA' } })
  })

  it('carry the true id of an own seal that stands on an item of another id', () => {
    const sealed = writeThoughtSeal(own, { itemId: 'rs_other' })!

    expect(readSeal(sealed)).toEqual({ of: 'thought', signature: own })
  })

  it("keep another dialect's signature, and whether the words were withheld", () => {
    const shown = writeThoughtSeal(gemini, { itemId: 'rs_1' })!
    const withheld = writeThoughtSeal(gemini, { itemId: 'rs_1', redacted: true })!

    expect(readSeal(shown)).toEqual({ of: 'thought', signature: gemini })
    expect(readSeal(withheld)).toEqual({ of: 'thought', signature: gemini, redacted: true })
    expect([shown, withheld].every(isOurSeal)).toBe(true)
  })

  it.each(['call_1', 'a.tg1.b', '潮', ''])('name the call they sign: %j', (callId) => {
    const sealed = writeCallSeal(callId, gemini)

    expect(readSeal(sealed)).toEqual({ of: 'call', callId, signature: gemini })
  })

  it('are none where there is nothing to hand back', () => {
    expect(writeThoughtSeal(undefined, { itemId: 'rs_1' })).toBeUndefined()
    expect(writeThoughtSeal({ dialect: 'openai-responses', value: '' }, { itemId: 'rs_1' })).toBeUndefined()
  })

  it('take a text that only looks like ours for a vendor’s own', () => {
    expect(readSeal('tgc1.nothing')).toEqual({
      of: 'thought',
      signature: { dialect: 'openai-responses', value: 'tgc1.nothing' },
    })
  })
})
