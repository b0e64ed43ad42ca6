import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { askService } from './fetch-from-service.ts'
import { profileOf } from './profile.ts'
import { pkceChallenge, type RedirectService } from './trip.ts'

/** Bindings made by name, by an earlier product, wait under this issuer: a name of digits is somebody else's number. */
export const NAMED_ISSUER = 'login'

const Token = z.object({ access_token: z.string().min(1) })
const Account = z.object({ id: z.int().positive(), login: z.string().min(1), name: z.string().nullish() })
const Addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/**
 * GitHub. People are known by their number: a login name can be given up and taken by somebody else, who would then own
 * the account here.
 */
export function github({ catalog, site }: Pick<Deps, 'catalog' | 'site'>): RedirectService {
  const { githubUrl, githubApiUrl } = site.signIn

  return {
    async authorizeUrl({ state, redirectUri, secrets }) {
      const url = new URL(`${githubUrl}/login/oauth/authorize`)
      url.search = new URLSearchParams({
        client_id: catalog().settings.GitHubClientId,
        redirect_uri: redirectUri,
        scope: 'user:email',
        state,
        ...pkceChallenge(secrets.verifier),
      }).toString()
      return url.href
    },

    async readProfile({ code }, { redirectUri, secrets }) {
      const { GitHubClientId, GitHubClientSecret } = catalog().settings
      const { access_token } = await askService(Token, `${githubUrl}/login/oauth/access_token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          client_id: GitHubClientId,
          client_secret: GitHubClientSecret,
          code,
          redirect_uri: redirectUri,
          code_verifier: secrets?.verifier,
        }),
      })
      const headers = { Authorization: `Bearer ${access_token}` }
      const { id, login, name } = await askService(Account, `${githubApiUrl}/user`, { headers })
      return profileOf(
        { service: 'github', subject: String(id) },
        {
          formerKey: { provider: 'github', issuer: NAMED_ISSUER, subject: login.toLowerCase() },
          label: login,
          displayName: name || 'GitHub User',
          async readEmail() {
            const addresses = await askService(Addresses, `${githubApiUrl}/user/emails`, { headers })
            return addresses.find(({ primary, verified }) => primary && verified)?.email
          },
        },
      )
    },
  }
}
