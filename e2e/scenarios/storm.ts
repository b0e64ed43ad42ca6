import { setTimeout as delay } from 'node:timers/promises'
import { api } from '@tidegate/contract'
import { addChannel, type ApiClient, fakeUpstream, type FakeUpstream, type RunningServer } from '@tidegate/testing'
import { sql } from 'kysely'
import { setBalance, spendable, usageRows, verifyBooks, type Db } from './books.ts'
import type { SendAll } from './clients.ts'
import { sendChat, type ChatRequest, type ChatResult } from './send-chat.ts'
import { seedSite, limitedToken, MODEL, openSite, type SeededSite, type Site } from './site.ts'
import { until } from './until.ts'

export interface StormPlan {
  requests: number
  gateways: number
  callers: SendAll
  /** Default: all. */
  cases?: readonly StormCase[]
}

/** What the requests of a case ask for and what the provider returns. */
export interface StormCase {
  readonly name: string
  readonly model: string
  readonly completionRatio: number
  /** The output limit of the client. */
  readonly limit?: number
  /** Reasoning tokens that the provider counts but does not show. */
  readonly hiddenReasoning?: number
}

/** Price ratios of real providers, with and without an output limit of the client, and with hidden reasoning. */
export const STORM_CASES: readonly StormCase[] = [
  { name: 'limit 64, ratio 4', model: 'gpt-4o', completionRatio: 4, limit: 64 },
  { name: 'limit 64, ratio 8', model: 'gpt-5', completionRatio: 8, limit: 64 },
  { name: 'no limit, ratio 4', model: 'gpt-4o', completionRatio: 4 },
  { name: 'limit 80,000, 60,000 hidden', model: 'gpt-5', completionRatio: 8, limit: 80_000, hiddenReasoning: 60_000 },
  { name: 'no limit, 60,000 hidden', model: 'gpt-5', completionRatio: 8, hiddenReasoning: 60_000 },
]

export interface StormRow {
  readonly case: string
  readonly served: number
  readonly reachedUpstream: number
  readonly rejected: number
  /** What the provider bills, at our prices. */
  readonly providerCost: number
  readonly charged: number
  /** The lowest balance of user and token that was observed. */
  readonly lowestBalance: number
  readonly samples: number
  readonly milliseconds: number
}

export interface StormResult {
  readonly rows: readonly StormRow[]
  /** Everything that is wrong. */
  readonly failures: string[]
}

const API_ERRORS = new Set(['insufficient_quota'])
const MAX_TOKENS = 64
const MAX_UNSENT = 5
const RECORDED_MS = 30_000

interface StormSite {
  site: Site
  upstream: FakeUpstream
  servers: RunningServer[]
  seeded: SeededSite
  failures: string[]
}

/** Sends far more requests than the account can pay, on one or more gateways of one site. */
export async function runStorm(plan: StormPlan): Promise<StormResult> {
  const upstream = await fakeUpstream()
  const site = await openSite()
  const servers: RunningServer[] = []
  try {
    servers.push(await site.start())
    const seeded = await seedSite(servers[0]!.url, upstream)
    await addCaseModels(seeded.client, upstream)
    // All share one data directory: their journals must not conflict either.
    while (servers.length < plan.gateways) servers.push(await site.start({ args: ['--role', 'gateway'] }))
    const field: StormSite = { site, upstream, servers, seeded, failures: [] }

    const rows: StormRow[] = []
    for (const each of plan.cases ?? STORM_CASES) rows.push(await runStormCase(field, plan, each))
    await spendTheLastUnitAnywhere(field)
    await outgrowTheReservation(field)
    await Promise.all(servers.splice(0).map((server) => server.stop()))
    const imbalances = await verifyBooks(site.env, site.dataDirectory)
    if (imbalances !== '') field.failures.push(`verify: ${imbalances}`)
    return { rows, failures: field.failures }
  } finally {
    await Promise.all(servers.map((server) => server.kill()))
    await site.close()
    await upstream.close()
  }
}

async function addCaseModels(client: ApiClient, upstream: FakeUpstream): Promise<void> {
  const ratios = Object.fromEntries(STORM_CASES.map(({ model, completionRatio }) => [model, completionRatio]))
  await addChannel(client, upstream, { models: Object.keys(ratios).join() })
  const modelRatio = { [MODEL]: 1, ...Object.fromEntries(Object.keys(ratios).map((model) => [model, 1])) }
  const options = { ModelRatio: modelRatio, CompletionRatio: { [MODEL]: 1, ...ratios } }
  for (const [key, value] of Object.entries(options))
    await client.call(api.updateOption, { body: { key, value: JSON.stringify(value) } })
}

