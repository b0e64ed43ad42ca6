import { setTimeout as delay } from 'node:timers/promises'
import { api } from '@tidegate/contract'
import {
  addToken,
  apiClient,
  fakeUpstream,
  type ApiClient,
  type FakeUpstream,
  type RunningServer,
} from '@tidegate/testing'
import { countStatements, type StatementCounter } from './count-statements.ts'
import { freePort } from './private-services.ts'
import { behindProxy, bringBack, type ProxiedService, takeAway } from './behind-proxy.ts'
import { setBalance, usageRows, verifyBooks } from './books.ts'
import { sendChat, type ChatResult } from './send-chat.ts'
import { MODEL, openSite, seedSite, type Site } from './site.ts'
import { until } from './until.ts'

export interface OutagePlan {
  /** Users with a large balance; above 50, their API tokens with a limit. */
  accounts: number
  /** Of each account. Default: 2. */
  requestsPerSecond?: number
  /** Kills the gateway in the middle of the outage and starts it again. */
  restart?: boolean
  /** How long the accounts send requests before the outage. */
  warmUpSeconds: number
  /** How long PostgreSQL and Redis are away. */
  outageSeconds: number
  /** Repeats the outage, with two seconds between two of them. Default: 1. */
  times?: number
}

export interface OutageResult {
  /** Requests of known callers during the outages. */
  known: { served: number; rejected: number; broken: number }
  /** Until the first request of a known caller was rejected, or to the end of the first outage. */
  servedSeconds: number
  /** Statuses of a key that no process knows, during the outages. */
  unknown: Record<number, number>
  /** Statuses of `/readyz` and `/readyz?strict=1` during the outages. */
  readiness: Record<number, number>
  strictReadiness: Record<number, number>
  /** From the end of the last outage to the first response for a key that was not known before. */
  recoverySeconds: number
  /** From the kill to the first response of the restarted gateway, in seconds. */
  restartSeconds?: number
  /** Statements that the database received in each second after its return. */
  statements: number[]
  /** The beginnings of the statements of the first second. */
  firstStatements: string[]
  requests: number
  /** Everything that is wrong. */
  failures: string[]
}

const PASSWORD = 'spring-tide-44'
const BALANCE = 1_000_000_000
const MAX_USERS = 50
const RETURN_SECONDS = 5
const BETWEEN_OUTAGES_MS = 2_000
const RECOVERED_WITHIN_MS = 30_000

/** Takes PostgreSQL and Redis away from a gateway under load, and compares what clients saw with the books. */
export async function runOutage(plan: OutagePlan): Promise<OutageResult> {
  const site = await openSite()
  const upstream = await fakeUpstream()
  const counter = countStatements()
  const database = await behindProxy(site.env.DATABASE_URL!, counter.observe)
  const redis = await behindProxy(site.env.REDIS_URL!)
  let server: RunningServer | undefined
  try {
    // The same port after a restart, so that clients find the gateway again.
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      TIDEGATE_PROCESSES: '1',
      PORT: String(await freePort()),
    }
    const start = async () => (server = await site.start({ env }))
    await start()
    return await observeOutages(
      { site, upstream, start, server: () => server!, away: [database, redis], counter },
      plan,
    )
  } finally {
    await server?.kill()
    await Promise.all([database.proxy.close(), redis.proxy.close()])
    await site.close()
    await upstream.close()
  }
}

interface OutageSite {
  site: Site
  upstream: FakeUpstream
  server(): RunningServer
  start(): Promise<RunningServer>
  away: readonly ProxiedService[]
  counter: StatementCounter
}

async function observeOutages(
  { site, upstream, server, start, away, counter }: OutageSite,
  { accounts, requestsPerSecond = 2, restart, warmUpSeconds, outageSeconds, times = 1 }: OutagePlan,
): Promise<OutageResult> {
  const { url } = server()
  const { client } = await seedSite(url, upstream)
  const keys = await addAccounts(site, client, url, accounts)
  const [fresh] = await addAccounts(site, client, url, 1, 'fresh')
  const load = startLoad(url, keys, requestsPerSecond)
  await delay(warmUpSeconds * 1000)

  const result: OutageResult = {
    known: { served: 0, rejected: 0, broken: 0 },
    servedSeconds: outageSeconds,
    unknown: {},
    readiness: {},
    strictReadiness: {},
    recoverySeconds: 0,
    statements: [],
    firstStatements: [],
    requests: 0,
    failures: [],
  }
  const outages: { from: number; to: number }[] = []
  const restarts: typeof outages = []
  for (let round = 0; round < times; round += 1) {
    if (round > 0) await delay(BETWEEN_OUTAGES_MS)
    takeAway(away)
    const from = performance.now()
    if (restart) {
      await observe(url, outageSeconds * 500, result)
      restarts.push(await restartServer(server(), start, keys[0]!))
      await observe(url, outageSeconds * 500, result)
    } else {
      await observe(url, outageSeconds * 1000, result)
    }
    outages.push({ from, to: performance.now() })
    counter.reset()
    bringBack(away)
  }

  const returnedAt = performance.now()
  const isBack = await until(async () => (await chat(url, fresh!)).outcome === 'complete', RECOVERED_WITHIN_MS)
  if (!isBack) result.failures.push(`not back after ${RECOVERED_WITHIN_MS / 1000} s`)
  result.recoverySeconds = (performance.now() - returnedAt) / 1000
  await delay(returnedAt + RETURN_SECONDS * 1000 - performance.now())
  result.statements = counter.perSecond().slice(0, RETURN_SECONDS)
  result.firstStatements = counter.textsIn(0)
  const sent = await load.stop()
  result.requests = sent.length
  const [restarted] = restarts
  if (restarted) result.restartSeconds = (restarted.to - restarted.from) / 1000
  // No process serves requests during the restart.
  const isWhileRestarted = ({ startedAt, endedAt }: SentRequest) =>
    restarts.some(({ from, to }) => startedAt < to && endedAt > from)
  const requests = sent.filter((request) => !isWhileRestarted(request))

  const during = requests.filter(({ startedAt }) => outages.some(({ from, to }) => startedAt >= from && startedAt < to))
  for (const { outcome } of during) {
    if (outcome === 'complete') result.known.served += 1
    else result.known[outcome === 'rejected' ? 'rejected' : 'broken'] += 1
  }
  const firstRejected = during.find(({ startedAt, outcome }) => startedAt < outages[0]!.to && outcome !== 'complete')
  if (firstRejected) result.servedSeconds = (firstRejected.startedAt - outages[0]!.from) / 1000
  const wrong = requests.filter(({ outcome, status }) => outcome !== 'complete' && status !== 503)
  if (wrong.length > 0) result.failures.push(`unexpected: ${JSON.stringify(wrong.slice(0, 3))}`)

  await server().stop()
  await compareWithLog(site, sent, result.failures)
  return result
}

