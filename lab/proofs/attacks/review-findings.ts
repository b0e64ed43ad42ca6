import { api, OPTION_KEYS, optionDefinition } from '@tidegate/contract'
import { addChannel, addToken, apiClient, fakeUpstream, setUpSite } from '@tidegate/testing'
import { sql } from 'kysely'
import { verifyBooks } from '@tidegate/e2e/scenarios/books.ts'
import { openSite } from '@tidegate/e2e/scenarios/site.ts'
import { until } from '@tidegate/e2e/scenarios/until.ts'
import { sendRequest } from '@tidegate/e2e/scenarios/attacks/support/send-request.ts'
import { type AttackSite, CHANNEL_KEY, MODELS } from '@tidegate/e2e/scenarios/attacks/support/attack-site.ts'
import { brief, Findings } from '@tidegate/e2e/scenarios/attacks/support/findings.ts'
import {
  addAccount,
  automationOf,
  PASSWORD,
  type Account,
  programOf,
  sessionOf,
  totpOf,
} from '@tidegate/e2e/scenarios/attacks/support/accounts.ts'
import { exchange } from '@tidegate/e2e/scenarios/attacks/support/raw-exchange.ts'

/** The findings of the security review of November 2026, each as the attack that showed it. */

const CHAT = { model: MODELS.openai, messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 }
const ATTACKER = 'https://attacker.example'

const put = (site: AttackSite, path: string, headers: Record<string, string>, body: object) =>
  sendRequest(site.url, { method: 'PUT', path, headers, body })

/** Makes the last login of an account too old for re-authentication. */
async function ageLogin(site: AttackSite, { id }: Account): Promise<void> {
  await sql`update session set proved_at = now() - interval '11 minutes' where user_id = ${id}`.execute(
    site.database.db,
  )
}

/** A stolen cookie, or a token without the scope for channel keys or options, cannot change where a secret is sent. */
export async function redirectSecrets(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { root } = site
  await root.refresh()
  const [channel] = await root.client.call(api.listChannels, { query: { p: 0, page_size: 10, id_sort: true } })
  const { id } = channel!
  const robot = await root.client.call(api.createAutomationToken, {
    body: { name: 'editor', scopes: ['channels:write'] },
  })
  await ageLogin(site, root)
  const callers: [string, Record<string, string>, RegExp][] = [
    ['an old session', sessionOf(root), /^proof_required$/],
    ['a token', automationOf({ automation: { ...robot, scopes: [] } }), /^scope_missing$/],
  ]
  for (const [who, headers, expected] of callers) {
    for (const change of [{ base_url: ATTACKER }, { type: 14 }, { setting: `{"proxy":"${ATTACKER}:8080"}` }]) {
      const { code, text } = await put(site, api.updateChannel.path, headers, { id, ...change })
      findings.check(expected.test(code), () => `${who} changes ${JSON.stringify(change)}: ${brief(text)}`)
    }
    const copied = await sendRequest(site.url, { method: 'POST', path: `/api/channel/${id}/copy`, headers, body: {} })
    findings.check(expected.test(copied.code), () => `${who} copies a channel: ${brief(copied.text)}`)
    for (const key of OPTION_KEYS.filter((name) => optionDefinition(name).guard === 'reauth')) {
      const before = await optionOf(site, key)
      const { code, text } = await put(site, api.updateOption.path, headers, { key, value: 'attacker.example' })
      // An option that rejects the value does so earlier.
      const isRejected = expected.test(code) || code === 'option_invalid'
      findings.check(isRejected && (await optionOf(site, key)) === before, () => `${who} sets ${key}: ${brief(text)}`)
    }
  }
  const stored = await root.client.call(api.getChannel, { path: { id } })
  findings.check(stored.base_url === site.provider.url, () => `the channel leads to ${stored.base_url}`)
  return findings
}

async function optionOf(site: AttackSite, key: string): Promise<string | undefined> {
  const row = await site.database.db.selectFrom('option').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value ?? undefined
}

/** Sessions, access tokens and automation tokens end with a new password and with a ban, even if it is lifted. */
export async function outliveCredentials(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const ends: [string, (account: Account) => Promise<unknown>][] = [
    [
      'a new password',
      ({ client }) =>
        client.call(api.updateSelf, { body: { password: 'ebb-and-flow-7', original_password: PASSWORD } }),
    ],
    [
      'a ban that was taken back',
      async ({ id }) => {
        for (const action of ['disable', 'enable'])
          await site.root.client.call(api.manageUser, { body: { id, action } })
      },
    ],
  ]
  for (const [index, [what, end]] of ends.entries()) {
    const account = await addAccount(site.url, `leaver${index}`)
    const stolen = [sessionOf(account), programOf(account), automationOf(account)]
    await end(account)
    for (const headers of stolen) {
      const { status, text } = await sendRequest(site.url, { path: api.getSelf.path, headers })
      findings.check(status === 401, () => `after ${what}: ${status} ${brief(text)}`)
    }
  }
  return findings
}

