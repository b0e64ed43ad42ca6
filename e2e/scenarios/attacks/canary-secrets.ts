import { randomBytes } from 'node:crypto'
import { api, changesState } from '@tidegate/contract'
import { addChannel, addToken } from '@tidegate/testing'
import { sql } from 'kysely'
import { until } from '../until.ts'
import { sendRequest, type HttpResponse } from './support/send-request.ts'
import { type AttackSite, METRICS_TOKEN } from './support/attack-site.ts'
import { Findings } from './support/findings.ts'
import { DATA_PLANE_REQUESTS } from './fuzz/data-plane-requests.ts'
import { PASSWORD, sessionOf } from './support/accounts.ts'
import type { ProviderResponse, ReceivedRequest } from './support/fake-provider.ts'
import { pathOf, ROUTES } from './support/routes.ts'

/** Where a secret must not appear. */
type LeakLocation = 'response' | 'log' | 'metrics'

interface Canary {
  readonly what: string
  readonly text: string
  readonly never: readonly LeakLocation[]
}

const ALL_LOCATIONS: readonly LeakLocation[] = ['response', 'log', 'metrics']
/** Prompts may be returned to their sender, and to no other user. */
const INTERNAL_LOCATIONS: readonly LeakLocation[] = ['log', 'metrics']

