import { describe, expect, it } from 'vitest'
import { usernamesFor } from './register-with-oauth.ts'

const namesFor = (...given: Parameters<typeof usernamesFor>) => [...usernamesFor(...given)]

describe('usernames for OAuth accounts', () => {
  it('start with the next five ids, then are random', () => {
    const names = namesFor('github', { highestId: 41 })

    expect(names.slice(0, 5)).toEqual(['github_42', 'github_43', 'github_44', 'github_45', 'github_46'])
    expect(names.slice(5)).toHaveLength(10)
    expect(new Set(names).size).toBe(15)
  })

  it('have at most twelve characters', () => {
    for (const service of ['github', 'linuxdo', 'wechat', 'oidc'] as const) {
      const names = namesFor(service, { highestId: 123_456_789 })

      expect(names.filter((name) => name.length > 12 || !name.startsWith(`${service}_`))).toEqual([])
      expect(names).not.toEqual([])
    }
  })

  it.each([
    ['alice', 'alice'],
    ['  alice smith ', 'alicesmith'],
    ['alice@corp.example', 'alice'],
    ['ali\u0000ce\u202e', 'alice'],
    ['张伟', '张伟'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', '👩👩👧👩👩👧👩👩👧👩👩👧'],
  ])('start with the preferred name: %o becomes %o', (preferred, name) => {
    expect(namesFor('oidc', { preferred, highestId: 1 })[0]).toBe(name)
  })

  it.each(['', '@corp', '\u0000', 'Root', 'SYSTEM', 'wechat_7', 'github_x@corp'])(
    'skip the reserved name %o',
    (preferred) => {
      expect(namesFor('oidc', { preferred, highestId: 1 })[0]).toBe('oidc_2')
    },
  )
})
