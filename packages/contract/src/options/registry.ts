import { contentOptions } from './content.ts'
import type { OptionDefinition } from './define.ts'
import { claudeOptions } from './models/claude.ts'
import { geminiOptions } from './models/gemini.ts'
import { mappingOptions } from './models/mapping.ts'
import { relayOptions } from './models/relay.ts'
import { chatOptions } from './operation/chats.ts'
import { contentCheckOptions } from './operation/content-check.ts'
import { drawingOptions } from './operation/drawing.ts'
import { generalOptions } from './operation/general.ts'
import { groupOptions } from './operation/groups.ts'
import { monitoringOptions } from './operation/monitoring.ts'
import { priceOptions } from './operation/prices.ts'
import { quotaOptions } from './operation/quota.ts'
import { recordOptions } from './operation/records.ts'
import { shadowOptions } from './operation/shadow.ts'
import { rateLimitOptions } from './rate-limit.ts'
import { auditOptions } from './system/audit.ts'
import { loginOptions } from './system/login.ts'
import { mailOptions } from './system/mail.ts'
import { paymentOptions } from './system/payment.ts'
import { securityPolicyOptions } from './system/security-policy.ts'
import { signInServiceOptions } from './system/sign-in-services.ts'
import { siteOptions } from './system/site.ts'

/** Every option of the site by its key: the settings page, the server's checks and the docs all read this. */
export const OPTIONS = {
  ...generalOptions,
  ...quotaOptions,
  ...chatOptions,
  ...groupOptions,
  ...priceOptions,
  ...drawingOptions,
  ...contentCheckOptions,
  ...recordOptions,
  ...monitoringOptions,
  ...shadowOptions,
  ...rateLimitOptions,
  ...relayOptions,
  ...geminiOptions,
  ...claudeOptions,
  ...mappingOptions,
  ...siteOptions,
  ...paymentOptions,
  ...loginOptions,
  ...securityPolicyOptions,
  ...mailOptions,
  ...signInServiceOptions,
  ...auditOptions,
  ...contentOptions,
} satisfies Record<string, OptionDefinition>

export type OptionKey = keyof typeof OPTIONS
type ValueOf<Definition> = Definition extends OptionDefinition<infer Value> ? Value : never

/** All options as typed values. */
export type Settings = { readonly [Key in OptionKey]: ValueOf<(typeof OPTIONS)[Key]> }

/** In the order of the settings page. */
export const OPTION_KEYS = Object.keys(OPTIONS) as readonly OptionKey[]

export function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(OPTIONS, key)
}

export function optionDefinition(key: OptionKey): OptionDefinition {
  return OPTIONS[key]
}

export function defaultOptionText(key: OptionKey): string {
  const definition = optionDefinition(key)
  return definition.format(definition.default)
}
