import { api } from '@tidegate/contract'
import { addToken, type ApiClient, fakeUpstream, type RunningServer } from '@tidegate/testing'
import { sql } from 'kysely'
import { type Db, openLeases, spendable, verifyBooks } from './books.ts'
import { MODEL, openSite, seedSite } from './site.ts'
import { until } from './until.ts'

export interface BatchPlan {
  readonly lines: number
  /** How often the worker is killed while lines run. */
  readonly kills: number
  /** Lines that run at the same time. */
  readonly concurrency: number
  /** Who runs the lines. At the provider, the worker is also killed when the batch is created there. Default: the site. */
  readonly place?: 'site' | 'provider'
  /** Waits until the running servers have returned the leases of idle accounts, which takes 10 seconds. Default: true. */
  readonly awaitIdleLeases?: boolean
}

export interface BatchResult {
  readonly failures: readonly string[]
  readonly lines: number
  /** Requests that reached the provider. */
  readonly executions: number
  readonly charged: number
  readonly milliseconds: number
}

const ENDED_WITHIN_MS = 15 * 60_000
const LEASES_GONE_WITHIN_MS = 30_000

/** Runs a batch, kills the worker while its lines run, and compares what was finished, sent and charged. */
export async function killBatchWorker(plan: BatchPlan): Promise<BatchResult> {
  const { lines, kills, concurrency, place = 'site', awaitIdleLeases = true } = plan
  const upstream = await fakeUpstream()
  const site = await openSite()
  const running: RunningServer[] = []
  const start = async (role: string) => {
    const server = await site.start({ args: ['--role', role] })
    running.push(server)
    return server
  }
  try {
    const gateway = await start('gateway,control')
    const { client, userId } = await seedSite(gateway.url, upstream)
    for (const key of ['batches.concurrency', 'batches.batch_concurrency'] as const) {
      await client.call(api.updateOption, { body: { key, value: String(concurrency) } })
    }
    if (place === 'provider') await useProviderBatches(client)
    const { secret } = await addToken(client)
    upstream.always({ text: 'The tide is high.' })
    const { db } = site.database
    const before = await spendable(db, userId)
    const call = callerOf(gateway.url, secret)
    const startedAt = performance.now()
    const id = await createBatch(call, lines)
    /** Polls are due at once, so that the proof does not wait for them. */
    const poll = async () => {
      if (place === 'provider') await sql`update batch set next_poll_at = now() where id = ${id}`.execute(db)
    }
    if (place === 'provider') {
      const worker = await start('worker')
      const isCreated = await until(async () => upstream.batches.all.length > 0, ENDED_WITHIN_MS)
      if (!isCreated) return failed('the provider did not receive the batch')
      running.splice(running.indexOf(worker), 1)
      await worker.kill()
    }
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = await start('worker')
      const target = Math.round((lines * (kill + 1)) / (kills + 1))
      const hasReached = async () => (await poll(), (await finishedLines(db, id)) >= target)
      if (!(await until(hasReached, ENDED_WITHIN_MS))) {
        return failed(`the batch did not reach line ${target}`)
      }
      running.splice(running.indexOf(worker), 1)
      await worker.kill()
    }
    await start('worker')
    const hasEnded = await until(
      async () => (await poll(), (await call<Batch>('GET', `/batches/${id}`)).status === 'completed'),
      ENDED_WITHIN_MS,
    )
    if (!hasEnded) return failed('the batch did not complete')
    const milliseconds = performance.now() - startedAt
    const failures: string[] = []
    const batch = await call<Batch>('GET', `/batches/${id}`)
    const output = await call<string>('GET', `/files/${batch.output_file_id}/content`)
    const results = readResults(output)
    failures.push(...checkResults(results, lines))

    if (awaitIdleLeases && !(await until(async () => (await openLeases(db)) === 0, LEASES_GONE_WITHIN_MS))) {
      failures.push(`${await openLeases(db)} leases stay open`)
    }
    for (const server of running.splice(0).toReversed()) await server.stop()
    const imbalances = await verifyBooks(site.env, site.dataDirectory)
    if (imbalances !== '') failures.push(`verify: ${imbalances}`)
    const charges = await chargesOf(db, id)
    const executions = place === 'provider' ? upstream.batches.requestCount : upstream.requests.length
    // A token costs one unit.
    const expected = results.reduce((sum, { response }) => sum + response.body.usage.total_tokens, 0)
    for (const [name, sum] of Object.entries(charges)) {
      const wanted = name === 'rows' ? lines : expected
      if (sum !== wanted) failures.push(`${name}: ${sum}, not ${wanted}`)
    }
    const spent = before - (await spendable(db, userId))
    if (spent !== expected) failures.push(`the balance fell by ${spent}, not ${expected}`)
    // Claimed lines at a kill: those that ran, and those that were being claimed.
    const mostExecutions = place === 'provider' ? lines : lines + kills * concurrency
    if (executions < lines || executions > mostExecutions) {
      failures.push(`${executions} requests reached the provider, not ${lines} to ${mostExecutions}`)
    }
    return { failures, lines, executions, charged: expected, milliseconds }
  } finally {
    for (const server of running) await server.kill()
    await site.close()
    await upstream.close()
  }

  function failed(failure: string): BatchResult {
    return { failures: [failure], lines, executions: upstream.requests.length, charged: 0, milliseconds: 0 }
  }
}

