import { section } from './section.ts'

const DOMAIN = { expression: /^[^\s@/:]+\.[^\s@/:]+$/, message: 'domains' } as const
/** A rough check. The server validates addresses. */
const ADDRESS = { expression: /^[\da-f.:]+(\/\d{1,3})?$/i, message: 'addresses' } as const
const EMAIL = { expression: /^$|^[^\s<>,;@]+@[^\s<>,;@]+$/, message: 'email' } as const
const SYSLOG = { expression: /^$|^(udp|tcp|tls):\/\/\S+:\d{1,5}$/, message: 'syslog' } as const
const CURRENCY = { expression: /^([a-z]{3})?$/, message: 'currency' } as const

export const SYSTEM_SECTIONS = [
  section('system', 'site', ['ServerAddress']),
  section('system', 'login', [
    'RegisterEnabled',
    'PasswordLoginEnabled',
    'PasswordRegisterEnabled',
    'EmailVerificationEnabled',
    'TurnstileCheckEnabled',
    'GitHubOAuthEnabled',
    'oidc.enabled',
    'LinuxDOOAuthEnabled',
    'WeChatAuthEnabled',
    'TelegramOAuthEnabled',
    'security.new_device_mail_enabled',
    'security.auth_failure_alert_threshold',
  ]),
  section('system', 'policy', [
    'security.require_two_factor_for_admins',
    { key: 'security.console_allowed_addresses', pattern: ADDRESS },
    { key: 'security.session_days', unit: 'days' },
    { key: 'security.session_idle_minutes', unit: 'minutes' },
  ]),
  section('system', 'mailDomains', [
    'EmailDomainRestrictionEnabled',
    'EmailAliasRestrictionEnabled',
    { key: 'EmailDomainWhitelist', needs: 'EmailDomainRestrictionEnabled', pattern: DOMAIN },
  ]),
  section('system', 'smtp', [
    'SMTPServer',
    'SMTPPort',
    'SMTPAccount',
    { key: 'SMTPFrom', pattern: EMAIL },
    'SMTPToken',
    'SMTPSSLEnabled',
  ]),
  section('system', 'turnstile', ['TurnstileSiteKey', 'TurnstileSecretKey']),
  section('system', 'github', ['GitHubClientId', 'GitHubClientSecret']),
  section('system', 'oidc', [
    'oidc.client_id',
    'oidc.client_secret',
    'oidc.well_known',
    'oidc.authorization_endpoint',
    'oidc.token_endpoint',
    'oidc.user_info_endpoint',
  ]),
  section('system', 'linuxdo', ['LinuxDOClientId', 'LinuxDOClientSecret', 'LinuxDOMinimumTrustLevel']),
  section('system', 'wechat', [
    'WeChatServerAddress',
    'WeChatServerToken',
    { key: 'WeChatAccountQRCodeImageURL', isImage: true },
  ]),
  section('system', 'telegram', ['TelegramBotName', 'TelegramBotToken']),
  section('system', 'payment', [
    'PayAddress',
    'EpayId',
    'EpayKey',
    'CustomCallbackAddress',
    'Price',
    { key: 'MinTopUp', unit: 'dollars' },
    'TopupGroupRatio',
  ]),
  section('system', 'stripe', [
    'stripe.enabled',
    'stripe.secret_key',
    'stripe.webhook_secret',
    { key: 'stripe.currency', pattern: CURRENCY },
    'stripe.unit_price',
  ]),
  section('system', 'proxy', ['ReverseProxyEnabled', 'ReverseProxyProvider']),
  section('system', 'worker', ['WorkerUrl', 'WorkerValidKey']),
  section('system', 'audit', [
    { key: 'audit.syslog_address', pattern: SYSLOG },
    'audit.webhook_url',
    'audit.webhook_secret',
  ]),

  section('other', 'brand', ['SystemName', { key: 'Logo', isImage: true }]),
  section('other', 'content', [
    { key: 'Notice', lines: 'prose' },
    'content.announcement_modal_enabled',
    { key: 'HomePageContent', lines: 'prose' },
    { key: 'About', lines: 'prose' },
    { key: 'Footer', lines: 'code' },
    'content.trusted_html_enabled',
  ]),
  section('other', 'customCode', [
    { key: 'custom_head_html', lines: 'code' },
    { key: 'global_css', lines: 'code' },
    { key: 'global_js', lines: 'code' },
  ]),
]
