import { randomBytes } from 'node:crypto'
import { ApiError, logEvent } from '@tidegate/contract'
import type { Vault } from '@tidegate/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { readSiteCookie, setSiteCookie } from '../http/cookies.ts'

const PASS_COOKIE = 'tidegate_human'

interface TurnstileRequest {
  query: { turnstile?: string | undefined }
  origin: Origin
  request: FastifyRequest
  reply: FastifyReply
}

interface TurnstileOptions {
  /** False when every request needs its own token: passes are neither accepted nor issued. */
  remember?: boolean
}

/**
 * Requires a Turnstile token while the site enables the check. `actions` are the widget names accepted for this
 * endpoint.
 */
export async function checkTurnstile(
  deps: Pick<Deps, 'catalog' | 'site' | 'log' | 'vault' | 'now'>,
  { query, origin, request, reply }: TurnstileRequest,
  actions: readonly string[],
  { remember = true }: TurnstileOptions = {},
): Promise<void> {
  const { vault, now } = deps
  if (!deps.catalog().settings.TurnstileCheckEnabled) return
  const { clientIp } = origin
  const pass = readSiteCookie(request.cookies, origin, PASS_COOKIE)
  if (remember && pass !== undefined && isPassValid(vault, pass, clientIp, now())) return
  if (query.turnstile === undefined) throw new ApiError('turnstile_empty')
  await verifyToken(deps, { token: query.turnstile, clientIp, actions })
  if (!remember) return
  setSiteCookie(reply, origin, { name: PASS_COOKIE, value: createPass(vault, clientIp, now()), maxAge: PASS_SECONDS })
}

const TIMEOUT_MS = 5_000

/** The checked fields of the verify response. */
const VerifyResponse = z.object({
  success: z.boolean(),
  hostname: z.string().default(''),
  action: z.string().default(''),
})

interface TurnstileToken {
  token: string
  clientIp: string
  /** Accepted widget actions. */
  actions: readonly string[]
}

/** Verifies a token. If the provider is unreachable the request is rejected: the check must not fail open. */
async function verifyToken(
  { catalog, site, log }: Pick<Deps, 'catalog' | 'site' | 'log'>,
  { token, clientIp, actions }: TurnstileToken,
): Promise<void> {
  const { TurnstileSecretKey: secret, ServerAddress } = catalog().settings
  const response = await postVerify(site.turnstileVerifyUrl, { secret, response: token, remoteip: clientIp }).catch(
    (error: unknown) => {
      logEvent(log, 'turnstile.unavailable', { err: error })
      throw new ApiError('turnstile_unavailable', {}, { cause: error })
    },
  )
  // Widgets without an action and sites without an address skip these checks.
  const isOurs = ServerAddress === '' || response.hostname === new URL(ServerAddress).hostname
  const isForThis = response.action === '' || actions.includes(response.action)
  if (!response.success || !isOurs || !isForThis) throw new ApiError('turnstile_failed')
}

async function postVerify(url: string, form: Record<string, string>): Promise<z.output<typeof VerifyResponse>> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status >= 500) throw new Error(`the provider returned HTTP ${response.status}`)
  return VerifyResponse.parse(await response.json())
}

const PASS_SECONDS = 600

/**
 * A signed cookie value for a passed check: tokens work once, but registering takes two requests. It is valid for one
 * address and ten minutes, on any node.
 */
function createPass(vault: Vault, clientIp: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + PASS_SECONDS
  const claim = `${expires}.${randomBytes(9).toString('base64url')}`
  return `${claim}.${vault.keyedHash('human-pass', `${claim}.${clientIp}`)}`
}

function isPassValid(vault: Vault, pass: string, clientIp: string, now: Date): boolean {
  const [expires = '', nonce = '', ...signature] = pass.split('.')
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false
  return vault.matches('human-pass', `${expires}.${nonce}.${clientIp}`, signature.join('.'))
}
