import { api, ApiError } from '@tidegate/contract'
import { registrations, type Db } from '@tidegate/storage'

/** Names that could impersonate the site. */
const RESERVED = ['root', 'admin', 'system']
/** Prefixes of usernames generated for OAuth accounts. */
const SERVICE_PREFIXES = ['github_', 'oidc_', 'linuxdo_', 'wechat_', 'telegram_']

/**
 * Validates a username and returns it in NFKC: short, visible, without `@`, since email addresses also log in. Look-
 * alikes are checked separately in the database.
 */
export function checkUsername(input: string): string {
  const name = input.normalize('NFKC').trim()
  const length = [...name].length
  if (length < 1 || length > 12 || /[\p{C}@]/u.test(name)) throw new ApiError('invalid_input', { field: USERNAME_RULE })
  const plain = name.toLowerCase()
  const isReserved = RESERVED.includes(plain) || SERVICE_PREFIXES.some((prefix) => plain.startsWith(prefix))
  if (isReserved) throw new ApiError('username_reserved')
  return name
}

/** Rejects a taken name, and a name that looks like a reserved name or another user's name. */
export async function rejectLookAlike(db: Db, username: string, ownId?: number): Promise<void> {
  if (await looksReserved(db, username)) throw new ApiError('username_reserved')
  if (!(await registrations.hasLookAlike(db, username, ownId))) return
  throw new ApiError((await registrations.isNameUsed(db, username)) ? 'username_taken' : 'username_confusable')
}

export function looksReserved(db: Db, username: string): Promise<boolean> {
  return registrations.looksLikeAny(db, username, { names: RESERVED, prefixes: SERVICE_PREFIXES })
}

/** The account a password is for. */
export interface PasswordOwner {
  username: string
  siteName: string
}

/** Rejects passwords that are too short, too long, common, or close to the name of the user or the site. */
export async function checkPassword(password: string, owner: PasswordOwner): Promise<string> {
  const { min, max } = api.PASSWORD_LENGTH
  const plain = password.normalize('NFKC')
  const length = [...plain].length
  if (length < min || length > max) throw new ApiError('invalid_input', { field: PASSWORD_RULE })
  const folded = plain.toLowerCase()
  if (new Set(folded).size < MIN_CHARACTERS || (await commonPasswords()).has(folded)) {
    throw new ApiError('password_common')
  }
  if ([owner.username, owner.siteName].some((name) => resemblesName(folded, name)))
    throw new ApiError('password_like_name')
  return password
}

/** Distinct characters. */
const MIN_CHARACTERS = 3
/** A name with up to this many extra characters is easy to guess, such as `operator2026`. */
const MAX_REST_LENGTH = 4
const SHORTEST_NAME = 3

function resemblesName(password: string, name: string): boolean {
  const word = alphanumeric(name)
  const rest = alphanumeric(password).replace(word, '')
  return word.length >= SHORTEST_NAME && rest.length <= MAX_REST_LENGTH && rest.length < alphanumeric(password).length
}

/** Letters and digits only. */
function alphanumeric(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

let commonPasswordSet: Promise<ReadonlySet<string>> | undefined

/** Loaded when the first password is set. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswordSet ??= import('./common-passwords.json', { with: { type: 'json' } }).then(
    ({ default: { passwords } }) => new Set(passwords.split(' ')),
  )
  return commonPasswordSet
}

const USERNAME_RULE = {
  zh: '用户名须为 1 到 12 个字符，且不含控制字符和 @',
  en: 'the username has 1 to 12 characters, with no control characters and no @',
}
const PASSWORD_RULE = { zh: '密码须为 8 到 128 个字符', en: 'the password has 8 to 128 characters' }
