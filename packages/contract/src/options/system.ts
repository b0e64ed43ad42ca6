import { z } from 'zod'
import { isAddressOrRange } from '../values.ts'
import {
  baseUrl,
  choice,
  commaList,
  flag,
  httpsUrl,
  image,
  integer,
  json,
  line,
  namedMap,
  namedMapSchema,
  number,
  prose,
  secret,
  url,
} from './definitions.ts'
import { GROUP_NAME } from './operation.ts'
import { STRIPE_CURRENCIES } from './stripe-currencies.ts'

const general = { tab: 'system', section: 'general', guard: 'reauth' } as const
const worker = { tab: 'system', section: 'worker', guard: 'reauth' } as const
const proxy = { tab: 'system', section: 'proxy', guard: 'reauth' } as const

/** Address of the site, proxy and download helper. */
export const siteOptions = {
  ServerAddress: baseUrl(general),

  /** If set, downloads and webhooks go through this helper. */
  WorkerUrl: baseUrl(worker),
  WorkerValidKey: secret(worker),

  ReverseProxyEnabled: flag(proxy, false),
  ReverseProxyProvider: choice(proxy, ['nginx', 'cloudflare'], 'nginx'),
}

const STRIPE_CURRENCY = new RegExp(`^(${[...STRIPE_CURRENCIES.keys()].join('|')})$`)

const payment = { tab: 'system', section: 'payment' } as const
/** Destinations of payments, callbacks and the merchant key. */
const destination = { ...payment, guard: 'reauth' } as const

export const paymentOptions = {
  PayAddress: baseUrl(destination),
  EpayId: line(destination),
  EpayKey: secret(payment),
  /** Blank: callbacks go to the server address. */
  CustomCallbackAddress: baseUrl(destination),
  /** Local currency per dollar. */
  Price: number(payment, 7.3, { above: 0 }),
  /** Dollars. */
  MinTopUp: integer(payment, 1, { min: 1 }),
  TopupGroupRatio: json(
    payment,
    namedMapSchema(z.number().nonnegative(), GROUP_NAME),
    namedMap({ default: 1, vip: 1, svip: 1 }),
  ),
  'stripe.enabled': flag(payment, false),
  'stripe.secret_key': secret(payment),
  'stripe.webhook_secret': secret(payment),
  /** A currency that Stripe accepts, in lower case. */
  'stripe.currency': line(payment, 'usd', { pattern: STRIPE_CURRENCY, blankMeansDefault: true }),
  /** Price of one dollar of balance in that currency. */
  'stripe.unit_price': number(payment, 1, { above: 0 }),
}

const login = { tab: 'system', section: 'login', guard: 'reauth' } as const
const mailDomains = { tab: 'system', section: 'mail-domains', guard: 'reauth' } as const

const DOMAIN = /^(?=.{1,253}$)([a-z0-9\p{L}](-*[a-z0-9\p{L}])*\.)+[a-z0-9\p{L}](-*[a-z0-9\p{L}])+$/u

/** Options of login and registration. */
export const loginOptions = {
  PasswordLoginEnabled: flag(login, true),
  PasswordRegisterEnabled: flag(login, true),
  EmailVerificationEnabled: flag(login, false),
  RegisterEnabled: flag(login, true),
  TurnstileCheckEnabled: flag(login, false),
  GitHubOAuthEnabled: flag(login, false),
  'oidc.enabled': flag(login, false),
  LinuxDOOAuthEnabled: flag(login, false),
  WeChatAuthEnabled: flag(login, false),
  TelegramOAuthEnabled: flag(login, false),
  /** Sends users a mail when a new browser signs in to their account. */
  'security.new_device_mail_enabled': flag(login, true),
  /** Failed authentications per hour that trigger an alert to the super admin; 0 turns alerts off. */
  'security.auth_failure_alert_threshold': integer(login, 100, { min: 0, max: 1_000_000 }),

  EmailDomainRestrictionEnabled: flag(mailDomains, false),
  EmailAliasRestrictionEnabled: flag(mailDomains, false),
  EmailDomainWhitelist: commaList(
    mailDomains,
    [
      'gmail.com',
      '163.com',
      '126.com',
      'qq.com',
      'outlook.com',
      'hotmail.com',
      'icloud.com',
      'yahoo.com',
      'foxmail.com',
    ],
    { pattern: DOMAIN, lowerCase: true },
  ),
}

