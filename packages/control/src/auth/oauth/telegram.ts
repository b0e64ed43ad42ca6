import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { api, ApiError } from '@tidegate/contract'
import { authFlows } from '@tidegate/storage'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { type Profile, createProfile } from './provider.ts'

const MAX_AGE_MS = 5 * 60_000
/** Clocks differ; a time further ahead than this was made up. */
const MAX_CLOCK_SKEW_MS = 60_000

type Fields = Readonly<Record<string, string>>

/** Checks what the Telegram widget signed. It counts once and for five minutes: whoever sees the address later has nothing. */
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

/** Every field but the hash counts, as Telegram documents it. Anybody can sign with an empty token. */
function isSigned(botToken: string, fields: Fields, hash: string): boolean {
  if (botToken === '' || !/^[0-9a-f]{64}$/.test(hash)) return false
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(botToken).digest()
  const expected = createHmac('sha256', key).update(lines.toSorted().join('\n')).digest()
  return timingSafeEqual(expected, Buffer.from(hash, 'hex'))
}

/** Kept for longer than the signature is fresh, on any node. */
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
 * The Telegram widget can be told to send the browser itself to the address that binds. Such a visit names no user, and a
 * link on any page would do the same with somebody else's account in it: it only leads to where binding is done.
 */
export function redirectTelegramWidget(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const isVisit = request.headers.accept?.includes('text/html') === true
    if (isVisit && request.routeOptions.url === api.bindTelegram.path) return reply.redirect('/app/me', 302)
  })
}
