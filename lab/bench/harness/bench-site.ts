import { randomBytes } from 'node:crypto'
import { api, type BodyInput } from '@tidegate/contract'
import {
  addChannel,
  apiClient,
  type ApiClient,
  removeDirectory,
  setUpSite,
  throwAwayDatabase,
  type ThrowAwayDatabase,
  throwAwayDirectory,
} from '@tidegate/testing'
import { startTidegate, type TidegateOptions, type TidegateProcess } from './tidegate-process.ts'

/** Models with this prefix are served by the channel of the Anthropic protocol. */
export const CROSS = 'cross-'
const ANTHROPIC = 14
const LARGE_QUOTA = 1_000_000_000_000_000

/** A site with an upstream, an account with credit, and a token with limits that are never reached. */
export interface BenchSite {
  readonly database: ThrowAwayDatabase
  /** The environment that every command of the product needs for this site. */
  readonly env: Readonly<Record<string, string>>
  readonly userId: number
  readonly secret: string
  /** An API token without limits of its own. */
  readonly unlimitedSecret: string
  start(name: string, options: SiteProcessOptions): Promise<TidegateProcess>
  /** Rows of requests in the usage log. */
  settledRequests(): Promise<number>
  close(): Promise<void>
}

type SiteProcessOptions = Omit<TidegateOptions, 'env' | 'name'> & { env?: Record<string, string> | undefined }

interface SiteOptions {
  readonly product: string
  readonly upstreamPort: number
  readonly models: readonly string[]
  readonly cores: string
  /** What is created through the API before the measurement. */
  readonly prepare?: (client: ApiClient, database: ThrowAwayDatabase) => Promise<void>
}

/** The first process only sets up the site. Measured processes start afterwards. */
export async function openBenchSite(options: SiteOptions): Promise<BenchSite> {
  const { product, upstreamPort, models, cores } = options
  const database = await throwAwayDatabase({ migrate: false, poolSize: 4 })
  const directories: string[] = []
  const env = { DATABASE_URL: database.url, TIDEGATE_SECRET: randomBytes(32).toString('hex') }

  const start: BenchSite['start'] = async (name, options) => {
    const dataDirectory = await throwAwayDirectory()
    directories.push(dataDirectory)
    return await startTidegate({ ...options, name, env: { ...env, ...options.env, TIDEGATE_DATA_DIR: dataDirectory } })
  }

  const first = await start('tidegate-setup', { product, cores })
  const client = apiClient(first.url)
  const user = await setUpSite(client)
  await seedSite(client, upstreamPort, models)
  await setCredit(database, user.id)
  const secret = await createToken(client, { name: 'limited', ...LIMITED })
  const unlimitedSecret = await createToken(client, { name: 'unlimited', unlimited_quota: true })
  await options.prepare?.(client, database)
  await first.stop()

  return {
    database,
    env,
    userId: user.id,
    secret,
    unlimitedSecret,
    start,
    async settledRequests() {
      const { rows } = await database.pool.query<{ count: string }>(
        'select count(*) as count from usage_log where type = 2',
      )
      return Number(rows[0]!.count)
    },
    async close() {
      await database.close()
      await Promise.all(directories.map(removeDirectory))
    },
  }
}

/** Creates an API token and returns it. The product may be an older build, whose tokens have fewer fields. */
async function createToken(client: ApiClient, body: BodyInput<typeof api.createToken>): Promise<string> {
  await client.send(api.createToken, { body })
  const { envelope } = await client.send(api.listTokens, { query: { p: 0, size: 100 } })
  const tokens = envelope.data as readonly Pick<api.ApiToken, 'name' | 'key'>[]
  return api.TOKEN_PREFIX + tokens.find(({ name }) => name === body.name)!.key
}

/** Every kind of limit is checked for every request, and none is reached. */
export const LIMITS = {
  rate_limit_enabled: true,
  rate_limit_period: 60,
  rate_limit_count: 2_000_000_000,
  rate_limit_success: 2_000_000_000,
  tokens_per_minute: api.MAX_TOKENS_PER_MINUTE,
  max_concurrency: api.MAX_CONCURRENCY,
}

/** Credit is leased from the token's quota and from the account. */
const LIMITED = { ...LIMITS, unlimited_quota: false, remain_quota: LARGE_QUOTA }

async function seedSite(client: ApiClient, upstreamPort: number, models: readonly string[]): Promise<void> {
  const upstream = { url: `http://127.0.0.1:${upstreamPort}` }
  const crossModels = models.map((model) => CROSS + model)
  await addChannel(client, upstream, { models: models.join(',') })
  await addChannel(client, upstream, { type: ANTHROPIC, models: crossModels.join(',') })
  const ones = Object.fromEntries([...models, ...crossModels].map((model) => [model, 1]))
  for (const key of ['ModelRatio', 'CompletionRatio']) {
    await client.call(api.updateOption, { body: { key, value: JSON.stringify(ones) } })
  }
}

/** Writes the ledger entry too, so that the ledger balances. */
async function setCredit({ pool }: ThrowAwayDatabase, userId: number): Promise<void> {
  await pool.query(
    `with given as (update "user" set quota = quota + $2 where id = $1 returning id)
     insert into ledger_entry (user_id, kind, amount) select id, 'admin_change', $2 from given`,
    [userId, LARGE_QUOTA],
  )
}