const policy = { tab: 'system', section: 'security-policy', guard: 'reauth' } as const

const MAX_SESSION_DAYS = 90

/** Rules for the sessions and tokens of the console. */
export const securityPolicyOptions = {
  /** Administrators without two-factor authentication and without a passkey can only set one up. */
  'security.require_two_factor_for_admins': flag(policy, false),
  /** Addresses and ranges from which administrators may use the console and its API; blank: everywhere. */
  'security.console_allowed_addresses': commaList(policy, [], {
    accepts: { test: isAddressOrRange, message: 'not an IP address or range', zh: '不是 IP 地址或网段' },
    lowerCase: true,
  }),
  /** Also applies to open sessions. */
  'security.session_days': integer(policy, 30, { min: 1, max: MAX_SESSION_DAYS }),
  /** Minutes without a request after which a session ends; 0: never. */
  'security.session_idle_minutes': integer(policy, 0, { min: 0, max: MAX_SESSION_DAYS * 24 * 60 }),
}

const smtp = { tab: 'system', section: 'smtp', guard: 'reauth' } as const

export const mailOptions = {
  /** A host name, not a URL. */
  SMTPServer: line(smtp, '', { max: 253, pattern: /^[^\s/@]*$/ }),
  SMTPPort: integer(smtp, 587, { min: 1, max: 65_535 }),
  SMTPAccount: line(smtp),
  SMTPFrom: line(smtp, '', { pattern: /^$|^[^\s<>,;@]+@[^\s<>,;@]+$/ }),
  SMTPToken: secret(smtp),
  SMTPSSLEnabled: flag(smtp, false),
}

const oidc = { tab: 'system', section: 'oidc', guard: 'reauth' } as const
const github = { tab: 'system', section: 'github', guard: 'reauth' } as const
const linuxDo = { tab: 'system', section: 'linuxdo', guard: 'reauth' } as const
const weChat = { tab: 'system', section: 'wechat', guard: 'reauth' } as const
const telegram = { tab: 'system', section: 'telegram', guard: 'reauth' } as const
const turnstile = { tab: 'system', section: 'turnstile', guard: 'reauth' } as const

/** Credentials and URLs of sign-in services. */
export const signInServiceOptions = {
  'oidc.client_id': line(oidc),
  'oidc.client_secret': secret(oidc),
  /** The form fetches the three endpoints below from it. */
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

  /** Public, despite its name. */
  TurnstileSiteKey: line(turnstile),
  TurnstileSecretKey: secret(turnstile),
}

const audit = { tab: 'system', section: 'audit', guard: 'reauth' } as const

const PORT = String.raw`(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`
const SYSLOG = new RegExp(String.raw`^$|^(?:udp|tcp|tls)://(?:[\w.-]+|\[[\da-fA-F:.]+\]):${PORT}$`)

/** Destinations of audit events; blank for none. */
export const auditOptions = {
  /** `tls://collector.example:6514`, or with `tcp://` or `udp://`. */
  'audit.syslog_address': line(audit, '', { pattern: SYSLOG, max: 300 }),
  'audit.webhook_url': httpsUrl(audit),
  'audit.webhook_secret': secret(audit),
}

const content = { tab: 'other', section: 'content', guard: 'reauth' } as const
const brand = { tab: 'other', section: 'brand' } as const
const custom = { tab: 'other', section: 'custom-code', guard: 'reauth' } as const

/** Texts and appearance of the site. */
export const contentOptions = {
  Notice: prose(content),
  /** Shows a new announcement in a dialog instead of a bar. */
  'content.announcement_modal_enabled': flag({ tab: 'other', section: 'content' }, false),
  About: prose(content),
  HomePageContent: prose(content),
  Footer: prose(content),
  /** Runs scripts in these HTML texts, in a frame without access to the console. */
  'content.trusted_html_enabled': flag(content, false),

  SystemName: line(brand, 'Tidegate', { max: 100, blankMeansDefault: true }),
  Logo: image(brand),

  custom_head_html: prose(custom),
  global_css: prose(custom),
  global_js: prose(custom),
}
