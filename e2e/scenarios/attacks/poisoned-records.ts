import { addToken } from '@tidegate/testing'
import { sql } from 'kysely'
import { until } from '../until.ts'
import { sendRequest } from './support/send-request.ts'
import { type AttackSite, MODELS } from './support/attack-site.ts'
import { brief, Findings } from './support/findings.ts'
import { DATA_PLANE_REQUESTS } from './fuzz/data-plane-requests.ts'
import { placesIn, withValue } from './fuzz/hostile-body.ts'
import { writeJson } from './fuzz/hostile-values.ts'
import { checkHealth } from './fuzz/check-response.ts'

/** Characters that PostgreSQL rejects in text or JSON, and characters that look like them once escaped. */
const POISON = ['zero \0', 'half \ud800', String.raw`characters \u0000`]

/**
 * A row that the database rejects would fail the whole batch, bills included. So no raw text of a client or a provider
 * may get into a row: neither from any field of a request nor from a response that repeats it.
 */
export async function poisonRecords(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  for (const key of ['LogErrorEnabled', 'LogChatContentEnabled']) await site.setOption(key, 'true')
  await poisonRequests(site, findings)
  await poisonErrors(site, findings)
  await longNames(site, findings)
  await checkHealth(site, findings)
  return findings
}

async function poisonRequests(site: AttackSite, findings: Findings): Promise<void> {
  // Names that users choose are part of every bill.
  const { secret } = await addToken(site.user.client, { name: String.raw`\u0000 \ud800` })
  const headers = { authorization: `Bearer ${secret}` }
  for (const { name, path, body } of DATA_PLANE_REQUESTS) {
    for (const place of placesIn(body)) {
      for (const poison of POISON) {
        const sent = writeJson(withValue(body, place, poison))
        const response = await sendRequest(site.url, { method: 'POST', path, headers, body: sent })
        findings.check(response.status !== 500, () => `${name}, ${place.join('.')}: ${brief(response.text)}`)
      }
    }
  }
}

/** A provider that repeats the request in its error. */
async function poisonErrors(site: AttackSite, findings: Findings): Promise<void> {
  const headers = { authorization: `Bearer ${site.user.apiKey}`, 'user-agent': 'a'.repeat(5_000) }
  const content = `${POISON.join(' ')} ${'long '.repeat(20_000)}`
  const error = { message: content, type: content, code: content, param: content }
  site.provider.respondWith(() => ({ status: 400, body: JSON.stringify({ error }) }))
  const body = { model: MODELS.openai, messages: [{ role: 'user', content: content }] }
  const response = await sendRequest(site.url, { method: 'POST', path: '/v1/chat/completions', headers, body })
  site.provider.respondWith(undefined)
  const requestId = String(response.headers['x-request-id'])
  const isStored = await until(async () => {
    const { rows } = await sql`select 1 from usage_log where request_id = ${requestId}`.execute(site.database.db)
    return rows.length > 0
  }, 8_000)
  findings.check(isStored, () => `no row of a request that got ${response.status}`)
}

/** One channel can serve any name of a family. A long name must fit everything that is stored by name. */
async function longNames(site: AttackSite, findings: Findings): Promise<void> {
  const headers = { authorization: `Bearer ${site.user.apiKey}` }
  for (const model of [
    'gpt-4-gizmo-'.padEnd(5_000, 'g'),
    'gpt-4-gizmo-\0',
    'gpt-4-gizmo-\ud800',
    'unknown'.padEnd(100_000, 's'),
  ]) {
    const body = { model, messages: [{ role: 'user', content: 'hi' }] }
    const response = await sendRequest(site.url, { method: 'POST', path: '/v1/chat/completions', headers, body })
    findings.check(response.status === 400, () => `${JSON.stringify(brief(model, 40))} gets ${response.status}`)
  }
}
