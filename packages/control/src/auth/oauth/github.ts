import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { fetchJson } from './provider-client.ts'
import { pkceChallenge, createProfile, type OAuthProvider } from './provider.ts'

/**
 * Issuer of identities that an earlier product stored by login name. A login of digits could otherwise equal another
 * user's id.
 */
export const LEGACY_LOGIN_ISSUER = 'login'

const Token = z.object({ access_token: z.string().min(1) })
const Account = z.object({
  id: z.int().positive(),
  login: z.string().min(1),
  name: z.string().nullish(),
  created_at: z.string().optional(),
})
const Addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** GitHub. Users are identified by their numeric id: a login name can be released and taken by another person. */
export function github({ catalog, site }: Pick<Deps, 'catalog' | 'site'>): OAuthProvider {
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
      const { access_token } = await fetchJson(Token, `${githubUrl}/login/oauth/access_token`, {
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
      const { id, login, name, created_at = '' } = await fetchJson(Account, `${githubApiUrl}/user`, { headers })
      const readAddresses = () => fetchJson(Addresses, `${githubApiUrl}/user/emails`, { headers })
      return createProfile(
        { service: 'github', subject: String(id) },
        {
          legacy: {
            key: { provider: 'github', issuer: LEGACY_LOGIN_ISSUER, subject: login.toLowerCase() },
            /**
             * A released login can be taken by a new account, or by an older one that is renamed. So the account must
             * be older than the link, and GitHub must confirm the user's email address, if there is one.
             */
            async isSamePerson({ email }, boundAt) {
              if (!(Date.parse(created_at) < boundAt.getTime())) return false
              if (email === '') return true
              const addresses = await readAddresses()
              return addresses.some(
                (address) => address.verified && address.email.toLowerCase() === email.toLowerCase(),
              )
            },
          },
          label: login,
          displayName: name || 'GitHub User',
          async readEmail() {
            return (await readAddresses()).find(({ primary, verified }) => primary && verified)?.email
          },
        },
      )
    },
  }
}
