import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { api, ApiError } from '@tidegate/contract'
import { authFlows } from '@tidegate/storage'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { type Profile, createProfile } from './provider.ts'

const MAX_AGE_MS = 5 * 60_000
/** Allowed clock skew; later times are rejected. */
const MAX_CLOCK_SKEW_MS = 60_000

type Fields = Readonly<Record<string, string>>

/** Verifies data signed by the Telegram widget. It is valid once and for five minutes, so a leaked URL is useless. */
export async function readTelegramProfile(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'now'>,
  { hash = '', ...fields }: Fields,
): Promise<Profile> {
  const { TelegramBotToken } = deps.catalog().settings
  if (!isSigned(TelegramBotToken, fields, hash)) throw new ApiError('telegram_invalid')
  const { id = '', auth_date = '', username = '', first_name = '' } = fields
  const signedAt = new Date(Number(auth_date) * 1000)
  const age = deps.now().getTime() - signedAt.getTime()
  const isFresh = /^\d{1,12}$/.test(auth_date) && age <= MAX_AGE_MS && age >= -MAX_CLOCK_SKEW_MS
  if (!/^\d{1,20}$/.test(id) || !isFresh) throw new ApiError('telegram_invalid')
  if (!(await isFirstUse(deps, hash, signedAt))) throw new ApiError('telegram_invalid')
  const name = username === '' ? first_name : `@${username}`
  return createProfile({ service: 'telegram', subject: id }, { label: name, displayName: first_name })
}

/**
 * Covers all fields except the hash, as documented by Telegram. An empty bot token is rejected: anybody could sign with
 * it.
 */
function isSigned(botToken: string, fields: Fields, hash: string): boolean {
  if (botToken === '' || !/^[0-9a-f]{64}$/.test(hash)) return false
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(botToken).digest()
  const expected = createHmac('sha256', key).update(lines.toSorted().join('\n')).digest()
  return timingSafeEqual(expected, Buffer.from(hash, 'hex'))
}

/** Stored longer than the signature is valid, for all nodes. */
function isFirstUse(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  hash: string,
  signedAt: Date,
): Promise<boolean> {
  return authFlows.insertOnce(db, {
    ticket_hash: vault.keyedHash('auth-flow', `telegram:${hash}`),
    kind: 'service',
    service: 'telegram',
    created_at: now(),
    used_at: now(),
    expires_at: new Date(signedAt.getTime() + MAX_AGE_MS + MAX_CLOCK_SKEW_MS),
  })
}

/**
 * The Telegram widget can send the browser directly to the link endpoint. Such a request names no user, and any page
 * could link to it with another account. So it only redirects to the page for linking.
 */
export function redirectTelegramWidget(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const isVisit = request.headers.accept?.includes('text/html') === true
    if (isVisit && request.routeOptions.url === api.bindTelegram.path) return reply.redirect('/app/me', 302)
  })
}
