import type { Deps } from '../../deps.ts'
import { oidcByDiscovery } from './oidc-by-discovery.ts'
import { oidcByEndpoints } from './oidc-by-endpoints.ts'
import type { RedirectService } from './provider.ts'

/** OpenID Connect: with a discovery address everything is checked against the provider's keys, else what can be. */
export function oidc(deps: Pick<Deps, 'catalog' | 'now'>): RedirectService {
  const discovered = oidcByDiscovery(deps)
  const byEndpoints = oidcByEndpoints(deps)
  const current = () => (deps.catalog().settings['oidc.well_known'] === '' ? byEndpoints : discovered)
  return {
    authorizeUrl: (trip) => current().authorizeUrl(trip),
    readProfile: (given, trip) => current().readProfile(given, trip),
  }
}
