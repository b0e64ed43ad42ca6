import { describe, expect, it } from 'vitest'
import { createSecretDecryptor, createSecretEncryptor } from './secrets.ts'

const PASSPHRASE = 'low tide at noon'

describe('an encrypted secret', () => {
  it('is decrypted with its passphrase in any Unicode form', async () => {
    const encrypt = await createSecretEncryptor('mar\u00e9e basse')

    expect(await createSecretDecryptor('mare\u0301e basse')('option a', encrypt('option a', 'hunter2 – 潮'))).toBe(
      'hunter2 – 潮',
    )
  })

  it('differs each time and does not contain the plain text', async () => {
    const encrypt = await createSecretEncryptor(PASSPHRASE)
    const [one, other] = [encrypt('option a', 'hunter2'), encrypt('option a', 'hunter2')]

    expect(one).not.toBe(other)
    expect(one).toMatch(/^sealed:v1:[\w-]+$/)
  })

  it('cannot be decrypted with another passphrase, in another context, or changed', async () => {
    const encrypted = (await createSecretEncryptor(PASSPHRASE))('option a', 'hunter2')
    const decrypt = createSecretDecryptor(PASSPHRASE)
    const touched = encrypted.slice(0, -3) + (encrypted.endsWith('AAA') ? 'BBB' : 'AAA')

    await expect(createSecretDecryptor('high tide at noon')('option a', encrypted)).rejects.toThrow()
    await expect(decrypt('option b', encrypted)).rejects.toThrow()
    await expect(decrypt('option a', touched)).rejects.toThrow()
    await expect(decrypt('option a', encrypted.slice(0, 30))).rejects.toThrow('truncated')
    await expect(decrypt('option a', encrypted.replace('v1', 'v2'))).rejects.toThrow('unknown format')
    expect(await decrypt('option a', encrypted)).toBe('hunter2')
  })

  it('limits key derivations per file', async () => {
    const decrypt = createSecretDecryptor(PASSPHRASE)
    const made = Array.from({ length: 9 }, (_, index) => `sealed:v1:${Buffer.alloc(60, index).toString('base64url')}`)

    const responses = await Promise.allSettled(made.map((encrypted) => decrypt('option a', encrypted)))

    expect(String((responses.at(-1) as PromiseRejectedResult).reason)).toContain('too many salts')
  })
})