/** Every complete request is billed exactly once, and no other one. */
async function compareWithLog(site: Site, requests: readonly SentRequest[], failures: string[]): Promise<void> {
  const times = new Map<string, number>()
  for (const { request_id } of await usageRows(site.database.db))
    times.set(request_id, (times.get(request_id) ?? 0) + 1)
  const unbilled = requests.filter(({ outcome, requestId }) => outcome === 'complete' && times.get(requestId!) !== 1)
  if (unbilled.length > 0) failures.push(`${unbilled.length} complete requests are not billed exactly once`)
  const books = await verifyBooks(site.env, site.dataDirectory)
  if (books !== '') failures.push(books)
}

/** Asks for readiness and with an unknown key once per second. */
async function observe(url: string, milliseconds: number, result: OutageResult): Promise<void> {
  const end = performance.now() + milliseconds
  const count = (counts: Record<number, number>, status: number) => (counts[status] = (counts[status] ?? 0) + 1)
  while (performance.now() < end) {
    const [ready, strict, unknown] = await Promise.all([
      fetch(`${url}/readyz`),
      fetch(`${url}/readyz?strict=1`),
      chat(url, 'sk-unknown-key'),
    ])
    await Promise.all([ready.text(), strict.text()])
    count(result.readiness, ready.status)
    count(result.strictReadiness, strict.status)
    count(result.unknown, unknown.status ?? 0)
    await delay(Math.min(1_000, Math.max(0, end - performance.now())))
  }
}

interface SentRequest extends ChatResult {
  readonly startedAt: number
  readonly endedAt: number
}

/** Kills the gateway like a crash. Returns from when to when it did not serve. */
async function restartServer(
  server: RunningServer,
  start: () => Promise<RunningServer>,
  key: string,
): Promise<{ from: number; to: number }> {
  const from = performance.now()
  await server.kill()
  const { url } = await start()
  await until(async () => (await chat(url, key)).outcome === 'complete', RECOVERED_WITHIN_MS)
  return { from, to: performance.now() }
}

/** Requests are sent on time, even when responses are late. */
function startLoad(url: string, keys: readonly string[], requestsPerSecond: number) {
  const sent: SentRequest[] = []
  const open = new Set<Promise<void>>()
  let next = 0
  const timer = setInterval(
    () => {
      const startedAt = performance.now()
      const request = chat(url, keys[next++ % keys.length]!).then(
        (outcome) => void sent.push({ ...outcome, startedAt, endedAt: performance.now() }),
      )
      open.add(request)
      void request.finally(() => open.delete(request))
    },
    1000 / (requestsPerSecond * keys.length),
  )
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      return sent.sort((a, b) => a.startedAt - b.startedAt)
    },
  }
}

function chat(url: string, key: string): Promise<ChatResult> {
  const messages = [{ role: 'user' as const, content: 'when does the tide turn?' }]
  return sendChat({ url, key, body: { model: MODEL, stream: false, messages, max_tokens: 50 } })
}

/** API keys of so many accounts. */
async function addAccounts(
  site: Site,
  admin: ApiClient,
  url: string,
  count: number,
  prefix = 'caller',
): Promise<string[]> {
  const users = Math.min(count, MAX_USERS)
  const keys: string[] = []
  for (let index = 0; index < users; index += 1) {
    const client = await addUser(site, admin, url, `${prefix}-${index}`)
    const tokens = Math.floor(count / users) + (index < count % users ? 1 : 0)
    const limit = count > users ? { unlimited_quota: false, remain_quota: BALANCE } : {}
    for (let token = 0; token < tokens; token += 1) keys.push((await addToken(client, limit)).secret)
  }
  return keys
}

async function addUser(site: Site, admin: ApiClient, url: string, username: string): Promise<ApiClient> {
  await admin.call(api.createUser, { body: { username, display_name: username, password: PASSWORD } })
  const client = apiClient(url)
  const { id } = await client.login(username, PASSWORD)
  await setBalance(site.database.db, id, BALANCE)
  return client
}
