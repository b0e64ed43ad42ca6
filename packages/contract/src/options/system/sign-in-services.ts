import { integer } from '../define.ts'
import { baseUrl, image, line, secret, url } from '../define-text.ts'

const oidc = { tab: 'system', section: 'oidc', guard: 'reauth' } as const
const github = { tab: 'system', section: 'github', guard: 'reauth' } as const
const linuxDo = { tab: 'system', section: 'linuxdo', guard: 'reauth' } as const
const weChat = { tab: 'system', section: 'wechat', guard: 'reauth' } as const
const telegram = { tab: 'system', section: 'telegram', guard: 'reauth' } as const
const turnstile = { tab: 'system', section: 'turnstile', guard: 'reauth' } as const

/** Credentials and addresses of the services people sign in with. */
export const signInServiceOptions = {
  'oidc.client_id': line(oidc),
  'oidc.client_secret': secret(oidc),
  /** Filling it in the form fetches the three addresses below. */
  'oidc.well_known': url(oidc),
  'oidc.authorization_endpoint': url(oidc),
  'oidc.token_endpoint': url(oidc),
  'oidc.user_info_endpoint': url(oidc),

  GitHubClientId: line(github),
  GitHubClientSecret: secret(github),

  LinuxDOClientId: line(linuxDo),
  LinuxDOClientSecret: secret(linuxDo),
  LinuxDOMinimumTrustLevel: integer(linuxDo, 0, { min: 0, max: 4 }),

  WeChatServerAddress: baseUrl(weChat),
  WeChatServerToken: secret(weChat),
  WeChatAccountQRCodeImageURL: image(weChat),

  TelegramBotName: line(telegram),
  TelegramBotToken: secret(telegram),

  /** Every visitor's browser gets it, whatever its name suggests. */
  TurnstileSiteKey: line(turnstile),
  TurnstileSecretKey: secret(turnstile),
}
