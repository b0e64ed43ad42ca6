import { fakeUpstream, type FakeUpstream, type RunningServer } from '@tidegate/testing'
import { sql } from 'kysely'
import { setBalance, spendable, usageRows, verifyBooks, type Db } from './books.ts'
import type { Callers } from './callers.ts'
import { callChat, type PlannedCall, type SeenCall } from './chat-call.ts'
import { furnish, limitedToken, MODEL, openSite, type Furnished, type Site } from './site.ts'
import { until } from './until.ts'

export interface StormPlan {
  calls: number
  gateways: number
  /** How many of the calls the user and the token can pay. */
  affordable: number
  callers: Callers
}

export interface StormResult {
  served: number
  reachedUpstream: number
  refused: number
  /** Of user and token, whenever somebody looked. */
  lowestBalance: number
  looks: number
  milliseconds: number
  /** Everything that was not as it must be. */
  short: string[]
}

const REFUSALS = new Set(['insufficient_user_quota', 'pre_consume_token_quota_failed', 'api_key_exhausted'])
const MAX_TOKENS = 64
const MOST_UNSENT = 5

interface Field {
  site: Site
  upstream: FakeUpstream
  servers: RunningServer[]
  furnished: Furnished
  short: string[]
}

/** Calls that nobody can pay against few that somebody can, on one or more gateways of one site. */
export async function storm(plan: StormPlan): Promise<StormResult> {
  const upstream = await fakeUpstream()
  const site = await openSite()
  const servers: RunningServer[] = []
  try {
    servers.push(await site.start())
    const furnished = await furnish(servers[0]!.url, upstream)
    // The same data directory for all: their journals must not get in each other's way either.
    while (servers.length < plan.gateways) servers.push(await site.start({ args: ['--role', 'gateway'] }))
    const field: Field = { site, upstream, servers, furnished, short: [] }

    const figures = await overspend(field, plan)
    await spendTheLastUnitAnywhere(field)
    await outgrowTheReservation(field)
    await Promise.all(servers.splice(0).map((server) => server.stop()))
    const imbalances = await verifyBooks(site.env, site.dataDirectory)
    if (imbalances !== '') field.short.push(`verify: ${imbalances}`)
    return { ...figures, short: field.short }
  } finally {
    await Promise.all(servers.map((server) => server.kill()))
    await site.close()
    await upstream.close()
  }
}

async function overspend(field: Field, { calls, affordable, callers }: StormPlan) {
  const { site, upstream, servers, furnished, short } = field
  const { db } = site.database
  const price = await reservationOf(field)
  // What is used is exactly what was reserved. Long words look like more tokens than they are.
  upstream.always({
    text: 'international '.repeat(MAX_TOKENS).trim(),
    usage: { prompt_tokens: price - MAX_TOKENS, completion_tokens: MAX_TOKENS },
  })
  await setBalance(db, furnished.userId, price * affordable)
  const key = await limitedToken(furnished.client, price * affordable)
  const watch = watchBalances(db, furnished.userId)
  const startedAt = performance.now()

  const seen = await callers(
    Array.from({ length: calls }, (_, call) =>
      plan(servers[call % servers.length]!.url, key, `call ${call}`, { stream: call % 2 === 0 }),
    ),
  )

  const milliseconds = performance.now() - startedAt
  await until(async () => (await usageRows(db)).length >= affordable, 10_000)
  const { lowest: lowestBalance, looks } = await watch.stop()
  const served = seen.filter(({ outcome }) => outcome === 'complete').length
  const refused = seen.filter(({ outcome, code = '' }) => outcome === 'refused' && REFUSALS.has(code)).length
  const reachedUpstream = upstream.requests.length
  const rows = await usageRows(db)
  const left = await spendable(db, furnished.userId)

  expectEqual(short, 'served', served, affordable)
  expectEqual(short, 'reached the upstream', reachedUpstream, affordable)
  if (served + refused !== calls) short.push(`neither served nor refused: ${unexpected(seen)}`)
  if (lowestBalance < 0) short.push(`a balance of ${lowestBalance} was seen`)
  expectEqual(short, 'rows in the log', rows.length, affordable)
  expectEqual(short, 'billed', sum(rows.map(({ quota }) => quota)), price * affordable)
  expectEqual(short, 'left', left, 0)
  upstream.reset()
  return { served, reachedUpstream, refused, lowestBalance, looks, milliseconds }
}

