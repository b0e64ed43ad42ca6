import { api, type OptionKey } from '@tidegate/contract'
import {
  followAuthorization,
  startFakeGitHub,
  startFakeLinuxDo,
  startFakeWeChatHelper,
  startOidcProvider,
  type FakeGitHub,
  type FakeLinuxDo,
  type FakeWeChatHelper,
  type OidcProvider,
} from '@tidegate/testing'
import { startTestSite, type TestSite } from './start-site.ts'

const CLIENT = { id: 'gate', secret: 'gate-secret-0123456789' }
export const BOT_TOKEN = '4242:telegram-bot-token'
const WECHAT_TOKEN = 'wechat-helper-token'
export const ADDRESS = 'https://gate.example'

export interface TestResponse {
  status: number
  json: { success: boolean; message: string; code?: string; data?: Record<string, unknown> }
  headers: Readonly<Record<string, unknown>>
}

/** A browser with cookies that sends its user id after login. */
export interface Browser {
  userId: number | undefined
  get(path: string, query?: Record<string, string>, headers?: Record<string, string>): Promise<TestResponse>
  post(path: string, body: object, headers?: Record<string, string>): Promise<TestResponse>
  /** Starts an OAuth flow. */
  start(
    service: api.RedirectService,
    options?: { intent?: 'login' | 'bind'; aff?: string },
  ): Promise<{
    url: string
    state: string
  }>
  finish(service: api.RedirectService, query: Record<string, string>): Promise<TestResponse>
  logIn(username: string, password: string): Promise<void>
}

export interface OAuthSite extends TestSite {
  readonly github: FakeGitHub
  readonly linuxDo: FakeLinuxDo
  readonly oidc: OidcProvider
  readonly weChat: FakeWeChatHelper
  /** Shifts the clock of the site; 0 resets it. */
  shiftClock(ms: number): void
  set(options: Partial<Record<OptionKey, string>>): Promise<void>
  /** By default every request uses a new client address, so rate limits do not interfere. */
  newBrowser(options?: { address?: string }): Browser
  /** A browser logged in as a new user with a password. */
  member(): Promise<Browser & { userId: number }>
  userWith(provider: string, subject: string): Promise<Record<string, unknown> | undefined>
}

/** A site with all OAuth providers enabled. */
export async function startOAuthSite(overrides: Parameters<typeof startTestSite>[0] = {}): Promise<OAuthSite> {
  const github = await startFakeGitHub(CLIENT)
  const linuxDo = await startFakeLinuxDo(CLIENT)
  const weChat = await startFakeWeChatHelper(WECHAT_TOKEN)
  const oidc = await startOidcProvider({
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    redirectUris: [`${ADDRESS}/oauth/oidc`],
  })
  let ahead = 0
  const site = await startTestSite({
    now: () => new Date(Date.now() + ahead),
    ...overrides,
    site: {
      signIn: { githubUrl: github.url, githubApiUrl: github.apiUrl, linuxDoUrl: linuxDo.url },
      ...overrides.site,
    },
  })
  await site.initialise()
  const root = await site.signedIn('root')
  const set: OAuthSite['set'] = async (options) => {
    for (const [key, value] of Object.entries(options)) await root.call(api.updateOption, { body: { key, value } })
  }
  await set({
    ServerAddress: ADDRESS,
    GitHubClientId: CLIENT.id,
    GitHubClientSecret: CLIENT.secret,
    LinuxDOClientId: CLIENT.id,
    LinuxDOClientSecret: CLIENT.secret,
    'oidc.client_id': CLIENT.id,
    'oidc.client_secret': CLIENT.secret,
    'oidc.well_known': oidc.wellKnown,
    'oidc.authorization_endpoint': oidc.endpoints.authorization,
    'oidc.token_endpoint': oidc.endpoints.token,
    'oidc.user_info_endpoint': oidc.endpoints.userInfo,
    WeChatServerAddress: weChat.url,
    WeChatServerToken: WECHAT_TOKEN,
    TelegramBotToken: BOT_TOKEN,
    GitHubOAuthEnabled: 'true',
    LinuxDOOAuthEnabled: 'true',
    'oidc.enabled': 'true',
    WeChatAuthEnabled: 'true',
    TelegramOAuthEnabled: 'true',
  })

  const newBrowser: OAuthSite['newBrowser'] = ({ address } = {}) => openBrowser(site, address)
  return {
    ...site,
    github,
    linuxDo,
    oidc,
    weChat,
    shiftClock(ms) {
      ahead = ms
    },
    set,
    newBrowser,
    async member() {
      const { username } = await site.signedIn('user')
      const browser = newBrowser()
      await browser.logIn(username, 'spring-tide-42')
      return browser as Browser & { userId: number }
    },
    userWith: (provider, subject) =>
      site.db
        .selectFrom('identity')
        .innerJoin('user', 'user.id', 'identity.user_id')
        .selectAll('user')
        .where('identity.provider', '=', provider)
        .where('identity.subject', '=', subject)
        .executeTakeFirst(),
    async close() {
      await site.close()
      await Promise.all([github.close(), linuxDo.close(), weChat.close(), oidc.close()])
    },
  }
}

