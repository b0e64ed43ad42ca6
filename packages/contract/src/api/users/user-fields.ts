import { z } from 'zod'
import { text, withoutZeros } from '../../values.ts'

/** Fields of an account that people fill in, wherever they do. Limits count characters, not bytes. */

/** Trimmed as login trims it, and never taken for an email address, which login accepts as well. */
export const Username = z
  .string()
  .trim()
  .refine((name) => name !== '' && [...name].length <= 12 && !/[\p{Cc}@]/u.test(name), '1 to 12 characters, no @')

export const DisplayName = z
  .string()
  .transform((name) => withoutZeros(name).trim())
  .pipe(text({ max: 20 }))

export const PASSWORD_LENGTH = { min: 8, max: 128 } as const

export const NewPassword = text(PASSWORD_LENGTH)

/** Where a form leaves a field blank to keep what is stored. */
export const UsernameOrBlank = Username.or(z.string().trim().length(0))
export const NewPasswordOrBlank = NewPassword.or(z.literal(''))
