import { PASSWORD_LENGTH } from '@tidegate/contract/api'

/** The limits of an account's fields, in signs as people count them and as the server does. */
const USERNAME_MAXIMUM = 12
const DISPLAY_NAME_MAXIMUM = 20

export type FieldProblem =
  | 'usernameBlank'
  | 'usernameLong'
  | 'usernameSigns'
  | 'displayNameLong'
  | 'passwordBlank'
  | 'passwordShort'
  | 'passwordLong'

export function usernameProblem(username: string): FieldProblem | null {
  const name = username.trim()
  if (name === '') return 'usernameBlank'
  if (lengthOf(name) > USERNAME_MAXIMUM) return 'usernameLong'
  return name.includes('@') ? 'usernameSigns' : null
}

export function displayNameProblem(name: string): FieldProblem | null {
  return lengthOf(name.trim()) > DISPLAY_NAME_MAXIMUM ? 'displayNameLong' : null
}

export function newPasswordProblem(password: string): FieldProblem | null {
  return password === '' ? 'passwordBlank' : passwordProblem(password)
}

/** Where blank keeps the stored one. */
export function passwordProblem(password: string): FieldProblem | null {
  if (password === '') return null
  if (lengthOf(password) < PASSWORD_LENGTH.min) return 'passwordShort'
  return lengthOf(password) > PASSWORD_LENGTH.max ? 'passwordLong' : null
}

const lengthOf = (text: string) => [...text].length