/** Plants secrets, sends requests that succeed and fail, and searches all output for the secrets. */
export async function searchForSecrets(site: AttackSite, { rounds }: { rounds: number }): Promise<Findings> {
  const findings = new Findings()
  await site.user.refresh()
  const planted = await plant(site)
  const observed: { where: string; text: string }[] = []
  const note = (where: string, { text, headers }: HttpResponse) =>
    observed.push({ where, text: text + JSON.stringify(headers) })

  await sendRequests(site, planted, rounds, note)
  await readAsUser(site, note)
  for (const { where, text } of observed) {
    const leaked = planted.canaries.filter((canary) => canary.never.includes('response') && text.includes(canary.text))
    findings.check(leaked.length === 0, () => `${where} contains ${leaked.map(({ what }) => what).join(', ')}`)
  }
  const metrics = await sendRequest(site.url, {
    path: '/metrics',
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  findings.check(metrics.status === 200 && metrics.text.includes('tidegate_'), () => 'there are no metrics')
  const lines = site.server.logs.map((line) => JSON.stringify(line))
  findings.check(lines.length > observed.length, () => `only ${lines.length} lines were logged`)
  for (const { what, text, never } of planted.canaries) {
    findings.check(!never.includes('metrics') || !metrics.text.includes(text), () => `the metrics contain ${what}`)
    const line = never.includes('log') ? lines.find((one) => one.includes(text)) : undefined
    findings.check(line === undefined, () => `the log contains ${what}: ${line?.slice(0, 400)}`)
  }
  return findings
}

interface RuleCase {
  readonly canaries: Canary[]
  readonly models: Readonly<Record<FailureKind, string>>
  readonly apiKey: string
  readonly prompt: string
}

/** How the provider of a model responds. */
const FAILURES = [
  'fine',
  'echo-400',
  'echo-401',
  'echo-429',
  'echo-500',
  'echo-inside-200',
  'echo-html',
  'away',
] as const
type FailureKind = (typeof FAILURES)[number]

async function plant(site: AttackSite): Promise<RuleCase> {
  const mark = () => randomBytes(9).toString('hex')
  const [plain, bare] = [`sk-canary-${mark()}`, mark()]
  const prompt = `prompt-canary-${mark()}`
  const models = Object.fromEntries(FAILURES.map((failure) => [failure, `canary-${failure}`])) as Record<
    FailureKind,
    string
  >
  for (const type of [1, 14, 24]) {
    for (const failure of FAILURES) {
      await addChannel(site.root.client, site.provider, {
        type,
        // Keys with a known prefix and keys without any pattern.
        key: type === 1 ? plain : bare,
        models: `${models[failure]}-${type}`,
        ...(failure === 'away' && { base_url: 'http://127.0.0.1:9' }),
      })
    }
  }
  await site.setOption('SelfUseModeEnabled', 'true')
  await site.setOption('LogErrorEnabled', 'true')
  const { secret: apiKey } = await addToken(site.user.client)
  site.provider.respondWith((request) => echoEverything(request, site.provider.url))
  const { rows: hashes } = await sql<{ text: string }>`
    select password_hash as text from "user" union select id_hash from session
    union select hash from automation_token`.execute(site.database.db)
  const session = site.user.cookie.split('=')[1]!
  return {
    models,
    apiKey,
    prompt,
    canaries: [
      { what: 'the key of a channel', text: plain, never: ALL_LOCATIONS },
      { what: 'the bare key of a channel', text: bare, never: ALL_LOCATIONS },
      { what: 'the host of a provider', text: new URL(site.provider.url).host, never: ['response', 'metrics'] },
      { what: 'the host of an unreachable provider', text: '127.0.0.1:9', never: ['response', 'metrics'] },
      { what: 'an API key', text: apiKey.replace(/^sk-/, ''), never: ALL_LOCATIONS },
      { what: 'an access token', text: site.user.accessToken, never: ALL_LOCATIONS },
      { what: 'an automation token', text: site.user.automation.token, never: ALL_LOCATIONS },
      { what: 'a session', text: session, never: ALL_LOCATIONS },
      { what: 'a password', text: PASSWORD, never: ALL_LOCATIONS },
      { what: 'the prompt of a user', text: prompt, never: INTERNAL_LOCATIONS },
      ...hashes.map(({ text }) => ({ what: 'a stored hash', text, never: ALL_LOCATIONS })),
    ],
  }
}

/** Returns everything it received, in every field of an error. */
function echoEverything({ url, headers, body }: ReceivedRequest, home: string): ProviderResponse | undefined {
  const failure = FAILURES.find(
    (one) => one.startsWith('echo') && (body.includes(`canary-${one}`) || url.includes(`canary-${one}`)),
  )
  if (failure === undefined) return undefined
  const key = headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key']
  const content = `${String(key)} is no good at ${home}${url} or ${new URL(home).host}`
  const error = {
    message: content,
    type: content,
    param: content,
    code: content,
    status: content,
    metadata: { raw: [content] },
  }
  const reporting = {
    'x-provider-host': new URL(home).host,
    'x-provider-key': String(key),
    'set-cookie': `k=${String(key)}`,
  }
  if (failure === 'echo-html')
    return { status: 502, headers: { ...reporting, 'content-type': 'text/html' }, body: `<h1>${content}</h1>` }
  const status = failure === 'echo-inside-200' ? 200 : Number(failure.slice('echo-'.length))
  return { status, headers: reporting, body: JSON.stringify({ type: 'error', error }) }
}

type Observer = (where: string, response: HttpResponse) => unknown

/** Sends every kind of request to every kind of provider, whole and streamed, and with slightly wrong keys. */
async function sendRequests(site: AttackSite, planted: RuleCase, rounds: number, note: Observer): Promise<void> {
  const { models, apiKey, prompt } = planted
  const good = { authorization: `Bearer ${apiKey}` }
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, path, body } of DATA_PLANE_REQUESTS) {
      for (const [failure, model] of Object.entries(models)) {
        const type = path.startsWith('/v1beta') ? 24 : path === '/v1/messages' ? 14 : 1
        const full = `${model}-${type}`
        const content = JSON.stringify({ ...body, model: full, stream: round % 2 === 1 }).replaceAll(
          '"hi"',
          JSON.stringify(prompt),
        )
        const at = path.replace(/(models|engines)\/[^/:]+/, `$1/${full}`)
        note(
          `${name} of ${failure}`,
          await sendRequest(site.url, { method: 'POST', path: at, headers: good, body: content }),
        )
      }
    }
    for (const wrong of [`${apiKey}x`, apiKey.slice(0, -1), `${apiKey}-1`, '']) {
      const response = await sendRequest(site.url, {
        path: `/v1/models?key=${wrong}`,
        headers: { authorization: `Bearer ${wrong}` },
      })
      note('a wrong key', response)
    }
    note(
      'a password in a wrong place',
      await sendRequest(site.url, { path: `/api/user/self?password=${PASSWORD}&token=${apiKey}` }),
    )
  }
  await until(async () => {
    const { rows } = await sql`select 1 from usage_log where type = 6`.execute(site.database.db)
    return rows.length > 0
  }, 10_000)
}

/** Reads everything a user can read afterwards, including error rows and requests by their own request IDs. */
async function readAsUser(site: AttackSite, note: Observer): Promise<void> {
  const { rows } = await sql<{ request_id: string }>`
    select request_id from usage_log where user_id = ${site.user.id} and request_id <> '' limit 20`.execute(
    site.database.db,
  )
  const query = rows.map(({ request_id }) => `request_id=${request_id}&page_size=100&size=100`)
  for (const { name, endpoint } of ROUTES) {
    if (changesState(endpoint) || endpoint.access === 'admin' || endpoint.access === 'root') continue
    if (endpoint === api.listTokens || endpoint === api.searchTokens || endpoint === api.getToken) continue // the owner may see them
    for (const search of endpoint.path.includes('request') ? query : query.slice(0, 1)) {
      note(
        name,
        await sendRequest(site.url, {
          path: `${pathOf(endpoint, { id: 1 })}?${search}`,
          headers: sessionOf(site.user),
        }),
      )
    }
  }
}
