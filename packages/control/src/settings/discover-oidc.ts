import { ApiError } from '@tidegate/contract'
import { UpstreamFailure } from '@tidegate/providers'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { fetchJson, withProviderErrors, guardedSend, ProviderError } from '../auth/oauth/provider-client.ts'

const address = z.url({ protocol: /^https?$/ })

const Discovery = z.object({
  authorization_endpoint: address,
  token_endpoint: address,
  userinfo_endpoint: address.optional(),
})

/**
 * Reads a discovery document on the server, because browsers cannot read it across origins. The address is not stored
 * yet and the result is shown, so it uses the guarded client.
 */
export function discoverOidc({ log, webhookClient }: Pick<Deps, 'log' | 'webhookClient'>, wellKnown: string) {
  return withProviderErrors({ log }, 'oidc', async () => {
    if (!URL.canParse(wellKnown)) throw new ProviderError('unreachable', 'this is no address')
    if (!webhookClient) throw new ProviderError('unreachable', 'this process has no client for addresses of others')
    const { host } = new URL(wellKnown)
    const found = await explainEgressErrors(host, () =>
      fetchJson(Discovery, wellKnown, {}, { send: guardedSend(webhookClient) }),
    )
    return {
      authorization_endpoint: found.authorization_endpoint,
      token_endpoint: found.token_endpoint,
      user_info_endpoint: found.userinfo_endpoint ?? '',
    }
  })
}

/** Reports blocked addresses: the super admin can allow them. */
async function explainEgressErrors<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof ProviderError ? error.cause : undefined
    const code = cause instanceof UpstreamFailure ? cause.error.code : undefined
    if (code === 'upstream_private_address') throw new ApiError('oauth_private_address', {}, { cause: error })
    if (code === 'upstream_egress_not_allowed') throw new ApiError('egress_not_allowed', { host }, { cause: error })
    throw error
  }
}
