import { asText, asJsonObject } from '@tidegate/dialects'
import type { SignUrl } from '../../upstream/request-signer.ts'
import { FAILURES } from '../../upstream/failure.ts'

/** Baidu's tokens last a month. One that was withdrawn meanwhile is not used for longer than this. */
const LIFETIME_MS = 60 * 60 * 1000

/** Trades the two halves of the key for a token, which stands in the address of every call. */
export const signForBaidu: SignUrl = async ({ target, url }, desk) => {
  const [apiKey = '', secretKey = ''] = target.key.split('|')
  const { origin } = new URL(url)
  const token = await desk.token(`${origin} ${target.key}`, async () => {
    const asked = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: apiKey,
      client_secret: secretKey,
    })
    const answer = asJsonObject(await desk.postForm(`${origin}/oauth/2.0/token?${asked.toString()}`, {}))
    const accessToken = asText(answer?.access_token)
    if (accessToken === '') throw FAILURES.unreadable(new Error('no token came back'))
    return { token: accessToken, lifetimeMs: lifetimeOf(answer?.expires_in) }
  })
  const signed = new URL(url)
  signed.searchParams.set('access_token', token)
  return signed.href
}

function lifetimeOf(seconds: unknown): number {
  return typeof seconds === 'number' && seconds > 0 ? Math.min(LIFETIME_MS, seconds * 1000) : LIFETIME_MS
}
