import { ApiError } from '@tidegate/contract'
import { z } from 'zod'
import type { Deps } from '../deps.ts'

const TIMEOUT_MS = 5_000

/** The parts of the provider's answer that are judged. */
const Verdict = z.object({
  success: z.boolean(),
  hostname: z.string().default(''),
  action: z.string().default(''),
})

export interface TokenToVerify {
  token: string
  clientIp: string
  /** What a widget of ours may say it was shown for. */
  actions: readonly string[]
}

/** Asks the provider about a token. A provider that cannot be asked refuses: a check that opens by itself is none. */
export async function verifyToken(
  { catalog, site, log }: Pick<Deps, 'catalog' | 'site' | 'log'>,
  { token, clientIp, actions }: TokenToVerify,
): Promise<void> {
  const { TurnstileSecretKey: secret, ServerAddress } = catalog().settings
  const verdict = await ask(site.turnstileVerifyUrl, { secret, response: token, remoteip: clientIp }).catch(
    (error: unknown) => {
      log.error({ err: error }, 'the human check could not be verified')
      throw new ApiError('turnstile_unavailable', {}, { cause: error })
    },
  )
  // A widget without an action and a site without an address leave these two open.
  const isOurs = ServerAddress === '' || verdict.hostname === new URL(ServerAddress).hostname
  const isForThis = verdict.action === '' || actions.includes(verdict.action)
  if (!verdict.success || !isOurs || !isForThis) throw new ApiError('turnstile_failed')
}

async function ask(url: string, form: Record<string, string>): Promise<z.output<typeof Verdict>> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status >= 500) throw new Error(`the provider answered ${response.status}`)
  return Verdict.parse(await response.json())
}
