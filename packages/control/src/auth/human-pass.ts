import { randomBytes } from 'node:crypto'
import type { Vault } from '@tidegate/storage'

export const PASS_SECONDS = 600

/**
 * What a browser keeps of a passed check: tokens of the provider work once, and registering takes two calls. It is good
 * for one address and ten minutes, on any node; it names no account and no row.
 */
export function newPass(vault: Vault, clientIp: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + PASS_SECONDS
  const claim = `${expires}.${randomBytes(9).toString('base64url')}`
  return `${claim}.${vault.keyedHash('human-pass', `${claim}.${clientIp}`)}`
}

export function isPassGood(vault: Vault, pass: string, clientIp: string, now: Date): boolean {
  const [expires = '', nonce = '', ...signature] = pass.split('.')
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false
  return vault.matches('human-pass', `${expires}.${nonce}.${clientIp}`, signature.join('.'))
}
