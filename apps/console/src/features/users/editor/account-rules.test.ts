import { describe, expect, it } from 'vitest'
import { displayNameProblem, newPasswordProblem, passwordProblem, usernameProblem } from './account-rules.ts'

describe('the fields of an account', () => {
  it('want a username of at most twelve signs without @, however many bytes they are', () => {
    expect(usernameProblem('  ')).toBe('usernameBlank')
    expect(usernameProblem('灯塔看守人的十二个字符🌊')).toBeNull()
    expect(usernameProblem('灯塔看守人的十二个字符🌊多')).toBe('usernameLong')
    expect(usernameProblem('a@b')).toBe('usernameSigns')
  })

  it('want a display name of at most twenty signs, or none', () => {
    expect(displayNameProblem('')).toBeNull()
    expect(displayNameProblem('x'.repeat(20))).toBeNull()
    expect(displayNameProblem('x'.repeat(21))).toBe('displayNameLong')
  })

  it('want a password of 8 to 128 characters; blank keeps the stored one but makes no new user', () => {
    expect(newPasswordProblem('')).toBe('passwordBlank')
    expect(passwordProblem('')).toBeNull()
    expect(passwordProblem('1234567')).toBe('passwordShort')
    expect(newPasswordProblem('12345678')).toBeNull()
    expect(passwordProblem('x'.repeat(129))).toBe('passwordLong')
  })
})
