import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type Provider from 'oidc-provider'

/** The provider's login page: any name gets in, and there is a way out. Answers whether the request was for it. */
export async function serveInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const [, uid, action = 'page'] = /^\/interaction\/([\w-]+)(?:\/(login|cancel))?$/.exec(request.url ?? '') ?? []
  if (uid === undefined) return false
  if (action === 'login') {
    const login = new URLSearchParams(await text(request)).get('login') ?? ''
    await provider.interactionFinished(request, response, { login: { accountId: login } })
  } else if (action === 'cancel') {
    const refusal = { error: 'access_denied', error_description: 'The person said no' }
    await provider.interactionFinished(request, response, refusal)
  } else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(loginPage(uid))
  }
  return true
}

function loginPage(uid: string): string {
  return `<!doctype html><html lang="en"><title>Harbour identity</title><h1>Harbour identity</h1>
<form method="post" action="/interaction/${uid}/login">
  <label>Login <input name="login" required autofocus></label>
  <button type="submit">Sign in</button>
</form>
<p><a href="/interaction/${uid}/cancel">Cancel</a></p>`
}

/** Goes through the login page as a person would; gives what the provider sends back to us. */
export async function passLoginPage(authorizeUrl: string, login: string | undefined): Promise<Record<string, string>> {
  const cookies = new Map<string, string>()
  const ask = async (url: string, init: RequestInit = {}) => {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split('=')
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    return new URL(location, url)
  }

  let next = await ask(authorizeUrl)
  if (next.pathname.startsWith('/interaction/')) {
    const form = login === undefined ? undefined : new URLSearchParams({ login })
    next = await (form ? ask(`${next.href}/login`, { method: 'POST', body: form }) : ask(`${next.href}/cancel`))
    next = await ask(next.href)
  }
  return Object.fromEntries(next.searchParams)
}
