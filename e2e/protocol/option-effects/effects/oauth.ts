import { api } from '@tidegate/contract'
import { followAuthorization, signTelegram } from '@tidegate/testing'
import { expect } from 'vitest'
import { type Effect, inStatus, type Rows } from '../effect.ts'
import { BOT_TOKEN, CLIENT } from '../external-services.ts'
import type { EffectSite } from '../effect-site.ts'
import { newName, newAnonymousClient } from '../anonymous-client.ts'

const FINISH = { github: api.finishGitHub, oidc: api.finishOidc, linuxdo: api.finishLinuxDo }
const oidcOn = { 'oidc.enabled': 'true' }
const gitHubOn = { GitHubOAuthEnabled: 'true' }
const linuxDoOn = { LinuxDOOAuthEnabled: 'true' }
const weChatOn = { WeChatAuthEnabled: 'true' }
const telegramOn = { TelegramOAuthEnabled: 'true' }
const QR_CODE = 'https://gate.example/wechat.png'

/** The redirect of a sign-in with a provider, or the error code. */
async function start(site: EffectSite, service: api.RedirectService): Promise<string | undefined> {
  const { envelope } = await newAnonymousClient(site).send(api.startSignIn, { body: { service } })
  return envelope.success ? (envelope.data as { url: string }).url : envelope.code
}

const isRedirected = (service: api.RedirectService) => async (site: EffectSite) => {
  const response = await start(site, service)
  return response?.startsWith('http://127.0.0.1') || response
}

const clientNamed = (service: api.RedirectService) => async (site: EffectSite) =>
  new URL((await start(site, service))!).searchParams.get('client_id')

/** The result for a new user who has an account at the provider. */
const signIn = (service: api.RedirectService) => async (site: EffectSite) => {
  const client = newAnonymousClient(site)
  const { url } = await client.call(api.startSignIn, { body: { service } })
  return await client.outcome(FINISH[service], { query: await checkRetryAfter(site, service, url) })
}

let accounts = 0

async function checkRetryAfter({ services: outside }: EffectSite, service: api.RedirectService, url: string) {
  if (service === 'oidc') return await outside.oidc.signIn(url, newName())
  const id = (accounts += 1)
  const name = newName()
  outside.github.be({ id, login: name, name, emails: [] })
  outside.linuxDo.be({ id, username: name, name, active: true, trust_level: 1, silenced: false })
  return await followAuthorization(url)
}

const loginEffect = (service: api.RedirectService): Effect => ({
  value: 'true',
  probe: isRedirected(service),
  before: 'oauth_disabled',
  after: true,
})

/** Whether the provider got a request for a path of the configured address. */
const isRequested = (path: string) => async (site: EffectSite) => {
  await signIn('oidc')(site)
  return site.services.oidc.countOf(path) > 0
}

async function loginByWeChat(site: EffectSite): Promise<string | undefined> {
  return await newAnonymousClient(site).outcome(api.loginWithWeChat, {
    query: { code: site.services.weChat.issue(newName()) },
  })
}

async function loginByTelegram(site: EffectSite): Promise<string | undefined> {
  const fields = { id: String((accounts += 1)), auth_date: String(Math.floor(Date.now() / 1000)) }
  return await newAnonymousClient(site).outcome(api.loginWithTelegram, { query: signTelegram(BOT_TOKEN, fields) })
}

export const signInEffects = {
  'oidc.enabled': loginEffect('oidc'),
  'oidc.client_id': {
    given: oidcOn,
    value: 'other-gate',
    probe: clientNamed('oidc'),
    before: CLIENT.id,
    after: 'other-gate',
  },
  'oidc.client_secret': {
    given: oidcOn,
    value: 'not-the-secret',
    probe: signIn('oidc'),
    before: 'done',
    after: 'oauth_bad_answer',
  },
  'oidc.well_known': {
    given: { 'oidc.authorization_endpoint': 'https://old.example/auth', ...oidcOn },
    value: (site) => site.services.oidc.wellKnown,
    probe: isRedirected('oidc'),
    before: expect.stringMatching(/^https:\/\/old\.example\/auth\?/),
    after: true,
  },
  'oidc.authorization_endpoint': {
    given: oidcOn,
    value: 'https://new.example/auth',
    probe: isRedirected('oidc'),
    before: true,
    after: expect.stringMatching(/^https:\/\/new\.example\/auth\?/),
  },
  'oidc.token_endpoint': {
    given: oidcOn,
    value: (site) => `${site.services.oidc.issuer}/token-elsewhere`,
    probe: isRequested('/token-elsewhere'),
    before: false,
    after: true,
  },
  'oidc.user_info_endpoint': {
    given: oidcOn,
    value: (site) => `${site.services.oidc.issuer}/me-elsewhere`,
    probe: isRequested('/me-elsewhere'),
    before: false,
    after: true,
  },

  GitHubOAuthEnabled: loginEffect('github'),
  GitHubClientId: {
    given: gitHubOn,
    value: 'other-gate',
    probe: clientNamed('github'),
    before: CLIENT.id,
    after: 'other-gate',
  },
  GitHubClientSecret: {
    given: gitHubOn,
    value: 'not-the-secret',
    probe: signIn('github'),
    before: 'done',
    after: 'oauth_bad_answer',
  },

  LinuxDOOAuthEnabled: loginEffect('linuxdo'),
  LinuxDOClientId: {
    given: linuxDoOn,
    value: 'other-gate',
    probe: clientNamed('linuxdo'),
    before: CLIENT.id,
    after: 'other-gate',
  },
  LinuxDOClientSecret: {
    given: linuxDoOn,
    value: 'not-the-secret',
    probe: signIn('linuxdo'),
    before: 'done',
    after: 'oauth_bad_answer',
  },
  LinuxDOMinimumTrustLevel: {
    given: linuxDoOn,
    value: '2',
    probe: signIn('linuxdo'),
    before: 'done',
    after: 'trust_level_low',
  },

  WeChatAuthEnabled: { value: 'true', probe: loginByWeChat, before: 'oauth_disabled', after: 'done' },
  WeChatServerAddress: {
    given: weChatOn,
    value: (site) => site.services.otherWeChat.url,
    probe: loginByWeChat,
    before: 'done',
    after: 'code_invalid', // of the other service, which has sent no code
  },
  WeChatServerToken: {
    given: weChatOn,
    value: 'not-the-token',
    probe: loginByWeChat,
    before: 'done',
    after: 'oauth_bad_answer',
  },
  WeChatAccountQRCodeImageURL: inStatus('wechat_qrcode', QR_CODE, '', QR_CODE),

  TelegramOAuthEnabled: { value: 'true', probe: loginByTelegram, before: 'oauth_disabled', after: 'telegram_unbound' },
  TelegramBotName: inStatus('telegram_bot_name', 'tide_bot', '', 'tide_bot'),
  TelegramBotToken: {
    given: telegramOn,
    value: '4343:another-bot',
    probe: loginByTelegram,
    before: 'telegram_unbound', // its signature is right
    after: 'telegram_invalid',
  },
} satisfies Rows
