import { describe, expect, it } from 'vitest'
import { createOpener, createSealer } from './secrets.ts'

const PASSPHRASE = 'low tide at noon'

describe('a sealed secret', () => {
  it('opens with its passphrase in any Unicode form', async () => {
    const seal = await createSealer('mar\u00e9e basse')

    expect(await createOpener('mare\u0301e basse')('option a', seal('option a', 'hunter2 – 潮'))).toBe('hunter2 – 潮')
  })

  it('differs each time and does not contain the plain text', async () => {
    const seal = await createSealer(PASSPHRASE)
    const [one, other] = [seal('option a', 'hunter2'), seal('option a', 'hunter2')]

    expect(one).not.toBe(other)
    expect(one).toMatch(/^sealed:v1:[\w-]+$/)
  })

  it('does not open with another passphrase, at another place, or changed', async () => {
    const sealed = (await createSealer(PASSPHRASE))('option a', 'hunter2')
    const open = createOpener(PASSPHRASE)
    const touched = sealed.slice(0, -3) + (sealed.endsWith('AAA') ? 'BBB' : 'AAA')

    await expect(createOpener('high tide at noon')('option a', sealed)).rejects.toThrow()
    await expect(open('option b', sealed)).rejects.toThrow()
    await expect(open('option a', touched)).rejects.toThrow()
    await expect(open('option a', sealed.slice(0, 30))).rejects.toThrow('truncated')
    await expect(open('option a', sealed.replace('v1', 'v2'))).rejects.toThrow('unknown format')
    expect(await open('option a', sealed)).toBe('hunter2')
  })

  it('limits key derivations per file', async () => {
    const open = createOpener(PASSPHRASE)
    const made = Array.from({ length: 9 }, (_, index) => `sealed:v1:${Buffer.alloc(60, index).toString('base64url')}`)

    const responses = await Promise.allSettled(made.map((sealed) => open('option a', sealed)))

    expect(String((responses.at(-1) as PromiseRejectedResult).reason)).toContain('too many salts')
  })
})
