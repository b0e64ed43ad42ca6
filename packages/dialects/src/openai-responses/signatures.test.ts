import { describe, expect, it } from 'vitest'
import type { Signature } from '../canonical/index.ts'
import { isGatewaySignature, decodeSignature, encodeCallSignature, encodeThoughtSignature } from './signatures.ts'

const gemini: Signature = { dialect: 'gemini-generate', value: 'sig==' }
const own: Signature = { dialect: 'openai-responses', value: 'gAAAA', id: 'rs_1' }

describe('signatures', () => {
  it('stay unchanged on an item with their own id', () => {
    const encoded = encodeThoughtSignature(own, { itemId: 'rs_1' })!

    expect(encoded).toBe('gAAAA')
    expect(isGatewaySignature(encoded)).toBe(false)
    expect(decodeSignature(encoded)).toEqual({
      kind: 'thought',
      signature: { dialect: 'openai-responses', value: 'gAAAA' },
    })
  })

  it('carry the original id if the item has another id', () => {
    const encoded = encodeThoughtSignature(own, { itemId: 'rs_other' })!

    expect(decodeSignature(encoded)).toEqual({ kind: 'thought', signature: own })
  })

  it('keep the signature of another protocol and whether the reasoning is redacted', () => {
    const visible = encodeThoughtSignature(gemini, { itemId: 'rs_1' })!
    const redacted = encodeThoughtSignature(gemini, { itemId: 'rs_1', redacted: true })!

    expect(decodeSignature(visible)).toEqual({ kind: 'thought', signature: gemini })
    expect(decodeSignature(redacted)).toEqual({ kind: 'thought', signature: gemini, redacted: true })
    expect([visible, redacted].every(isGatewaySignature)).toBe(true)
  })

  it.each(['call_1', 'a.tg1.b', '潮', ''])('name the call they sign: %j', (callId) => {
    const encoded = encodeCallSignature(callId, gemini)

    expect(decodeSignature(encoded)).toEqual({ kind: 'call', callId, signature: gemini })
  })

  it('are missing if there is nothing to send back', () => {
    expect(encodeThoughtSignature(undefined, { itemId: 'rs_1' })).toBeUndefined()
    expect(encodeThoughtSignature({ dialect: 'openai-responses', value: '' }, { itemId: 'rs_1' })).toBeUndefined()
  })

  it('treat a value that only looks wrapped as a provider value', () => {
    expect(decodeSignature('tgc1.nothing')).toEqual({
      kind: 'thought',
      signature: { dialect: 'openai-responses', value: 'tgc1.nothing' },
    })
  })
})
