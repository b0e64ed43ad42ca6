import { api } from '@tidegate/contract'
import { inStatus, type Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { newEmail, newName, newAnonymousClient, PASSWORD, registrationResult } from '../anonymous-client.ts'

/** The result of a login with a wrong password. */
const loginResult = (site: EffectSite) =>
  newAnonymousClient(site).outcome(api.login, { body: { username: newName(), password: 'nothing-at-all' } })

const codeResult = (email: () => string) => (site: EffectSite) =>
  newAnonymousClient(site).outcome(api.requestVerification, { query: { email: email() } })

const checked = { TurnstileCheckEnabled: 'true' }

export const loginEffects = {
  PasswordLoginEnabled: {
    given: { GitHubOAuthEnabled: 'true' }, // there must be another way in
    value: 'false',
    probe: loginResult,
    before: 'login_failed',
    after: 'password_login_off',
  },
  PasswordRegisterEnabled: {
    value: 'false',
    probe: registrationResult,
    before: 'invalid_input',
    after: 'password_register_off',
  },
  'security.new_device_mail_enabled': { testedBy: 'packages/control/src/auth/login/new-device.db.test.ts' },
  'security.auth_failure_alert_threshold': { testedBy: 'packages/control/src/auth/auth-failures.db.test.ts' },
  'security.require_two_factor_for_admins': { testedBy: 'packages/control/src/auth/required-factor.db.test.ts' },
  'security.console_allowed_addresses': { testedBy: 'packages/control/src/auth/allowed-addresses.db.test.ts' },
  'security.session_days': { testedBy: 'packages/control/src/auth/sessions/session-length.db.test.ts' },
  'security.session_idle_minutes': { testedBy: 'packages/control/src/auth/sessions/session-length.db.test.ts' },
  RegisterEnabled: { value: 'false', probe: registrationResult, before: 'invalid_input', after: 'register_off' },
  EmailVerificationEnabled: {
    value: 'true',
    probe: (site) =>
      newAnonymousClient(site).outcome(api.register, { body: { username: newName(), password: PASSWORD } }),
    before: 'done',
    after: 'email_code_required',
  },

  EmailDomainRestrictionEnabled: {
    value: 'true',
    probe: codeResult(newEmail),
    before: 'done',
    after: 'email_domain_not_allowed',
  },
  EmailDomainWhitelist: {
    given: { EmailDomainRestrictionEnabled: 'true' },
    value: 'gmail.com,reef.example',
    probe: codeResult(newEmail),
    before: 'email_domain_not_allowed',
    after: 'done',
  },
  EmailAliasRestrictionEnabled: {
    value: 'true',
    probe: codeResult(() => `first.${newEmail()}`),
    before: 'done',
    after: 'email_alias_not_allowed',
  },

  TurnstileCheckEnabled: { value: 'true', probe: loginResult, before: 'login_failed', after: 'turnstile_empty' },
  TurnstileSiteKey: inStatus('turnstile_site_key', 'other-site-key', 'turnstile-site-key', 'other-site-key'),
  TurnstileSecretKey: {
    given: checked,
    value: 'other-secret',
    async probe(site) {
      const { turnstile } = site.services
      const query = { turnstile: turnstile.issue({ hostname: 'gate.example' }) }
      const body = { username: newName(), password: 'nothing-at-all' }
      const outcome = await newAnonymousClient(site).outcome(api.login, { query, body })
      return [turnstile.received.at(-1)?.['secret'], outcome]
    },
    before: ['turnstile-secret', 'login_failed'],
    after: ['other-secret', 'turnstile_failed'],
  },
} satisfies Rows