interface Batch {
  readonly id: string
  readonly status: string
  readonly output_file_id: string
}

/** The channel passes batches on, and a token costs one unit in a batch. */
async function useProviderBatches(client: ApiClient): Promise<void> {
  const [channel] = await client.call(api.listChannels, { query: { p: 0, page_size: 10 } })
  const setting = JSON.stringify({ batch_api: 'always' })
  await client.call(api.updateChannel, { body: { id: channel!.id, setting } })
  const card = { rates: { input: 4, output: 4 }, tiers: [{ when: { serviceTier: 'batch' }, multiply: 0.5 }] }
  await client.call(api.updateOption, { body: { key: 'ModelRates', value: JSON.stringify({ [MODEL]: card }) } })
}

type Call = <Result>(method: string, path: string, body?: object) => Promise<Result>

/** Sends a request to an endpoint of the data plane. */
function callerOf(url: string, secret: string): Call {
  return async <Result>(method: string, path: string, body?: object) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (path.endsWith('/content') ? text : JSON.parse(text)) as Result
  }
}

async function createBatch(call: Call, lines: number): Promise<string> {
  const requests = Array.from({ length: lines }, (_, at) =>
    JSON.stringify({
      custom_id: `line ${at + 1}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: MODEL, messages: [{ role: 'user', content: `How is the tide at ${at + 1}?` }], max_tokens: 20 },
    }),
  )
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new Blob([requests.join('\n')]), 'requests.jsonl')
  const { id: fileId } = await call<{ id: string }>('POST', '/files', form)
  const { id } = await call<Batch>('POST', '/batches', {
    input_file_id: fileId,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  return id
}

async function finishedLines(db: Db, id: string): Promise<number> {
  const batch = await db.selectFrom('batch').select('succeeded').where('id', '=', id).executeTakeFirst()
  return batch?.succeeded ?? 0
}

interface Result {
  readonly custom_id: string
  readonly response: {
    readonly status_code: number
    readonly body: { readonly usage: { readonly total_tokens: number } }
  }
}

function readResults(output: string): Result[] {
  return output
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Result)
}

/** Every line is in the output once, and succeeded. */
function checkResults(results: readonly Result[], lines: number): string[] {
  const ids = new Set(results.map(({ custom_id: id }) => id))
  const failures: string[] = []
  if (results.length !== lines || ids.size !== lines) {
    failures.push(`the output has ${results.length} lines, ${ids.size} of them different, not ${lines}`)
  }
  const failedLines = results.filter(({ response }) => response.status_code !== 200)
  if (failedLines.length > 0) failures.push(`${failedLines.length} lines failed`)
  return failures
}

/** What the lines of a batch cost, by everything that records it. */
async function chargesOf(db: Db, id: string): Promise<Record<'rows' | 'logged' | 'lines' | 'batch', number>> {
  const { rows } = await sql<Record<'rows' | 'logged' | 'lines' | 'batch', number>>`
    select (select count(*)::integer from usage_log where request_id like ${`${id}-%`}) as rows,
      (select coalesce(sum(quota), 0)::integer from usage_log where request_id like ${`${id}-%`}) as logged,
      (select coalesce(sum(quota), 0)::integer from batch_charge where batch_id = ${id}) as lines,
      (select charged::integer from batch where id = ${id}) as batch`.execute(db)
  return rows[0]!
}
