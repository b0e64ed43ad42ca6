import { flag, integer } from '../define.ts'
import { commaList } from '../define-list.ts'

const login = { tab: 'system', section: 'login', guard: 'reauth' } as const
const mailDomains = { tab: 'system', section: 'mail-domains', guard: 'reauth' } as const

const DOMAIN = /^(?=.{1,253}$)([a-z0-9\p{L}](-*[a-z0-9\p{L}])*\.)+[a-z0-9\p{L}](-*[a-z0-9\p{L}])+$/u

/** Who may come in, and how. */
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
  /** More failed authentications in an hour send an alert to the super admin; 0 turns alerts off. */
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