/** The balance pays for this many requests if each uses its limit. */
const AFFORDABLE = 10
const RESPONSE = 'international '.repeat(MAX_TOKENS).trim() // long words are estimated as more tokens than they have

/** Sends far more requests than the account can pay, all at once. */
async function runStormCase(field: StormSite, { requests, callers }: StormPlan, each: StormCase): Promise<StormRow> {
  const { site, upstream, servers, seeded, failures } = field
  const { db } = site.database
  const { hiddenReasoning = 0, completionRatio, limit } = each
  const before = new Set((await usageRows(db)).map((row) => row.request_id))
  // A request with a low limit is served in full or not at all, so the minimum balance is its worst case.
  const least = await reservationOf(field, each)
  const isExact = limit !== undefined && limit <= MAX_TOKENS
  const balance = AFFORDABLE * (isExact ? least : completionRatio * (hiddenReasoning + 2 * MAX_TOKENS))
  upstream.reset()
  upstream.always({ text: RESPONSE, hiddenReasoning })
  await setBalance(db, seeded.userId, balance)
  const key = await limitedToken(seeded.client, balance)
  const watch = watchBalances(db, seeded.userId)
  const startedAt = performance.now()

  const result = await callers(
    Array.from({ length: requests }, (_, request) =>
      plan(servers[request % servers.length]!.url, key, each, { stream: request % 2 === 0 }),
    ),
  )

  const milliseconds = performance.now() - startedAt
  const served = result.filter(({ outcome }) => outcome === 'complete').length
  const newRows = async () => (await usageRows(db)).filter((row) => !before.has(row.request_id))
  await until(async () => (await newRows()).length >= served, 10_000)
  const { lowest: lowestBalance, samples } = await watch.stop()
  const rejected = result.filter(({ outcome, code = '' }) => outcome === 'rejected' && API_ERRORS.has(code)).length
  const rows = await newRows()
  const charged = sum(rows.map(({ quota }) => quota))
  const providerCost = sum(
    upstream.requests.map(({ sent }) => sent.counts!.input + completionRatio * sent.counts!.output),
  )
  const complain: string[] = []
  expectEqual(complain, 'reached the upstream', upstream.requests.length, served)
  if (isExact) expectEqual(complain, 'served', served, AFFORDABLE)
  if (served === 0) complain.push('no request was served')
  if (served + rejected !== requests) complain.push(`neither served nor rejected: ${describeUnexpected(result)}`)
  if (lowestBalance < 0) complain.push(`a balance of ${lowestBalance} was seen`)
  expectEqual(complain, 'rows in the log', rows.length, served)
  expectEqual(complain, 'charged', charged, providerCost)
  expectEqual(complain, 'uncovered', sum(rows.map(({ other }) => other.uncovered ?? 0)), 0)
  expectEqual(complain, 'left', await spendable(db, seeded.userId), balance - charged)
  failures.push(...complain.map((what) => `${each.name}: ${what}`))
  const reachedUpstream = upstream.requests.length
  upstream.reset()
  return {
    case: each.name,
    served,
    reachedUpstream,
    rejected,
    providerCost,
    charged,
    lowestBalance,
    samples,
    milliseconds,
  }
}

const LAST_UNIT: StormCase = { name: 'the last unit', model: MODEL, completionRatio: 1, limit: MAX_TOKENS }
const ENDLESS: StormCase = { name: 'a stream of unknown length', model: MODEL, completionRatio: 1 }

/** Credit for one request, held idle by another node because a request there failed. */
async function spendTheLastUnitAnywhere(field: StormSite): Promise<void> {
  const { site, upstream, servers, seeded, failures } = field
  const { db } = site.database
  const price = await reservationOf(field, LAST_UNIT)
  for (const [index, server] of servers.entries()) {
    const holder = servers[(index + 1) % servers.length]!
    await setBalance(db, seeded.userId, price)
    const key = await limitedToken(seeded.client, price)
    const used = { prompt_tokens: price - MAX_TOKENS, completion_tokens: MAX_TOKENS }
    // Not retried, unlike a failure of the provider.
    upstream.next({ status: 400 }, { usage: used })

    const failed = await sendChat(plan(holder.url, key, LAST_UNIT, { stream: false }))
    const last = await sendChat(plan(server.url, key, LAST_UNIT, { stream: true }))

    expectEqual(failures, 'the upstream failed with', failed.status, 400)
    if (last.outcome !== 'complete') failures.push(`the last unit on node ${index}: ${last.outcome} ${last.code}`)
    await until(async () => (await spendable(db, seeded.userId)) === 0, 5_000)
    expectEqual(failures, `left after the last unit on node ${index}`, await spendable(db, seeded.userId), 0)
  }
  upstream.reset()
}

