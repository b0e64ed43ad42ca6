import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { askService, ServiceFailure } from '../sign-in/fetch-from-service.ts'
import { refuseFailure } from '../sign-in/refuse-failure.ts'

const address = z.url({ protocol: /^https?$/ })

const Discovery = z.object({
  authorization_endpoint: address,
  token_endpoint: address,
  userinfo_endpoint: address.optional(),
})

/** Reads a discovery document here, for a browser may not read it across origins. */
export function discoverOidc(deps: Pick<Deps, 'log'>, wellKnown: string) {
  return refuseFailure(deps, 'oidc', async () => {
    if (!URL.canParse(wellKnown)) throw new ServiceFailure('unreachable', 'this is no address')
    const found = await askService(Discovery, wellKnown)
    return {
      authorization_endpoint: found.authorization_endpoint,
      token_endpoint: found.token_endpoint,
      user_info_endpoint: found.userinfo_endpoint ?? '',
    }
  })
}