let callers = 0

function openBrowser(site: TestSite, address: string | undefined): Browser {
  const cookies = new Map<string, string>()
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object, more: Record<string, string> = {}) => {
    callers += 1
    const response = await site.app.inject({
      method,
      url,
      payload,
      cookies: Object.fromEntries(cookies),
      headers: { ...(browser.userId !== undefined && { 'tidegate-user': String(browser.userId) }), ...more },
      remoteAddress: address ?? `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`,
    })
    for (const { name, value } of response.cookies) cookies.set(name, value)
    const json = response.body === '' ? { success: false, message: '' } : response.json()
    return { status: response.statusCode, json, headers: response.headers } as TestResponse
  }

  const browser: Browser = {
    userId: undefined,
    get: (path, query = {}, headers) =>
      ask('GET', `${path}?${new URLSearchParams(query).toString()}`, undefined, headers),
    post: (path, body, headers) => ask('POST', path, body, headers),
    async start(service, options = {}) {
      const { json } = await browser.post('/api/oauth/start', { service, ...options })
      if (!json.success) throw new Error(`not started: ${json.code}`)
      return json.data as { url: string; state: string }
    },
    finish: (service, query) => browser.get(`/api/oauth/${service}`, query),
    async logIn(username, password) {
      const { json } = await browser.post('/api/user/login', { username, password })
      browser.userId = json.data!['id'] as number
    },
  }
  return browser
}

/** A user of an OAuth provider. */
export interface OAuthUser {
  readonly subject: string
  /** Approves the authorization; returns the callback parameters. */
  approve(url: string): Promise<Record<string, string>>
  deny(url: string): Promise<Record<string, string>>
}

let users = 100

/** Creates a provider user without an account here. */
export function newOAuthUser(site: OAuthSite, service: api.RedirectService, named?: string): OAuthUser {
  users += 1
  const name = named ?? `person${users}`
  const id = users
  if (service === 'oidc') {
    return {
      subject: name,
      approve: (url) => site.oidc.signIn(url, name),
      deny: (url) => site.oidc.cancel(url),
    }
  }
  const fake = service === 'github' ? site.github : site.linuxDo
  const arrive = () => {
    site.github.be({ id, login: name, name: `Ms ${name}`, emails: [] })
    site.linuxDo.be({ id, username: name, name: `Ms ${name}`, active: true, trust_level: 2, silenced: false })
  }
  const come = (url: string, declined: boolean) => {
    arrive()
    fake.declineLogins(declined)
    return followAuthorization(url).finally(() => fake.declineLogins(false))
  }
  return {
    subject: String(id),
    approve: (url) => come(url, false),
    deny: (url) => come(url, true),
  }
}

/** Runs the whole OAuth flow. */
export async function signInWithOAuth(
  browser: Browser,
  service: api.RedirectService,
  person: OAuthUser,
  options: { intent?: 'login' | 'bind'; aff?: string } = {},
): Promise<TestResponse> {
  const { url } = await browser.start(service, options)
  return browser.finish(service, await person.approve(url))
}