/** A client cannot choose its address: only what the trusted proxy wrote counts. */
export async function chooseAddress(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const allowed = '198.51.100.7'
  const { secret } = await addToken(site.user.client, { allow_ips: allowed })
  const request = (from: string, extra: Record<string, string> = {}) =>
    sendRequest(site.url, { path: '/v1/models', from, headers: { authorization: `Bearer ${secret}`, ...extra } })
  const own = await request(`10.0.0.1, ${allowed}:443`)
  findings.check(own.status === 200, () => `the right address: ${own.status} ${brief(own.text)}`)
  for (const last of ['203.0.113.9', '203.0.113.9:51234', '[2001:db8::9]:51234', 'unknown', '_hidden', '']) {
    const { status } = await request(`${allowed}, ${last}`)
    findings.check(status === 401 || status === 403, () => `${allowed} before "${last}": ${status}`)
  }
  const real = await request('unknown', { 'x-real-ip': allowed, forwarded: `for=${allowed}` })
  findings.check(real.status !== 200, () => `X-Real-IP beside an unknown hop: ${real.status}`)
  return findings
}

/** All addresses of an IPv6 /64, and all spellings of one, share a limit. */
export async function useManyAddresses(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const spellings = (at: number) => [`2001:db8:1:1::${at.toString(16)}`, `2001:0DB8:0001:1:0::${at.toString(16)}`]
  let admitted = 0
  for (let at = 1; at <= 60; at++) {
    const body = { email: `a${at}@example.com` }
    const from = spellings(at)[at % 2]!
    const { status } = await sendRequest(site.url, { method: 'POST', path: api.postVerification.path, body, from })
    if (status !== 429) admitted += 1
  }
  findings.check(
    admitted > 0 && admitted <= 20,
    () => `${admitted} of 60 requests from one /64 were admitted, 20 are allowed`,
  )
  return findings
}

/** Wrong guesses from other browsers delay those browsers and not a browser of the owner. */
export async function lockOutOwner(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { username } = site.other
  const logIn = async (password: string, headers: Record<string, string> = {}) =>
    await sendRequest(site.url, { method: 'POST', path: api.login.path, headers, body: { username, password } })
  const first = await logIn(PASSWORD)
  const device = (first.headers['set-cookie'] ?? []).find((line) => line.includes('tidegate_device='))?.split(';')[0]
  findings.check(device !== undefined, () => 'a login gave no cookie of the browser')
  for (let guess = 0; guess < 20; guess++) await logIn(`wrong-${guess}`)
  const other = await logIn(PASSWORD)
  findings.check(other.code === 'login_delayed', () => `another client after 20 guesses: ${brief(other.text)}`)
  const owner = await logIn(PASSWORD, { cookie: device ?? '' })
  findings.check(owner.status === 200 && owner.code === '', () => `the owner's browser: ${brief(owner.text)}`)
  return findings
}

const HOSTILE_HEADERS = {
  'clear-site-data': '"*"',
  'set-cookie': 'tidegate_session=planted; Path=/',
  'access-control-allow-origin': 'https://attacker.example',
  'service-worker-allowed': '/',
  'strict-transport-security': 'max-age=0',
  refresh: `0; url=${ATTACKER}`,
  link: `<${ATTACKER}/x.js>; rel=preload`,
  'cache-control': 'public, max-age=31536000',
  'x-content-type-options': 'none',
}

/** Headers of a provider's response do not act on the console's origin, on caches or on the caller. */
export async function respondWithHostileHeaders(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  site.provider.respondWith(({ url }) => ({ headers: HOSTILE_HEADERS, body: JSON.stringify({ object: 'list', url }) }))
  for (const [path, body] of Object.entries({
    '/v1/chat/completions': CHAT,
    '/v1/embeddings': { model: 'text-embedding-3-small', input: 'hi' },
    '/v1/audio/speech': { model: 'tts-1', input: 'hi', voice: 'alloy' },
  })) {
    const headers = { authorization: `Bearer ${site.user.apiKey}` }
    const response = await sendRequest(site.url, { method: 'POST', path, headers, body })
    for (const [name, value] of Object.entries(HOSTILE_HEADERS)) {
      const got = String(response.headers[name] ?? '')
      findings.check(!got.includes(value), () => `${path} passes ${name}: ${got}`)
    }
    findings.check(
      response.headers['cache-control'] === 'no-store',
      () => `${path}: ${response.headers['cache-control']}`,
    )
    findings.check(response.headers['x-content-type-options'] === 'nosniff', () => `${path} may be sniffed`)
  }
  site.provider.respondWith(undefined)
  return findings
}

/** An h2c offer neither ends a connection nor opens a second protocol behind the proxy. */
export async function offerH2c(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  for (const path of ['/healthz', '/api/status', '/v1/models', '/v1/realtime']) {
    const lines = [
      `GET ${path} HTTP/1.1`,
      'host: localhost',
      'connection: Upgrade, HTTP2-Settings, close',
      'upgrade: h2c',
      'http2-settings: AAEAAEAAAAIAAAAB',
      '',
      '',
    ]
    const { statuses, text } = await exchange(Number(new URL(site.url).port), lines.join('\r\n'))
    findings.check(statuses.length === 1 && statuses[0]! < 500, () => `${path} with h2c: ${brief(text, 80)}`)
  }
  return findings
}

