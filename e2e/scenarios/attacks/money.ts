import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import { sql } from 'kysely'
import { openLeases, spendable } from '../books.ts'
import { until } from '../until.ts'
import { sendRequest } from './support/send-request.ts'
import { type AttackSite, MODELS } from './support/attack-site.ts'
import { brief, Findings } from './support/findings.ts'
import { RawJson, writeJson } from './fuzz/hostile-values.ts'
import { sessionOf } from './support/accounts.ts'

const CHAT = { model: MODELS.openai, messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 }

/** Concurrent requests that could each be paid alone must not spend more than the balance. */
export async function spendConcurrently(site: AttackSite, { requests }: { requests: number }): Promise<Findings> {
  const findings = new Findings()
  const { db } = site.database
  const limit = 60
  const { id, secret } = await addToken(site.user.client, { unlimited_quota: false, remain_quota: limit })
  const headers = { authorization: `Bearer ${secret}` }
  const responses = await Promise.all(
    Array.from({ length: requests }, () =>
      sendRequest(site.url, { method: 'POST', path: '/v1/chat/completions', headers, body: CHAT }),
    ),
  )
  const served = responses.filter(({ status }) => status === 200).length
  findings.check(served < requests, () => `all of ${requests} calls were served`)
  findings.check(served > 0, () => 'no call was served at all')
  await until(async () => (await sumBilled(site, id)).rows === served, 10_000)
  const { rows, sum } = await sumBilled(site, id)
  findings.check(rows === served, () => `${served} calls were served and ${rows} billed`)
  findings.check(sum <= limit, () => `a token with ${limit} spent ${sum}`)
  const { rows: left } = await sql<{ remain_quota: number }>`select remain_quota from token where id = ${id}`.execute(
    db,
  )
  findings.check(left[0]!.remain_quota >= 0, () => `the token has ${left[0]!.remain_quota} left`)
  return findings
}

async function sumBilled({ database }: AttackSite, tokenId: number): Promise<{ rows: number; sum: number }> {
  const { rows } = await sql<{ rows: number; sum: number }>`
    select count(*)::integer as rows, coalesce(sum(quota), 0)::integer as sum from usage_log
    where token_id = ${tokenId} and type = 2`.execute(database.db)
  return rows[0]!
}

const NUMBERS = [
  -1,
  -1e15,
  0,
  0.5,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  1e300,
  -1e300,
  new RawJson('1e999'),
  '-5',
  'NaN',
  null,
  [5],
  { a: 5 },
]

/**
 * Numbers that would turn a price negative, from clients, providers and forms. No balance may grow or go below zero.
 */
export async function sendHostileNumbers(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const headers = { authorization: `Bearer ${site.user.apiKey}` }
  const before = await settledBalance(site)
  for (const number of NUMBERS) {
    for (const [path, body] of [
      ['/v1/chat/completions', { ...CHAT, max_tokens: number }],
      ['/v1/chat/completions', { ...CHAT, n: number }],
      ['/v1/images/generations', { model: 'dall-e-3', prompt: 'a boat', n: number }],
      ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi', dimensions: number }],
      ['/v1/rerank', { model: 'rerank-1', query: 'hi', documents: ['a'], top_n: number }],
    ] as const) {
      const response = await sendRequest(site.url, { method: 'POST', path, headers, body: writeJson(body) })
      findings.check(response.status !== 500, () => `${path} with ${writeJson(number)}: ${brief(response.text)}`)
    }
    site.provider.respondWith(() => ({ body: responseWithUsage(number) }))
    const response = await sendRequest(site.url, { method: 'POST', path: '/v1/chat/completions', headers, body: CHAT })
    site.provider.respondWith(undefined)
    findings.check(
      response.status !== 500,
      () => `a provider that counts ${writeJson(number)}: ${brief(response.text)}`,
    )
    await sendForms(site, number, findings)
  }
  const after = await settledBalance(site)
  findings.check(after <= before, () => `the balance grew from ${before} to ${after}`)
  findings.check(after >= 0, () => `the balance is ${after}`)
  const { rows } = await sql`select 1 from usage_log where quota < 0 union select 1 from token where used_quota < 0
    union select 1 from redemption where quota < 0 union select 1 from "user" where used_quota < 0`.execute(
    site.database.db,
  )
  findings.check(rows.length === 0, () => 'a charge or a sum is below zero')
  return findings
}

function responseWithUsage(number: unknown): string {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'aye' }, finish_reason: 'stop' }]
  const usage = {
    prompt_tokens: number,
    completion_tokens: number,
    total_tokens: number,
    prompt_tokens_details: { cached_tokens: number },
  }
  return writeJson({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage })
}

/** Sends forms with amounts. A success is fine if nothing is gained. */
async function sendForms(site: AttackSite, number: unknown, findings: Findings): Promise<void> {
  const forms = [
    { endpoint: api.startTopUp, by: site.user, body: { amount: number, payment_method: 'zfb' } },
    { endpoint: api.quoteTopUp, by: site.user, body: { amount: number, payment_method: 'zfb' } },
    { endpoint: api.transferEarnings, by: site.user, body: { quota: number } },
    { endpoint: api.createToken, by: site.user, body: { name: 'odd', remain_quota: number, unlimited_quota: false } },
    { endpoint: api.createRedemptions, by: site.admin, body: { name: 'odd', quota: number, count: 1 } },
    { endpoint: api.createRedemptions, by: site.admin, body: { name: 'odd', quota: 1, count: number } },
  ]
  for (const { endpoint, by, body } of forms) {
    const response = await sendRequest(site.url, {
      method: endpoint.method,
      path: endpoint.path,
      headers: sessionOf(by),
      body: writeJson(body),
    })
    findings.check(response.status !== 500, () => `${endpoint.path} with ${writeJson(number)}: ${brief(response.text)}`)
  }
}

/** The balance of the account when no request is running. */
async function settledBalance({ database, user }: AttackSite): Promise<number> {
  await until(async () => (await openLeases(database.db)) === 0, 15_000)
  return spendable(database.db, user.id)
}
