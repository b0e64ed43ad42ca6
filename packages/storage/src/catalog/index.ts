export { buildCatalog, type Ability, type Catalog } from './catalog.ts'
export {
  channelKeyContext,
  channelKeyHash,
  splitKeys,
  type CatalogChannel,
  type UnreadableField,
} from './catalog-channel.ts'
export { readNameMap } from './channel-fields.ts'
export { startCatalogFeed, type CatalogFeed, type CatalogFeedOptions } from './catalog-feed.ts'
export { loadSettings } from './load-settings.ts'
export { loadCatalog, readCatalogVersion } from './load-catalog.ts'
export { touchCatalog } from './catalog-version.ts'
