import {
  auditOptions,
  contentOptions,
  loginOptions,
  mailOptions,
  paymentOptions,
  securityPolicyOptions,
  signInServiceOptions,
  siteOptions,
} from './system.ts'
import type { OptionDefinition } from './definitions.ts'
import { claudeOptions, geminiOptions, mappingOptions, relayOptions } from './models.ts'
import {
  chatOptions,
  contentCheckOptions,
  taskOptions,
  generalOptions,
  groupOptions,
  monitoringOptions,
  priceOptions,
  quotaOptions,
  rateLimitOptions,
  batchOptions,
  recordOptions,
  shadowOptions,
} from './operation.ts'

/** Every option of the site by its key. The settings page, the server and the docs use it. */
export const OPTIONS = {
  ...generalOptions,
  ...quotaOptions,
  ...chatOptions,
  ...groupOptions,
  ...priceOptions,
  ...taskOptions,
  ...contentCheckOptions,
  ...recordOptions,
  ...batchOptions,
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
