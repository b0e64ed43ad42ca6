import { expect, it } from 'vitest'
import { hashPassword, isBcryptHash, passwordMatches } from './passwords.ts'

/** Hash of `correct horse 42`, as written by products in Go. */
const BCRYPT = '$2a$10$axyhcIg./AoHFHnjURRMIe0gzE9tTjhvf5bPPMdQDvHnZ5lD9x80u'

it('verifies passwords of both hash types', async () => {
  const own = await hashPassword('correct horse 42')

  expect(isBcryptHash(own)).toBe(false)
  for (const stored of [own, BCRYPT]) {
    expect(await passwordMatches(stored, 'correct horse 42')).toBe(true)
    expect(await passwordMatches(stored, 'correct horse 43')).toBe(false)
  }
})

it('matches nothing without a hash or with a damaged one', async () => {
  for (const stored of [undefined, null, '', '$2a$10$cut-short']) {
    expect(await passwordMatches(stored, 'nobody has this password')).toBe(false)
  }
})
