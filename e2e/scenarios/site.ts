import { randomBytes } from 'node:crypto'
import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  type ApiClient,
  type FakeUpstream,
  migratedTemplate,
  removeDirectory,
  type RunningServer,
  type ServerOptions,
  setUpSite,
  startServer,
  throwAwayDatabase,
  type ThrowAwayDatabase,
  throwAwayDirectory,
  throwAwayRedis,
} from '@tidegate/testing'

/** A model with a price of 1 per token, so that the quota equals the tokens. */
export const MODEL = 'proof-model'

/** A private site: a database, a Redis prefix and a data directory that outlive its servers. */
export interface Site {
  readonly database: ThrowAwayDatabase
  readonly dataDirectory: string
  readonly env: Record<string, string>
  start(options?: Pick<ServerOptions, 'args' | 'env'>): Promise<RunningServer>
  close(): Promise<void>
}

interface SiteOptions {
  /** Replaces the test Redis, for scenarios that stop it. */
  redisUrl?: string | undefined
  /** The address of ClickHouse, for log rows. */
  logStore?: string | undefined
}

export async function openSite({ redisUrl, logStore }: SiteOptions = {}): Promise<Site> {
  // The first server migrates the database, unless the run shares a migrated one, which halves the start time.
  const migrate = migratedTemplate() !== undefined
  const database = await throwAwayDatabase({ migrate, poolSize: 4 })
  const redis = throwAwayRedis()
  const dataDirectory = await throwAwayDirectory()
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl ?? redis.url,
    TIDEGATE_REDIS_PREFIX: redis.prefix,
    TIDEGATE_SECRET: randomBytes(32).toString('hex'),
    ...(logStore !== undefined && { TIDEGATE_LOG_STORE: logStore }),
  }
  return {
    database,
    dataDirectory,
    env,
    start: (options = {}) => startServer({ args: options.args, env: { ...env, ...options.env }, dataDirectory }),
    async close() {
      await Promise.all([database.close(), redis.close(), removeDirectory(dataDirectory)])
    },
  }
}

export interface SeededSite {
  client: ApiClient
  userId: number
}

/** Sets up a new site with a channel to the upstream and the model that costs 1 per token. */
export async function seedSite(url: string, upstream: Pick<FakeUpstream, 'url'>): Promise<SeededSite> {
  const client = apiClient(url)
  const user = await setUpSite(client)
  await addChannel(client, upstream, { models: `${MODEL},sora-2` })
  for (const key of ['ModelRatio', 'CompletionRatio']) {
    await client.call(api.updateOption, { body: { key, value: JSON.stringify({ [MODEL]: 1 }) } })
  }
  return { client, userId: user.id }
}

export async function limitedToken(client: ApiClient, quota: number): Promise<string> {
  return (await addToken(client, { unlimited_quota: false, remain_quota: quota })).secret
}
