import { api } from '@tidegate/contract'
import {
  type FakeGitHub,
  type FakeLinuxDo,
  type FakeWeChatHelper,
  type OidcProvider,
  signTelegram,
  startFakeGitHub,
  startFakeLinuxDo,
  startFakeWeChatHelper,
  startOidcProvider,
} from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Console, startConsole } from './start-console.ts'

const CLIENT = { id: 'gate', secret: 'gate-secret-0123456789' }
const WECHAT_TOKEN = 'wechat-helper-token'
const BOT = { name: 'tide_bot', token: '4242:telegram-bot-token' }

export interface Services {
  readonly github: FakeGitHub
  readonly linuxDo: FakeLinuxDo
  readonly weChat: FakeWeChatHelper
  readonly oidc: OidcProvider
}

/** One site for the suite where every service is set up and open, at the name `localhost`, which passkeys need. */
export function startConsoleWithServices(): Console & { readonly services: Services } {
  let services: Services
  beforeAll(async () => {
    services = {
      github: await startFakeGitHub(CLIENT),
      linuxDo: await startFakeLinuxDo(CLIENT),
      weChat: await startFakeWeChatHelper(WECHAT_TOKEN),
      oidc: await startOidcProvider({ clientId: CLIENT.id, clientSecret: CLIENT.secret }),
    }
  })
  const console = startConsole({
    env: () => ({
      TIDEGATE_GITHUB_URL: services.github.url,
      TIDEGATE_GITHUB_API_URL: services.github.apiUrl,
      TIDEGATE_LINUXDO_URL: services.linuxDo.url,
    }),
  })
  beforeAll(() => openServices(console, services))
  afterAll(() =>
    Promise.all(Object.values(services ?? {}).map((service: { close(): Promise<void> }) => service.close())),
  )

  const address = () => `http://localhost:${console.site.server.port}`
  return {
    get site() {
      return console.site
    },
    get services() {
      return services
    },
    visitor: (options) => console.visitor({ baseURL: address(), ...options }),
    admin: (options) => console.admin(options),
    captain: (options) => console.admin(options),
    member: (user, options) => console.member(user, { baseURL: address(), ...options }),
    setOption: (key, value) => console.setOption(key, value),
  }
}

async function openServices({ site }: Console, { weChat, oidc }: Services): Promise<void> {
  const address = `http://localhost:${site.server.port}`
  const options: Record<string, string> = {
    ServerAddress: address,
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
    WeChatAccountQRCodeImageURL: `${address}/logo.png`,
    TelegramBotToken: BOT.token,
    TelegramBotName: BOT.name,
    GitHubOAuthEnabled: 'true',
    LinuxDOOAuthEnabled: 'true',
    'oidc.enabled': 'true',
    WeChatAuthEnabled: 'true',
    TelegramOAuthEnabled: 'true',
  }
  for (const [key, value] of Object.entries(options)) await site.client.call(api.updateOption, { body: { key, value } })
}

/** The login page of the OpenID provider, which knows everybody by the name they type. */
export async function passProvider(page: Page, login: string): Promise<void> {
  await page.getByLabel('Login').fill(login)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** In place of Telegram's script: its button, and what it does once somebody has confirmed in Telegram. */
export async function serveTelegram(page: Page, id: string): Promise<void> {
  await page.exposeFunction('signTelegram', () =>
    signTelegram(BOT.token, { id, first_name: 'Mira', auth_date: String(Math.floor(Date.now() / 1000)) }),
  )
  const body = `{
    const script = document.currentScript
    const button = document.createElement('button')
    button.textContent = 'Log in with Telegram as ' + script.dataset.telegramLogin
    button.onclick = async () => {
      const back = new URL(script.dataset.authUrl)
      for (const [name, value] of Object.entries(await window.signTelegram())) back.searchParams.set(name, value)
      location.href = back
    }
    script.before(button)
  }`
  await page.route('https://telegram.org/js/telegram-widget.js*', (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  )
}

/** What Telegram would send a browser back with, for somebody who has not asked for it here. */
export function telegramLink(id: string): string {
  const signed = signTelegram(BOT.token, { id, auth_date: String(Math.floor(Date.now() / 1000)) })
  return `/oauth/telegram?${new URLSearchParams(signed)}`
}
