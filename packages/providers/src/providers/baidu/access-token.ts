import { asText, asJsonObject } from '@tidegate/dialects'
import type { SignUrl } from '../../upstream/request-signer.ts'
import { FAILURES } from '../../upstream/failure.ts'

/** Baidu's tokens last a month. A shorter limit replaces revoked tokens sooner. */
const MAX_LIFETIME_MS = 60 * 60 * 1000

/** Exchanges both halves of the key for a token, which is sent in the query of every request. */
export const signBaiduUrl: SignUrl = async ({ target, url, proxy }, signer) => {
  const [apiKey = '', secretKey = ''] = target.key.split('|')
  const { origin } = new URL(url)
  const token = await signer.token(`${origin} ${target.key}`, async () => {
    const query = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: apiKey,
      client_secret: secretKey,
    })
    const tokenUrl = `${origin}/oauth/2.0/token?${query.toString()}`
    const response = asJsonObject(await signer.postForm(tokenUrl, {}, proxy))
    const accessToken = asText(response?.access_token)
    if (accessToken === '') throw FAILURES.unreadable(new Error('the response has no token'))
    return { token: accessToken, lifetimeMs: lifetimeOf(response?.expires_in) }
  })
  const signed = new URL(url)
  signed.searchParams.set('access_token', token)
  return signed.href
}

function lifetimeOf(seconds: unknown): number {
  return typeof seconds === 'number' && seconds > 0 ? Math.min(MAX_LIFETIME_MS, seconds * 1000) : MAX_LIFETIME_MS
}
