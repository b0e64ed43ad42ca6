import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  type ApiClient,
  COMPILE_CACHE,
  fakeUpstream,
  SUPER_ADMIN,
  tokenSealer,
} from '@tidegate/testing'
import { sql } from 'kysely'
import { verifyBooks, type Db } from './books.ts'
import { sendChat } from './send-chat.ts'
import { seedSite, MODEL, openSite, type Site } from './site.ts'
import { until } from './until.ts'

const TIDEGATE = fileURLToPath(new URL('../../apps/server/dist/tidegate.mjs', import.meta.url))

export interface RotationPlan {
  /** Encrypted API tokens to rotate. */
  values: number
  /** Kills a first attempt halfway. */
  kill: boolean
  /** Concurrent requests at each node. */
  callers: number
  /** Between two requests or changes of a client. Default: none. */
  pauseMs?: number
  /** How long nodes get to load the keys. */
  settleSeconds: number
}

export interface RotationResult {
  failures: string[]
  /** Values that the completed attempt encrypted again. */
  resealed: number
  requests: number
  edits: number
  seconds: number
}

/** Rotates the data key of a site with two nodes while both serve requests and an administrator changes and reads secrets. */
export async function rotateUnderLoad({
  values,
  kill,
  callers,
  pauseMs = 0,
  settleSeconds,
}: RotationPlan): Promise<RotationResult> {
  const upstream = await fakeUpstream()
  const site = await openSite()
  const nodes = [await site.start(), await site.start({ env: { PORT: '0' } })]
  try {
    const { client } = await seedSite(nodes[0]!.url, upstream)
    const { secret } = await addToken(client)
    const keys = await insertTokens(site, client.userId!, values)
    const load = await startLoad(
      nodes.map(({ url }) => url),
      { secret, upstream, callers, pauseMs },
    )
    if (kill) await killHalfway(site, values)
    const startedAt = performance.now()
    const output = await tidegate(site, 'rotate', '--settle-seconds', String(settleSeconds))
    const seconds = (performance.now() - startedAt) / 1000
    await tidegate(site, 'retire', '1')
    const { requests, edits, failures } = await load.stop()
    failures.push(...(await readBack(nodes[1]!.url, keys)))
    const left = await countOthers(site.database.db)
    if (left > 0) failures.push(`${left} tokens are not sealed with key 2`)
    for (const node of nodes) await node.stop()
    const imbalances = await verifyBooks(site.env, site.dataDirectory)
    if (imbalances !== '') failures.push(`verify: ${imbalances}`)
    const resealed = Number(/(\d+) values encrypted again with key 2/.exec(output)?.[1])
    return { failures, requests, edits, seconds, resealed }
  } finally {
    for (const node of nodes) await node.kill()
    await site.close()
    await upstream.close()
  }
}

/** Returns their keys. */
async function insertTokens({ database, env }: Site, userId: number, count: number): Promise<string[]> {
  const seal = tokenSealer(env['TIDEGATE_SECRET']!)
  const keys = Array.from({ length: count }, () => randomBytes(24).toString('hex'))
  for (let from = 0; from < count; from += 5_000) {
    const rows = keys.slice(from, from + 5_000).map((key, index) => ({ ...seal(key), name: `sealed ${from + index}` }))
    await sql`
      insert into token (user_id, hash, sealed_key, hint, name, unlimited_quota)
      select ${userId}, hash, sealed_key, '', name, true
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(hash text, sealed_key text, name text)`.execute(
      database.db,
    )
  }
  return keys
}

interface Load {
  stop(): Promise<{ requests: number; edits: number; failures: string[] }>
}

/** Sends requests to every node, while an administrator at each node changes and reads secrets. */
async function startLoad(
  urls: readonly string[],
  {
    secret,
    upstream,
    callers,
    pauseMs,
  }: { secret: string; upstream: { url: string }; callers: number; pauseMs: number },
): Promise<Load> {
  const over = new AbortController()
  const failures: string[] = []
  let requests = 0
  let edits = 0
  const body = { model: MODEL, stream: false, max_tokens: 5, messages: [{ role: 'user' as const, content: 'hello' }] }
  const again = async (work: () => Promise<void>) => {
    while (!over.signal.aborted) {
      await work().catch((error: unknown) => void failures.push(String(error)))
      if (pauseMs > 0) await delay(pauseMs)
    }
  }
  const workers = urls.flatMap((url) => [
    ...Array.from({ length: callers }, () =>
      again(async () => {
        const { outcome, code } = await sendChat({ url, key: secret, body })
        requests += 1
        if (outcome !== 'complete') failures.push(`a request ended ${outcome} (${code})`)
      }),
    ),
    logIn(url).then((admin) => {
      let turn = 0
      return again(async () => {
        await editSecrets(admin, { upstream, name: `${url} ${(turn += 1)}` })
        edits += 1
      })
    }),
  ])
  return {
    async stop() {
      over.abort()
      await Promise.all(workers)
      return { requests, edits, failures }
    },
  }
}

async function logIn(url: string): Promise<ApiClient> {
  const client = apiClient(url)
  await client.login(SUPER_ADMIN.username, SUPER_ADMIN.password)
  return client
}

/** Writes and reads back a secret option, a channel key and a redemption code. */
async function editSecrets(
  admin: ApiClient,
  { upstream, name }: { upstream: { url: string }; name: string },
): Promise<void> {
  await admin.call(api.updateOption, { body: { key: 'SMTPToken', value: `secret of ${name}` } })
  await addChannel(admin, upstream, { name, models: 'unused-model', key: `sk-${name}` })
  const [code] = await admin.call(api.createRedemptions, { body: { name: 'rotation', quota: 1 } })
  const { quota } = await admin.call(api.redeem, { body: { key: code! } })
  if (quota !== 1) throw new Error(`a code was worth ${quota}`)
}

async function killHalfway(site: Site, values: number): Promise<void> {
  const child = spawn(process.execPath, [TIDEGATE, 'secrets', 'rotate'], { env: environmentOf(site), stdio: 'ignore' })
  const exited = once(child, 'exit')
  const isHalf = async () => values - (await countOthers(site.database.db)) >= values / 2
  if (!(await until(isHalf, 120_000))) throw new Error('the rotation did not get half of the way')
  child.kill('SIGKILL')
  await exited
}

async function countOthers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from token where sealed_key not like 'v2.%'`.execute(db)
  return rows[0]!.count
}

async function tidegate(site: Site, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [TIDEGATE, 'secrets', ...args], {
    env: environmentOf(site),
  })
  return stdout
}

function environmentOf({ env, dataDirectory }: Site): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, ...COMPILE_CACHE, TIDEGATE_DATA_DIR: dataDirectory, ...env }
}

/** Compares the keys that the console shows and the secrets that were written last. */
async function readBack(url: string, keys: readonly string[]): Promise<string[]> {
  const client = await logIn(url)
  const expected = new Set(keys)
  const shown = await client.call(api.listTokens, { query: { p: 0, size: 100 } })
  const wrong = shown.filter(({ name, key }) => name.startsWith('sealed ') && !expected.has(key.replace(/^sk-/, '')))
  return wrong.map(({ name }) => `the key of ${name} reads differently`)
}