/** The stream of a user who gets banned is cut, also at another node. */
export async function keepStreamAfterRevocation(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const model = 'endless-model'
  const upstream = await fakeUpstream()
  const other = await site.startAnother()
  try {
    await site.root.refresh()
    await addChannel(site.root.client, upstream, { models: model })
    const prices = JSON.stringify({ [model]: 1 })
    for (const key of ['ModelRatio', 'CompletionRatio']) await site.setOption(key, prices)
    upstream.always({ textLength: 1_000_000, betweenEventsMs: 5 })
    const body = JSON.stringify({ ...CHAT, model, stream: true, max_tokens: 1_000_000 })
    for (const [index, url] of [site.url, other.url].entries()) {
      const { id, apiKey } = await addAccount(site.url, `listener${index}`)
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      let response: Response | undefined
      await until(async () => {
        response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
        return response.ok
      }, 10_000)
      const reader = response!.body!.getReader()
      let isOpen = true
      const finished = (async () => {
        while (!(await reader.read()).done);
      })().then(
        () => void (isOpen = false),
        () => void (isOpen = false),
      )
      await site.root.client.call(api.manageUser, { body: { id, action: 'disable' } })
      findings.check(await until(async () => !isOpen, 10_000), () => `node ${index + 1} keeps the stream open`)
      await reader.cancel().catch(() => {})
      await finished
    }
  } finally {
    await other.stop()
    await upstream.close()
  }
  return findings
}

/** A stolen cookie with the password does not remove a second factor. */
export async function removeFactors(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { client, ...victim } = await addAccount(site.url, 'careful')
  const { secret } = await client.call(api.beginTotp)
  await client.call(api.enableTotp, { body: { code: totpOf(secret) } })
  await sql`update session set proved_at = now() - interval '11 minutes' where user_id = ${victim.id}`.execute(
    site.database.db,
  )
  const send = (method: string, path: string, body?: object) =>
    sendRequest(site.url, { method, path, headers: sessionOf(victim), ...(body && { body }) })
  await send('POST', api.proveOwner.path, { password: PASSWORD })
  for (const [method, path] of [
    [api.disableTotp.method, api.disableTotp.path],
    [api.renewRecoveryCodes.method, api.renewRecoveryCodes.path],
  ] as const) {
    const { code, text } = await send(method, path, method === 'POST' ? {} : undefined)
    findings.check(code === 'proof_required' || code === 'factor_required', () => `${path}: ${brief(text)}`)
  }
  const { totp } = await client.call(api.getSecurity)
  findings.check(totp !== null, () => 'the second factor is gone')
  return findings
}

/** A reader of a database dump finds no secret and no redemption code. */
export async function readDump(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  await site.root.refresh()
  const codes = await site.root.client.call(api.createRedemptions, { body: { name: 'batch', count: 3, quota: 1000 } })
  findings.check(codes.length === 3, () => `${codes.length} redemption codes were created`)
  const password = 'smtp-password-in-plain-text'
  await site.setOption('SMTPToken', password)
  const secrets = { 'a channel key': CHANNEL_KEY, 'the SMTP password': password, 'an API token': site.user.apiKey }
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(
    site.database.db,
  )
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.id(name)} t`.execute(site.database.db)
    const text = rows.map(({ row }) => row).join('\n')
    for (const [what, secret] of [
      ...Object.entries(secrets),
      ...codes.map((code) => ['a redemption code', code] as const),
    ]) {
      findings.check(!text.includes(secret.replace(/^sk-/, '')), () => `${what} stands in the table ${name}`)
    }
  }
  return findings
}

/** Changes of the audit trail, of the ledger and of a balance in the database are found by `tidegate verify`. */
export async function tamperWithRecords(): Promise<Findings> {
  const findings = new Findings()
  const site = await openSite()
  const server = await site.start()
  try {
    const client = apiClient(server.url)
    await setUpSite(client)
    await client.call(api.updateOption, { body: { key: 'Footer', value: 'low tide' } })
    const isSealed = async () => {
      const open = await site.database.db.selectFrom('audit_event').select('id').where('seal', 'is', null).execute()
      return open.length === 0
    }
    await until(isSealed, 60_000)
    const verify = () => verifyBooks(site.env, site.dataDirectory)
    const before = await verify()
    findings.check(before === '', () => `before: ${before}`)
    for (const [change, undo] of [
      [
        `update audit_event set action = 'x' || action where id = 1`,
        `update audit_event set action = substr(action, 2) where id = 1`,
      ],
      [`update "user" set quota = quota + 7`, `update "user" set quota = quota - 7`],
    ] as const) {
      await sql.raw(change).execute(site.database.db)
      const found = await verify()
      findings.check(found !== '', () => `not found: ${change}`)
      await sql.raw(undo).execute(site.database.db)
    }
    const after = await verify()
    findings.check(after === '', () => `after: ${after}`)
    return findings
  } finally {
    await server.stop()
    await site.close()
  }
}
