import type { Options } from './effect-site.ts'
import {
  BOT_TOKEN,
  CLIENT,
  MAIL_ACCOUNT,
  type ExternalServices,
  TURNSTILE_SECRET,
  WECHAT_TOKEN,
} from './external-services.ts'
import { GROUPS, UNPRICED, CHANNEL_MODELS } from './channels.ts'

export const SITE_ADDRESS = 'https://gate.example'
export const BLOCKED_TERM = 'kraken'

/**
 * The options of the site by default. Services are configured but switched off, so that an effect needs only its
 * switch. A proxy is trusted, so that every client can have its own address. A model token costs one point.
 */
export function baselineOf({ mailbox, oidc, epay, stripe, weChat }: ExternalServices): Options {
  const priced = CHANNEL_MODELS.filter((model) => model !== UNPRICED)
  return {
    ReverseProxyEnabled: 'true',
    ServerAddress: SITE_ADDRESS,
    SensitiveWords: BLOCKED_TERM,
    GroupRatio: JSON.stringify(Object.fromEntries(GROUPS.map((group) => [group, 1]))),
    UserUsableGroups: JSON.stringify(Object.fromEntries(GROUPS.map((group) => [group, group]))),
    ModelPrice: '{}',
    ModelRatio: JSON.stringify(Object.fromEntries(priced.map((model) => [model, 1]))),
    CompletionRatio: JSON.stringify(Object.fromEntries(priced.map((model) => [model, 1]))),
    CacheRatio: '{}',
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailbox.port),
    SMTPAccount: MAIL_ACCOUNT.user,
    SMTPToken: MAIL_ACCOUNT.pass,
    SMTPFrom: 'gate@gate.example',
    PayAddress: 'https://pay.example',
    EpayId: epay.pid,
    EpayKey: epay.key,
    'stripe.secret_key': stripe.secretKey,
    'stripe.webhook_secret': stripe.webhookSecret,
    GitHubClientId: CLIENT.id,
    GitHubClientSecret: CLIENT.secret,
    LinuxDOClientId: CLIENT.id,
    LinuxDOClientSecret: CLIENT.secret,
    'oidc.client_id': CLIENT.id,
    'oidc.client_secret': CLIENT.secret,
    'oidc.authorization_endpoint': oidc.endpoints.authorization,
    'oidc.token_endpoint': oidc.endpoints.token,
    'oidc.user_info_endpoint': oidc.endpoints.userInfo,
    WeChatServerAddress: weChat.url,
    WeChatServerToken: WECHAT_TOKEN,
    TelegramBotToken: BOT_TOKEN,
    TurnstileSiteKey: 'turnstile-site-key',
    TurnstileSecretKey: TURNSTILE_SECRET,
  }
}
