/** The options of the site, their checks, and the default prices of models. */
export {
  CATALOGUE,
  CATALOGUE_VERSION,
  SCHEDULES,
  abilitiesOf,
  limitsOf,
  listedFamily,
  listedModel,
  maxOutputOf,
  modelProvider,
  type CatalogueModel,
  type ModelLimits,
} from './default-prices/catalogue.ts'
export {
  DEFAULT_PRICES,
  presetPrices,
  ratioView,
  type PriceMaps,
  type RatioView,
} from './default-prices/default-prices.ts'
export { modelTraits, type ModelTraits, parameterRules, type ParameterRules } from './default-prices/parameter-rules.ts'
export type { NamedMap, OptionDefinition, OptionKind, OptionTab } from './definitions.ts'
export { guardOption, isFallbackComplete, enabledSignIns, type OptionConflict, type SignInService } from './guard.ts'
export { ModelMapping, type MappingTarget } from './models.ts'
export {
  OPTIONS,
  OPTION_KEYS,
  defaultOptionText,
  isOptionKey,
  optionDefinition,
  type OptionKey,
  type Settings,
} from './registry.ts'
export { localizedDefaults, parseOption, publicOptionRows, readSettings } from './settings.ts'
export { STRIPE_CURRENCIES, type StripeCurrency } from './stripe-currencies.ts'
export { optionsOfAreas, SETTINGS_AREA_NAMES, SETTINGS_AREAS, type SettingsArea } from '../roles.ts'
