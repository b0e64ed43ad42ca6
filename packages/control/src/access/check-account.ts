import { Refusal } from '@tidegate/contract'

/** Names that would pass for the site itself. */
const RESERVED = new Set(['root', 'admin', 'system'])
/** Accounts made by a sign-in service are named like this. */
const SERVICE_PREFIX = /^(github|oidc|linuxdo|wechat|telegram)_/i

/** A name people may register: trimmed, short, visible, and never mistaken for an email address, which logs in as well. */
export function checkUsername(given: string): string {
  const name = given.trim()
  const length = [...name].length
  if (length < 1 || length > 12 || /[\p{C}@]/u.test(name)) throw new Refusal('invalid_input', { field: USERNAME_RULE })
  if (RESERVED.has(name.toLowerCase()) || SERVICE_PREFIX.test(name)) throw new Refusal('username_reserved')
  return name
}

export function checkPassword(password: string): string {
  const length = [...password].length
  if (length < 8 || length > 20) throw new Refusal('invalid_input', { field: PASSWORD_RULE })
  return password
}

const USERNAME_RULE = {
  zh: '用户名须为 1 到 12 个字符，且不含控制字符和 @',
  en: 'the username has 1 to 12 characters, with no control characters and no @',
}
const PASSWORD_RULE = { zh: '密码须为 8 到 20 个字符', en: 'the password has 8 to 20 characters' }
