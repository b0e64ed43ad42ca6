/** The settings of the site: what exists, how it is read, and what may not be combined. */
export * from './default-prices/index.ts'
export type { OptionDefinition, OptionKind, OptionTab } from './define.ts'
export type { NamedMap } from './define-json.ts'
export { isFallbackComplete } from './fallback-prices.ts'
export { defaultTexts } from './default-texts.ts'
export { guardOption, type OptionObjection } from './guard.ts'
export { ModelMapping, type MappingTarget } from './models/mapping.ts'
export {
  OPTIONS,
  OPTION_KEYS,
  defaultOptionText,
  isOptionKey,
  optionDefinition,
  type OptionKey,
  type Settings,
} from './registry.ts'
export { parseOption, publicOptionRows, readSettings } from './settings.ts'
export { STRIPE_CURRENCIES, type StripeCurrency } from './system/stripe-currencies.ts'
export { openSignIns, type SignInService } from './sign-ins.ts'
export { optionsOfAreas, SETTINGS_AREA_NAMES, SETTINGS_AREAS, type SettingsArea } from '../settings-areas.ts'
