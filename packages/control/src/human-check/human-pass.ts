import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Vault } from '@tidegate/storage'

export const PASS_SECONDS = 600

/**
 * What a browser keeps of a passed check: tokens of the provider work once, and registering takes two calls. It is good
 * for one address and ten minutes, on any node; it names no account and no row.
 */
export function newPass(vault: Vault, clientIp: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + PASS_SECONDS
  const claim = `${expires}.${randomBytes(9).toString('base64url')}`
  return `${claim}.${sign(vault, claim, clientIp)}`
}

export function isPassGood(vault: Vault, pass: string, clientIp: string, now: Date): boolean {
  const [expires = '', nonce = '', signature = ''] = pass.split('.', 3)
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false
  const wanted = Buffer.from(sign(vault, `${expires}.${nonce}`, clientIp))
  const given = Buffer.from(signature)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function sign(vault: Vault, claim: string, clientIp: string): string {
  return vault.keyedHash('human-pass', `${claim}.${clientIp}`)
}
