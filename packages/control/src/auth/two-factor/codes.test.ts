import { TOTP, URI } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { isTotpCode, newTotpSecret, stepOfCode, totpUri } from './codes.ts'

/** Key of the examples in RFC 6238; six digits are the end of its eight. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('a TOTP code', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('follows RFC 6238: at %i seconds it is %s', (seconds, code, step) => {
    expect(stepOfCode(SECRET, code, new Date(seconds * 1000))).toBe(step)
  })

  it('belongs to its time step', () => {
    expect(stepOfCode(SECRET, '287082', new Date(29_000))).toBe(1)
    expect(stepOfCode(SECRET, '287082', new Date(89_000))).toBe(1)
    expect(stepOfCode(SECRET, '287082', new Date(90_000))).toBeUndefined()
  })

  it.each(['', '28708', '2870822', 'abcdef', '28708２'])('is not %j', (code) => {
    expect(stepOfCode(SECRET, code, new Date(59_000))).toBeUndefined()
    expect(isTotpCode(code)).toBe(false)
  })
})

describe('a TOTP secret', () => {
  it('has 160 random bits', () => {
    const [first, second] = [newTotpSecret(), newTotpSecret()]

    expect(first).toMatch(/^[A-Z2-7]{32}$/)
    expect(first).not.toBe(second)
  })

  it('is labelled with site and user in the app', () => {
    const parsed = URI.parse(totpUri(SECRET, { SystemName: '潮: Gate & Co' }, 'Ann/a')) as TOTP

    expect(parsed.issuer).toBe('潮  Gate & Co')
    expect(parsed.label).toBe('Ann/a')
    expect(parsed.secret.base32).toBe(SECRET)
  })
})
