/** What models cost and can do, as their providers publish it. `catalogue.json` holds the data. */
export { CATALOGUE, CATALOGUE_VERSION, SCHEDULES, listedFamily, listedModel, type CatalogueModel } from './catalogue.ts'
export { DEFAULT_PRICES, ratioView, type PriceMaps, type RatioView } from './default-maps.ts'
export { abilitiesOf, limitsOf, maxOutputOf, vendorOf, type ModelLimits } from './model-facts.ts'
export { presetPrices } from './presets.ts'
