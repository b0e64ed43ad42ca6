import { ApiError } from '@tidegate/contract'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { fetchJson } from './provider-client.ts'
import { createProfile, type OAuthProvider } from './provider.ts'

const Token = z.object({ access_token: z.string().min(1) })
const Account = z.object({
  id: z.int().positive(),
  username: z.string(),
  name: z.string().nullish(),
  active: z.boolean(),
  trust_level: z.int(),
  silenced: z.boolean(),
})

/** The LinuxDO forum. It does not document PKCE, so only the client secret protects the code. */
export function linuxDo({ catalog, site }: Pick<Deps, 'catalog' | 'site'>): OAuthProvider {
  const { linuxDoUrl } = site.signIn

  return {
    async authorizeUrl({ state, redirectUri }) {
      const url = new URL(`${linuxDoUrl}/oauth2/authorize`)
      const client = { client_id: catalog().settings.LinuxDOClientId, redirect_uri: redirectUri }
      url.search = new URLSearchParams({ response_type: 'code', ...client, state }).toString()
      return url.href
    },

    async readProfile({ code }, { redirectUri }) {
      const { LinuxDOClientId, LinuxDOClientSecret, LinuxDOMinimumTrustLevel } = catalog().settings
      const client = Buffer.from(`${LinuxDOClientId}:${LinuxDOClientSecret}`).toString('base64')
      const { access_token } = await fetchJson(Token, `${linuxDoUrl}/oauth2/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${client}` },
        body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
      })
      const headers = { Authorization: `Bearer ${access_token}` }
      const account = await fetchJson(Account, `${linuxDoUrl}/api/user`, { headers })
      if (!account.active || account.silenced) throw new ApiError('linuxdo_inactive')
      if (account.trust_level < LinuxDOMinimumTrustLevel) {
        throw new ApiError('trust_level_low', { level: LinuxDOMinimumTrustLevel })
      }
      return createProfile(
        { service: 'linuxdo', subject: String(account.id) },
        { label: account.username, displayName: account.name || account.username || 'LinuxDO User' },
      )
    },
  }
}
