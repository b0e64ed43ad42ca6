import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openVault } from './vault.ts'
import type { WrappedKey } from './key-ring.ts'

const rootKey = randomBytes(32)

/** The rows of a ring after one rotation. */
function rotatedKeys(root = rootKey): WrappedKey[] {
  const { ring } = openVault(root)
  return [ring.wrapAs(ring.wrapFirst(), 'old'), ring.wrapAs(ring.wrapNew(2), 'active')]
}

function vaultWith(rows: readonly WrappedKey[], ...roots: [Uint8Array, Uint8Array?]) {
  const vault = openVault(...roots)
  vault.ring.load({ version: 1, keys: rows })
  return vault
}

describe('a key ring', () => {
  it('seals with the active key and opens with any key', () => {
    const before = openVault(rootKey).seal('option', 'SMTPToken', 'secret')
    const vault = vaultWith(rotatedKeys(), rootKey)
    const after = vault.seal('option', 'SMTPToken', 'secret')

    expect(after).toMatch(/^v2\./)
    expect([before, after].map((sealed) => vault.open('option', 'SMTPToken', sealed))).toEqual(['secret', 'secret'])
    expect(() => openVault(rootKey).open('option', 'SMTPToken', after)).toThrow('key 2')
  })

  it('opens with a prepared key before it seals with it', () => {
    const [first, second] = rotatedKeys()
    const sealed = vaultWith([first!, second!], rootKey).seal('option', 'key', 'secret')
    const { ring } = openVault(rootKey)
    const prepared = [ring.wrapAs(first!, 'active'), ring.wrapAs(second!, 'prepared')]
    const vault = vaultWith(prepared, rootKey)

    expect(vault.open('option', 'key', sealed)).toBe('secret')
    expect(vault.seal('option', 'key', 'secret')).toMatch(/^v1\./)
  })

  it('hashes tokens with the first key forever, and signs with the active key', () => {
    const [before, after] = [openVault(rootKey), vaultWith(rotatedKeys(), rootKey)]

    expect(after.keyedHash('token-hash', 'sk-1')).toBe(before.keyedHash('token-hash', 'sk-1'))
    expect(after.keyedHash('device', 'claim')).toMatch(/^v2\.[0-9a-f]{64}$/)
    expect(after.keyedHashes('redemption-code', 'code')).toEqual([
      after.keyedHash('redemption-code', 'code'),
      before.keyedHash('redemption-code', 'code'),
    ])
    expect(after.matches('device', 'claim', before.keyedHash('device', 'claim'))).toBe(true)
    expect(after.matches('device', 'other', before.keyedHash('device', 'claim'))).toBe(false)
    expect(before.matches('device', 'claim', after.keyedHash('device', 'claim'))).toBe(false)
  })

  it('keeps only the hash keys for past records of a retired key', () => {
    const before = openVault(rootKey)
    const [first, second] = rotatedKeys()
    const vault = vaultWith([before.ring.wrapAs(first!, 'retired'), second!], rootKey)

    expect(() => vault.open('option', 'key', before.seal('option', 'key', 'secret'))).toThrow('key 1')
    expect(vault.matches('device', 'claim', before.keyedHash('device', 'claim'))).toBe(false)
    expect(vault.keyedHashes('redemption-code', 'code')).toHaveLength(1)
    expect(vault.matches('ledger-seal', 'seal', before.keyedHash('ledger-seal', 'seal'))).toBe(true)
    expect(vault.keyedHash('token-hash', 'sk-1')).toBe(before.keyedHash('token-hash', 'sk-1'))
  })

  it('does not open with another root key, and gives advice', () => {
    const vault = openVault(randomBytes(32))

    expect(() => vault.ring.load({ version: 1, keys: rotatedKeys() })).toThrow('TIDEGATE_SECRET_PREVIOUS')
  })

  it('opens with the previous root key, and without it after rewrapping', () => {
    const newRoot = randomBytes(32)
    const sealed = vaultWith(rotatedKeys(), rootKey).seal('option', 'key', 'secret')
    const both = vaultWith(rotatedKeys(), newRoot, rootKey)
    const rows = rotatedKeys()
    both.ring.load({ version: 1, keys: rows })
    const value = both.seal('option', 'key', 'secret')
    const rewrapped = rows.map((row) => both.ring.wrapAs(row, row.state))

    expect(vaultWith(rewrapped, newRoot).open('option', 'key', value)).toBe('secret')
    expect(() => openVault(rootKey).ring.load({ version: 1, keys: rewrapped })).toThrow('does not open')
    expect(sealed).not.toBe(value)
  })

  it('uses the previous root key as the first key of a site that was never rotated', () => {
    const newRoot = randomBytes(32)
    const sealed = openVault(rootKey).seal('option', 'key', 'secret')

    expect(openVault(newRoot, rootKey).open('option', 'key', sealed)).toBe('secret')
  })

  it('keeps its keys when an older read finishes later', () => {
    const vault = openVault(rootKey)
    vault.ring.load({ version: 2, keys: rotatedKeys() })

    vault.ring.load({ version: 1, keys: [vault.ring.wrapFirst()] })

    expect(vault.ring.activeId()).toBe(2)
  })

  it('rejects an old key that was made active in the database', () => {
    const rows = rotatedKeys()
    const swapped = [
      { ...rows[0]!, state: 'active' as const },
      { ...rows[1]!, state: 'old' as const },
    ]

    expect(() => openVault(rootKey).ring.load({ version: 1, keys: swapped })).toThrow('does not open')
    expect(() => openVault(rootKey).ring.load({ version: 1, keys: [{ ...rows[1]!, id: 3 }] })).toThrow('does not open')
  })
})
