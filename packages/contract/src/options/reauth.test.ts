import { expect, it } from 'vitest'
import { OPTION_KEYS, optionDefinition, type OptionKey } from './index.ts'

/** Options that need re-authentication, by the reason. A new option belongs here or into `UNGUARDED`. */
const GUARDED = {
  secrets: `EpayKey GitHubClientSecret LinuxDOClientSecret SMTPToken TelegramBotToken TurnstileSecretKey WeChatServerToken
    WorkerValidKey audit.webhook_secret oidc.client_secret stripe.secret_key stripe.webhook_secret`,
  whereSecretsAndLinksGo: `ServerAddress WorkerUrl PayAddress EpayId CustomCallbackAddress SMTPServer SMTPPort SMTPAccount
    SMTPFrom SMTPSSLEnabled Chats TopUpLink audit.syslog_address audit.webhook_url`,
  whoMaySignIn: `PasswordLoginEnabled PasswordRegisterEnabled EmailVerificationEnabled RegisterEnabled SelfUseModeEnabled
    TurnstileCheckEnabled TurnstileSiteKey EmailDomainRestrictionEnabled EmailAliasRestrictionEnabled EmailDomainWhitelist
    GitHubOAuthEnabled GitHubClientId LinuxDOOAuthEnabled LinuxDOClientId LinuxDOMinimumTrustLevel TelegramOAuthEnabled
    TelegramBotName WeChatAuthEnabled WeChatServerAddress WeChatAccountQRCodeImageURL oidc.enabled oidc.client_id
    oidc.well_known oidc.authorization_endpoint oidc.token_endpoint oidc.user_info_endpoint`,
  detection: `security.auth_failure_alert_threshold security.new_device_mail_enabled`,
  policies: `security.require_two_factor_for_admins security.console_allowed_addresses security.session_days
    security.session_idle_minutes`,
  whichAddressIsBelieved: `ReverseProxyEnabled ReverseProxyProvider`,
  htmlAndScript: `Notice About HomePageContent Footer content.trusted_html_enabled custom_head_html global_css global_js`,
}

/** Addresses and system options that need none. */
const UNGUARDED = {
  plainLinksAndImages: `general_setting.docs_link Logo`,
  pricesOfBalance: `Price MinTopUp TopupGroupRatio stripe.enabled stripe.currency stripe.unit_price`,
}

const keysIn = (groups: Record<string, string>) => Object.values(groups).flatMap((keys) => keys.split(/\s+/))
const keysWhere = (test: (key: OptionKey, option: ReturnType<typeof optionDefinition>) => boolean) =>
  OPTION_KEYS.filter((key) => test(key, optionDefinition(key)))

it('requires re-authentication for exactly the options of secrets, their destinations, sign-in and scripts', () => {
  expect(keysWhere((_, { guard }) => guard === 'reauth').toSorted()).toEqual(keysIn(GUARDED).toSorted())
})

it('requires it for every secret', () => {
  expect(keysWhere((_, { secret, guard }) => secret && guard !== 'reauth')).toEqual([])
})

it('has a decision for every URL option and every system option', () => {
  const decided = new Set([...keysIn(GUARDED), ...keysIn(UNGUARDED)])
  const sensitiveName = /url|link|address|server|host|endpoint|proxy|html|css|js$|oauth|login|register/i

  expect(
    keysWhere(
      (key, { kind, tab }) => (kind === 'url' || tab === 'system' || sensitiveName.test(key)) && !decided.has(key),
    ),
  ).toEqual(['MjForwardUrlEnabled']) // only whether results contain the URL of the provider
})
