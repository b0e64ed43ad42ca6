import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { VaultError } from './aead.ts'
import { openVault, cacheHashes } from './vault.ts'

const rootKey = randomBytes(32)
const vault = openVault(rootKey)

describe('a vault', () => {
  it('opens what it sealed, whatever the text', () => {
    for (const plain of ['', 'sk-secret', '密钥\n🔑', 'x'.repeat(100_000)]) {
      expect(vault.open('channel-key', 'channel:1', vault.seal('channel-key', 'channel:1', plain))).toBe(plain)
    }
  })

  it('opens what another vault with the same root key sealed', () => {
    const sealed = openVault(rootKey).seal('option', 'SMTPToken', 'mail-secret')

    expect(vault.open('option', 'SMTPToken', sealed)).toBe('mail-secret')
  })

  it('seals equal texts to different values', () => {
    expect(vault.seal('option', 'key', 'secret')).not.toBe(vault.seal('option', 'key', 'secret'))
  })

  it('prefixes a sealed value with its key version and hides the text', () => {
    const sealed = vault.seal('option', 'key', 'plain-secret')

    expect(sealed).toMatch(/^v1\.[\w-]+$/)
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('plain-secret')
  })

  it('rejects another row, another purpose and another root key', () => {
    const sealed = vault.seal('channel-key', 'channel:1', 'secret')

    expect(() => vault.open('channel-key', 'channel:2', sealed)).toThrow(VaultError)
    expect(() => vault.open('token-key', 'channel:1', sealed)).toThrow(VaultError)
    expect(() => openVault(randomBytes(32)).open('channel-key', 'channel:1', sealed)).toThrow(VaultError)
  })

  it('rejects a value that was changed, truncated, or sealed with an unknown version', () => {
    const sealed = vault.seal('option', 'key', 'secret')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    bytes[bytes.length - 20]! ^= 1

    expect(() => vault.open('option', 'key', `v1.${bytes.toString('base64url')}`)).toThrow(VaultError)
    expect(() => vault.open('option', 'key', 'v1.AAAA')).toThrow('does not open')
    expect(() => vault.open('option', 'key', sealed.replace('v1.', 'v2.'))).toThrow('not in the key ring')
    expect(() => vault.open('option', 'key', sealed.slice(3))).toThrow('format')
    expect(() => vault.open('option', 'key', '')).toThrow(VaultError)
  })

  it('hashes a text to the same hex only for the same purpose', () => {
    const hash = vault.keyedHash('token-hash', 'sk-1')

    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(openVault(rootKey).keyedHash('token-hash', 'sk-1')).toBe(hash)
    expect(vault.keyedHash('session', 'sk-1')).not.toBe(hash)
    expect(vault.keyedHash('token-hash', 'sk-2')).not.toBe(hash)
    expect(openVault(randomBytes(32)).keyedHash('token-hash', 'sk-1')).not.toBe(hash)
  })

  it('requires a root key of 32 bytes', () => {
    expect(() => openVault(randomBytes(16))).toThrow('32 bytes')
  })
})

it('computes each hash once, and evicts the least recently used', () => {
  const compute = vi.fn((secret: string) => secret.toUpperCase())
  const hashOf = cacheHashes(compute, 2)

  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(hashOf)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(compute.mock.calls.flat()).toEqual(['a', 'b', 'c', 'b'])
})

it('does not cache secrets that are too long to be a key', () => {
  const compute = vi.fn((secret: string) => String(secret.length))
  const hashOf = cacheHashes(compute)

  expect([hashOf('x'.repeat(300)), hashOf('x'.repeat(300))]).toEqual(['300', '300'])
  expect(compute).toHaveBeenCalledTimes(2)
})
