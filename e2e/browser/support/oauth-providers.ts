import { api } from '@tidegate/contract'
import {
  type FakeWeChatHelper,
  type OidcProvider,
  signTelegram,
  startFakeWeChatHelper,
  startOidcProvider,
} from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Console, startConsole } from './start-console.ts'

const CLIENT = { id: 'gate', secret: 'gate-secret-0123456789' }
const WECHAT_TOKEN = 'wechat-helper-token'
const BOT = { name: 'tide_bot', token: '4242:telegram-bot-token' }

interface Services {
  readonly weChat: FakeWeChatHelper
  readonly oidc: OidcProvider
}

/** A console with every OAuth provider, at the host name `localhost`, which passkeys need. */
export function startConsoleWithServices(): Console & { readonly services: Services } {
  const console = startConsole()
  let services: Services
  beforeAll(async () => {
    services = {
      weChat: await startFakeWeChatHelper(WECHAT_TOKEN),
      oidc: await startOidcProvider({ clientId: CLIENT.id, clientSecret: CLIENT.secret }),
    }
    await setServiceOptions(console, services)
  })
  afterAll(async () => {
    await services?.weChat.close()
    await services?.oidc.close()
  })

  const address = () => `http://localhost:${console.site.server.port}`
  return {
    get site() {
      return console.site
    },
    get services() {
      return services
    },
    anonymous: (options) => console.anonymous({ baseURL: address(), ...options }),
    admin: (options) => console.admin(options),
    member: (user, options) => console.member(user, { baseURL: address(), ...options }),
    setOption: (key, value) => console.setOption(key, value),
  }
}

async function setServiceOptions({ site }: Console, { weChat, oidc }: Services): Promise<void> {
  const address = `http://localhost:${site.server.port}`
  const options: Record<string, string> = {
    ServerAddress: address,
    'oidc.client_id': CLIENT.id,
    'oidc.client_secret': CLIENT.secret,
    'oidc.well_known': oidc.wellKnown,
    'oidc.authorization_endpoint': oidc.endpoints.authorization,
    'oidc.token_endpoint': oidc.endpoints.token,
    'oidc.user_info_endpoint': oidc.endpoints.userInfo,
    WeChatServerAddress: weChat.url,
    WeChatServerToken: WECHAT_TOKEN,
    WeChatAccountQRCodeImageURL: '/logo.png',
    TelegramBotToken: BOT.token,
    TelegramBotName: BOT.name,
    'oidc.enabled': 'true',
    WeChatAuthEnabled: 'true',
    TelegramOAuthEnabled: 'true',
  }
  for (const [key, value] of Object.entries(options)) await site.client.call(api.updateOption, { body: { key, value } })
}

/** Fills in the login form of the OpenID provider, which accepts every name. */
export async function passProvider(page: Page, login: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Login' }).fill(login)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Replaces Telegram's script: its button, and what it does after a confirmation in Telegram. */
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

/** The redirect of Telegram for a user who has not requested it here. */
export function telegramLink(id: string): string {
  const signed = signTelegram(BOT.token, { id, auth_date: String(Math.floor(Date.now() / 1000)) })
  return `/oauth/telegram?${new URLSearchParams(signed)}`
}
