import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { api } from '@tidegate/contract'
import type { ApiClient, ThrowAwayDatabase } from '@tidegate/testing'
import { type BenchSite, LIMITS, openBenchSite } from '../harness/bench-site.ts'
import { outFolder } from '../harness/paths.ts'
import { runCommand } from '../harness/run-command.ts'
import { ofAnyProcess } from '../harness/start-process.ts'
import type { TidegateProcess } from '../harness/tidegate-process.ts'
import type { Cores } from '../machine/machine.ts'
import { MODEL } from '../gateway/start-targets.ts'
import { FIRST_ID, growAccounts, growLog, growTokens } from './grow-tables.ts'
import type { Sizes } from './plan-steps.ts'

const TOKENS_AT_ONCE = 100

/** A running site that can grow. */
export interface ScaleSite {
  readonly site: BenchSite
  readonly process: TidegateProcess
  /** Keys of the tokens in use, one account each. */
  readonly keyFile: string
  grow(to: Sizes): Promise<void>
  close(): Promise<void>
}

interface ScaleSiteOptions {
  readonly name: string
  readonly product: string
  readonly upstreamPort: number
  readonly cores: Cores
  readonly active: number
  readonly sizes: Sizes
}

export async function openScaleSite(options: ScaleSiteOptions): Promise<ScaleSite> {
  const { name, product, upstreamPort, cores, active, sizes } = options
  const accounts = Math.max(active, sizes.accounts)
  const keyFile = `${await outFolder('bodies')}keys-${name}.txt`
  const site = await openBenchSite({
    product,
    upstreamPort,
    models: [MODEL],
    cores: cores.target,
    async prepare(client, database) {
      await growAccounts(database, 0, accounts)
      await writeFile(keyFile, (await handOutTokens(client, database, active)).join('\n'))
    },
  })
  const running = await site.start(`tidegate-${name}`, { product, cores: cores.target })

  let now: Sizes = { accounts, tokens: active, channels: 1, logRows: 0 }
  const grow = async (to: Sizes) => {
    await growAccounts(site.database, now.accounts, to.accounts)
    await growTokens(site.database, now.tokens, to.tokens, Math.max(now.accounts, to.accounts))
    if (to.channels > now.channels) {
      const version = await running.metric('tidegate_catalog_version')
      await addChannels(product, site, upstreamPort, now.channels, to.channels)
      await untilNewer(running, version)
    }
    await growLog(site.database, now.logRows, to.logRows, Math.max(now.accounts, to.accounts))
    now = to
  }
  await grow(sizes)
  return {
    site,
    process: running,
    keyFile,
    grow,
    async close() {
      await running.stop()
      await site.close()
    },
  }
}

/** Created by the administrator through the API, which hashes the keys, then assigned to one account each. */
async function handOutTokens(client: ApiClient, { pool }: ThrowAwayDatabase, count: number): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < count) {
    const name = `active-${randomBytes(3).toString('hex')}`
    const expected = Math.min(TOKENS_AT_ONCE, count - keys.length)
    await client.call(api.createToken, { body: { ...LIMITS, name, unlimited_quota: true, count: expected } })
    const made = await client.call(api.listTokens, { query: { p: 0, size: TOKENS_AT_ONCE } })
    const fresh = made.filter((token) => token.name.startsWith(name))
    await pool.query(
      `update token set user_id = given.owner from unnest($1::bigint[], $2::bigint[]) as given (id, owner)
       where token.id = given.id`,
      [fresh.map(({ id }) => id), fresh.map((_, index) => FIRST_ID + 1 + keys.length + index)],
    )
    keys.push(...fresh.map(({ key }) => api.TOKEN_PREFIX + key))
  }
  return keys
}

/**
 * All channels serve the same model, so each request has this many candidates. Applied as a config file in one
 * transaction: adding them one by one would make every node reload its catalog each time.
 */
async function addChannels(
  product: string,
  { env }: BenchSite,
  upstreamPort: number,
  from: number,
  to: number,
): Promise<void> {
  const channels = Array.from({ length: to - from }, (_, index) => ({
    name: `bench ${from + index}`,
    type: 1,
    models: [MODEL],
    groups: ['default'],
    base_url: `http://127.0.0.1:${upstreamPort}`,
    keys: `sk-bench-${from + index}`,
  }))
  const folder = await outFolder('config')
  await writeFile(`${folder}channels.yaml`, JSON.stringify({ tidegate: 1, channels })) // JSON is valid YAML
  await runCommand(process.execPath, [product, 'config', 'apply', `${folder}channels.yaml`, '--yes'], {
    env: { ...ofAnyProcess(), ...env, TIDEGATE_DATA_DIR: folder, TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: 'true' },
  })
}

/** Waits until a process uses a catalog newer than the version. */
async function untilNewer(running: TidegateProcess, version: number): Promise<void> {
  while ((await running.metric('tidegate_catalog_version')) <= version) await pause(100)
}
