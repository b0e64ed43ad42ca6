import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { setOwnCookie } from '../../http/cookies.ts'

export const DEVICE_COOKIE = 'tidegate_device'
const DEVICE_SECONDS = 365 * 24 * 60 * 60
/** Accounts that one browser is known for, the latest first. */
const MOST_ACCOUNTS = 5

/** A browser that has logged in to an account before. It has wrong guesses of its own to answer for, and opens nothing. */
export interface KnownDevice {
  readonly userId: number
  /** Names the cookie, in keys of limits. */
  readonly nonce: string
  /** The entry as it stands in the cookie. */
  readonly text: string
}

/** The accounts that a device cookie is signed for. */
export function knownDevices(
  { vault, now }: Pick<Deps, 'vault' | 'now'>,
  { deviceCookie = '' }: Pick<Origin, 'deviceCookie'>,
): KnownDevice[] {
  const seconds = now().getTime() / 1000
  return deviceCookie
    .split('~')
    .slice(0, MOST_ACCOUNTS)
    .flatMap((text) => {
      const [userId = '', expires = '', nonce = '', ...signature] = text.split('.')
      const isSigned = vault.matches('device', `${userId}.${expires}.${nonce}`, signature.join('.'))
      return isSigned && Number(expires) > seconds ? [{ userId: Number(userId), nonce, text }] : []
    })
}

/** Makes this browser a known one of the account, beside those it is known for already. */
export function giveDeviceCookie(
  deps: Pick<Deps, 'vault' | 'now'>,
  userId: number,
  { origin, reply }: { origin: Origin; reply: FastifyReply },
): void {
  const expires = Math.floor(deps.now().getTime() / 1000) + DEVICE_SECONDS
  const claim = `${userId}.${expires}.${randomBytes(12).toString('base64url')}`
  const others = knownDevices(deps, origin).filter((device) => device.userId !== userId)
  const entries = [`${claim}.${deps.vault.keyedHash('device', claim)}`, ...others.map(({ text }) => text)]
  const value = entries.slice(0, MOST_ACCOUNTS).join('~')
  setOwnCookie(reply, origin, { name: DEVICE_COOKIE, value, maxAge: DEVICE_SECONDS })
}
