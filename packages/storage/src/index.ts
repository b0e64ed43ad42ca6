/** PostgreSQL and Redis: connections, schema, queries, secrets, the catalog, rate limits, backups. */
export { callerCache, type CallerCache, type CallerCacheOptions, type KnownCaller } from './callers.ts'
export { buildCatalog, type Ability, type Catalog } from './catalog/catalog.ts'
export {
  catalogChannel,
  channelKeyContext,
  channelKeyHash,
  readNameMap,
  splitKeys,
  type CatalogChannel,
  type UnreadableField,
} from './catalog/catalog-channel.ts'
export { startCatalogFeed, type CatalogFeed, type CatalogFeedOptions } from './catalog/catalog-feed.ts'
export { readCatalogVersion, touchCatalog } from './catalog/catalog-version.ts'
export { catalogFrom, loadCatalog, loadSettings, readCatalogRows, type CatalogRows } from './catalog/load-catalog.ts'
export { connectDatabase, ping, type ConnectOptions, type DatabaseHandle, type Db } from './connection/connect.ts'
export { LARGEST_SKEW_SECONDS, startDatabaseClock, type DatabaseClock } from './connection/database-clock.ts'
export { startDeadline } from './connection/deadline.ts'
export { inPipeline, type Pipeline } from './connection/pipeline.ts'
export { readServers } from './connection/servers.ts'
export { isUnavailable, UNAVAILABLE_RETRY_SECONDS } from './connection/query-deadline.ts'
export { cleanJson, jsonText } from './connection/values.ts'
export { encryptBackup, openBackup, type BackupSecret, type EncryptionHeader } from './dump/encryption.ts'
export { DumpError, FrameReader } from './dump/frames.ts'
export { checkDump, countServingConnections, loadDump, readHeader, type LoadOptions } from './dump/load-dump.ts'
export { keyFingerprint, type DumpFooter, type DumpHeader } from './dump/manifest.ts'
export { writeDump, type DumpOptions } from './dump/write-dump.ts'
export { resolveBinaries, type Binaries } from './embedded/binaries.ts'
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded/start-embedded-postgres.ts'
export { connectRedis, type RedisHandle, type RedisOptions } from './limits/connect-redis.ts'
export { createLimiter, type ProcessLimiter, type SharedLimits } from './limits/create-limiter.ts'
export type {
  BudgetState,
  RequestLimiter,
  Budget,
  ReleaseRequest,
  AcquireResult,
  AcquireRequest,
  RequestedBudget,
  Limiter,
  ConcurrencyLease,
  BudgetDecision,
} from './limits/limiter.ts'
export { limiterWithFallback, type FallbackOptions } from './limits/limiter-with-fallback.ts'
export { memoryLimiter, type MemoryLimiterOptions } from './limits/memory-limiter.ts'
export { redisLimiter, type RedisLimiterOptions } from './limits/redis-limiter.ts'
export { describeSchemaProblem, inspectSchema, migrateToLatest, type SchemaState } from './migrate.ts'
export { migrations } from './migrations/index.ts'
export {
  NOTIFICATION_CHANNEL,
  publish,
  parseNotification,
  type ChangeNotification,
} from './notifications/change-notifications.ts'
export { listen, type Listener, type ListenOptions } from './notifications/listen.ts'
export { startSharedListener, type ChangeSubscriber, type SharedListener } from './notifications/shared-listener.ts'
export {
  dropUsageLogPartitions,
  ensureUsageLogPartitions,
  listUsageLogPartitions,
  raiseUsageLogFloor,
  shrinkUsageLog,
  type UsageLogPartition,
} from './log-store/postgres/partitions.ts'
export * as logFeed from './log-store/postgres/feed.ts'
export { postgresLogStore } from './log-store/postgres/postgres-log-store.ts'
export { clickHouseBooks, type LogBooks, type LoggedHour } from './log-store/clickhouse/books.ts'
export { connectClickHouse, isClickHouseUrl, type ClickHouse } from './log-store/clickhouse/clickhouse.ts'
export {
  clickHouseLogStore,
  clickHouseReceiver,
  type RequestStore,
} from './log-store/clickhouse/clickhouse-log-store.ts'
export { returningRows, type ReturningRows } from './log-store/clickhouse/return-rows.ts'
export { mergeLogStores } from './log-store/merged-log-store.ts'
export * as movedRows from './log-store/outbox/move-rows.ts'
export { outboxLogWriter } from './log-store/outbox/outbox-writer.ts'
export { watchLogOutbox, type LogOutbox } from './log-store/outbox/watch-outbox.ts'
export * as logParcels from './log-store/outbox/parcels.ts'
export { repairParcel, shipParcels, type ParcelReceiver } from './log-store/outbox/ship-parcels.ts'
export * from './log-store/log-store.ts'
export * from './log-store/log-writer.ts'
export * from './queries/index.ts'
export * from './schema/index.ts'
export { VaultError } from './secrets/aead.ts'
export type { KeyRing, WrappedKey } from './secrets/key-ring.ts'
export {
  activateKey,
  loadKeyRing,
  registerRootKey,
  prepareKey,
  readKeyRows,
  retireKey,
  rewrapKeys,
  SecretKeyError,
} from './secrets/key-rows.ts'
export type { HashPurpose, SealPurpose } from './secrets/purposes.ts'
export { countSealed, resealAll, type ResealProgress, type SealedCount } from './secrets/reseal.ts'
export {
  configuredRootKey,
  keyFromSecret,
  keyFromPassphrase,
  loadRootKey,
  type SecretSource,
} from './secrets/root-key.ts'
export { rotateSecrets, type RotateOptions, type Rotation } from './secrets/rotate.ts'
export { openBytes, sealBytes } from './secrets/sealed-bytes.ts'
export { snapshotFile, type Snapshot, type SnapshotFile } from './snapshot/snapshot-file.ts'
export { isTaskToken, newTaskSecret, taskToken, type TaskPurpose } from './secrets/task-tokens.ts'
export { openVault, cacheHashes, type Vault } from './secrets/vault.ts'
export { writeBehind, type QueueMetrics, type WriteBehind } from './write-behind.ts'
