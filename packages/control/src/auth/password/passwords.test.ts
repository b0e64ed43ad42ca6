import { expect, it } from 'vitest'
import { hashPassword, isBcryptHash, passwordMatches } from './passwords.ts'

/** Of `correct horse 42`, as products written in Go leave it. */
const BCRYPT = '$2a$10$axyhcIg./AoHFHnjURRMIe0gzE9tTjhvf5bPPMdQDvHnZ5lD9x80u'

it('knows the password behind either kind of hash, and no other', async () => {
  const own = await hashPassword('correct horse 42')

  expect(isBcryptHash(own)).toBe(false)
  for (const stored of [own, BCRYPT]) {
    expect(await passwordMatches(stored, 'correct horse 42')).toBe(true)
    expect(await passwordMatches(stored, 'correct horse 43')).toBe(false)
  }
})

it('matches nothing where there is no hash or a damaged one', async () => {
  for (const stored of [undefined, null, '', '$2a$10$cut-short']) {
    expect(await passwordMatches(stored, 'nobody has this password')).toBe(false)
  }
})
