import { api } from '@tidegate/contract'
import { apiClient, SUPER_ADMIN } from '@tidegate/testing'
import type { StorageState } from './browser.ts'
import type { Credentials } from './site.ts'

/** Shown in the list of sessions. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The browser state after a login at this address, without using the form, which has its own tests. */
export async function sessionAt(url: string, credentials: Credentials = SUPER_ADMIN): Promise<StorageState> {
  const { username, password } = credentials
  const headers = { 'user-agent': BROWSER }
  const { response, envelope } = await apiClient(url).send(api.login, { body: { username, password }, headers })
  if (!envelope.success) throw new Error(`the login of ${username} was rejected: ${envelope.message}`)
  const { hostname, origin } = new URL(url)
  return {
    cookies: response.headers.getSetCookie().map((line) => ({
      ...namedValue(line),
      domain: hostname,
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Strict',
    })),
    origins: [{ origin, localStorage: [{ name: 'user', value: JSON.stringify(envelope.data) }] }],
  }
}

function namedValue(cookie: string): { name: string; value: string } {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
  return { name, value }
}