/** A stream that exceeds its reservation is extended while there is credit, then ended and billed for what was sent. */
async function outgrowTheReservation({ site, upstream, servers, seeded, failures }: StormSite): Promise<void> {
  const { db } = site.database
  const key = await limitedToken(seeded.client, 1_000_000)
  const endless = { textLength: 40_000, betweenEventsMs: 1, usage: 'missing', ignoresLimit: true } as const
  const request = plan(servers.at(-1)!.url, key, ENDLESS, { stream: true })

  await setBalance(db, seeded.userId, 900)
  upstream.next(endless)
  const ended = await sendChat(request)
  expectEqual(failures, 'the long stream ended as', `${ended.outcome} ${ended.code}`, 'broken insufficient_quota')
  const [row] = await rowsOf(db, ended)
  if (!row) failures.push('the ended stream has no row')
  else {
    // Output generated when the credit ran out is billed as far as it was reserved, and not sent.
    const unsent = row.completion_tokens - ended.chunks
    if (unsent < 0 || unsent > MAX_UNSENT)
      failures.push(`${unsent} tokens of the ended stream were billed and not sent`)
    if (row.quota < row.prompt_tokens + ended.chunks) failures.push('some of the ended stream was sent for nothing')
    expectEqual(failures, 'left after the ended stream', await spendable(db, seeded.userId), 900 - row.quota)
  }

  await setBalance(db, seeded.userId, 100_000)
  upstream.next({ textLength: 20_000, usage: 'missing' })
  const extended = await sendChat(request)
  const [whole] = await rowsOf(db, extended)
  expectEqual(failures, 'the extended stream ended as', extended.outcome, 'complete')
  expectEqual(failures, 'tokens billed of the extended stream', whole?.completion_tokens, extended.chunks)
  upstream.reset()
}

function plan(url: string, key: string, { model, limit }: StormCase, { stream }: { stream: boolean }): ChatRequest {
  const messages = [{ role: 'user' as const, content: 'When does the tide turn in the harbour today?' }]
  const limited = limit === undefined ? {} : { max_completion_tokens: limit }
  return { url, key, body: { model, stream, messages, ...limited } }
}

/** The minimum balance for a request, from the log of one that was rejected without a balance. */
async function reservationOf({ site, servers, seeded }: StormSite, each: StormCase): Promise<number> {
  await setBalance(site.database.db, seeded.userId, 0)
  const key = await limitedToken(seeded.client, 1_000_000)
  const { requestId, code } = await sendChat(plan(servers[0]!.url, key, each, { stream: false }))
  let needed: number | undefined
  const isRecorded = await until(async () => {
    const { rows } = await sql<{ needed: number }>`
      select (other #>> '{admin_info,details,needed}')::int as needed from usage_log
      where request_id = ${requestId} and other ? 'rejected'`.execute(site.database.db)
    needed = rows[0]?.needed
    return needed !== undefined
  }, RECORDED_MS)
  if (!isRecorded) throw new Error(`a request without credit got ${code}, and is not recorded`)
  return needed!
}

async function rowsOf(db: Db, { requestId }: ChatResult) {
  const rows = async () => (await usageRows(db)).filter((row) => row.request_id === requestId)
  await until(async () => (await rows()).length > 0, 5_000)
  return rows()
}

const POLL_INTERVAL_MS = 5

/** Polls the balances until stopped. */
function watchBalances(db: Db, userId: number) {
  const result = { lowest: Infinity, samples: 0 }
  const stop = new AbortController()
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const { rows } = await sql<{ lowest: number }>`
        select least(u.quota, coalesce((select min(remain_quota) from token where user_id = u.id), 0),
          coalesce((select min(amount) from credit_lease where user_id = u.id), 0)) as lowest
        from "user" u where u.id = ${userId}`.execute(db)
      result.lowest = Math.min(result.lowest, rows[0]!.lowest)
      result.samples += 1
      await delay(POLL_INTERVAL_MS)
    }
  })()
  return {
    async stop() {
      stop.abort()
      await watching
      return result
    },
  }
}

function expectEqual(failures: string[], what: string, is: unknown, must: unknown): void {
  if (is !== must) failures.push(`${what}: ${String(is)} instead of ${String(must)}`)
}

function describeUnexpected(result: readonly ChatResult[]): string {
  const odd = result.filter(({ outcome, code = '' }) => outcome !== 'complete' && !API_ERRORS.has(code))
  const kinds = new Map<string, number>()
  for (const { outcome, status, code } of odd) {
    const kind = `${outcome} ${status} ${code}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  return [...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