/** Credit for one call, which another node holds idle because a call there came to nothing. */
async function spendTheLastUnitAnywhere(field: Field): Promise<void> {
  const { site, upstream, servers, furnished, short } = field
  const { db } = site.database
  const price = await reservationOf(field)
  for (const [index, server] of servers.entries()) {
    const holder = servers[(index + 1) % servers.length]!
    await setBalance(db, furnished.userId, price)
    const key = await limitedToken(furnished.client, price)
    upstream.next({ status: 500 }, { usage: { prompt_tokens: price - MAX_TOKENS, completion_tokens: MAX_TOKENS } })

    const failed = await callChat(plan(holder.url, key, 'comes to nothing', { stream: false }))
    const last = await callChat(plan(server.url, key, 'the last unit', { stream: true }))

    expectEqual(short, 'the upstream failed with', failed.status, 500)
    if (last.outcome !== 'complete') short.push(`the last unit on node ${index}: ${last.outcome} ${last.code}`)
    await until(async () => (await spendable(db, furnished.userId)) === 0, 5_000)
    expectEqual(short, `left after the last unit on node ${index}`, await spendable(db, furnished.userId), 0)
  }
  upstream.reset()
}

/** A stream that says more than was reserved: extended while there is credit, then ended and billed for what was sent. */
async function outgrowTheReservation({ site, upstream, servers, furnished, short }: Field): Promise<void> {
  const { db } = site.database
  const key = await limitedToken(furnished.client, 1_000_000)
  const endless = { textLength: 40_000, betweenEventsMs: 1, usage: 'missing' } as const
  const call = plan(servers.at(-1)!.url, key, 'tell me everything', { stream: true, limited: false })

  await setBalance(db, furnished.userId, 900)
  upstream.next(endless)
  const ended = await callChat(call)
  expectEqual(short, 'the long stream ended as', `${ended.outcome} ${ended.code}`, 'broken insufficient_user_quota')
  const [row] = await rowsOf(db, ended)
  if (!row) short.push('the ended stream has no row')
  else {
    // What had been made when the credit ended is billed as far as it was held, and not sent.
    const unsent = row.completion_tokens - ended.chunks
    if (unsent < 0 || unsent > MOST_UNSENT) short.push(`${unsent} tokens of the ended stream were billed and not sent`)
    if (row.quota < row.prompt_tokens + ended.chunks) short.push('some of the ended stream was sent for nothing')
    expectEqual(short, 'left after the ended stream', await spendable(db, furnished.userId), 900 - row.quota)
  }

  await setBalance(db, furnished.userId, 100_000)
  upstream.next({ textLength: 20_000, usage: 'missing' })
  const extended = await callChat(call)
  const [whole] = await rowsOf(db, extended)
  expectEqual(short, 'the extended stream ended as', extended.outcome, 'complete')
  expectEqual(short, 'tokens billed of the extended stream', whole?.completion_tokens, extended.chunks)
  upstream.reset()
}

function plan(
  url: string,
  key: string,
  content: string,
  { stream, limited = true }: { stream: boolean; limited?: boolean },
): PlannedCall {
  // All contents are as long as each other, so that all calls reserve the same.
  const messages = [{ role: 'user' as const, content: content.padEnd(40, '.') }]
  return { url, key, body: { model: MODEL, stream, messages, ...(limited && { max_tokens: MAX_TOKENS }) } }
}

/** What a call reserves, told by the refusal of one that has nothing. */
async function reservationOf({ site, servers, furnished }: Field): Promise<number> {
  await setBalance(site.database.db, furnished.userId, 0)
  const key = await limitedToken(furnished.client, 1_000_000)
  const { message } = await callChat(plan(servers[0]!.url, key, 'how much?', { stream: false }))
  const needed = /(\d+) must be reserved/.exec(message ?? '')?.[1]
  if (needed === undefined) throw new Error(`a call without credit was answered: ${message}`)
  return Number(needed)
}

async function rowsOf(db: Db, { requestId }: SeenCall) {
  const rows = async () => (await usageRows(db)).filter((row) => row.request_id === requestId)
  await until(async () => (await rows()).length > 0, 5_000)
  return rows()
}

/** Looks at the balances without a pause until it is told to stop. */
function watchBalances(db: Db, userId: number) {
  const seen = { lowest: Infinity, looks: 0 }
  const stop = new AbortController()
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const { rows } = await sql<{ lowest: number }>`
        select least(u.quota, coalesce((select min(remain_quota) from token where user_id = u.id), 0),
          coalesce((select min(amount) from credit_lease where user_id = u.id), 0)) as lowest
        from "user" u where u.id = ${userId}`.execute(db)
      seen.lowest = Math.min(seen.lowest, rows[0]!.lowest)
      seen.looks += 1
    }
  })()
  return {
    async stop() {
      stop.abort()
      await watching
      return seen
    },
  }
}

function expectEqual(short: string[], what: string, is: unknown, must: unknown): void {
  if (is !== must) short.push(`${what}: ${String(is)} instead of ${String(must)}`)
}

function unexpected(seen: readonly SeenCall[]): string {
  const odd = seen.filter(({ outcome, code = '' }) => outcome !== 'complete' && !REFUSALS.has(code))
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
