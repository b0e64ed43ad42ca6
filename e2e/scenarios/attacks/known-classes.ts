import { randomBytes } from 'node:crypto'
import { api, API_TOKEN, newApiToken, newToken } from '@tidegate/contract'
import { addChannel, addToken, apiClient, SUPER_ADMIN } from '@tidegate/testing'
import { sql } from 'kysely'
import { until } from '../until.ts'
import { openSite } from '../site.ts'
import { sendRequest } from './support/send-request.ts'
import { type AttackSite, MODELS } from './support/attack-site.ts'
import { brief, Findings } from './support/findings.ts'
import { programOf, sessionOf } from './support/accounts.ts'
import { pathOf, ROUTES } from './support/routes.ts'

const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 })
const LOOPBACK_OUTSIDER = '203.0.113.9'

/** Links in mails use the configured site address, whatever the `Host` header says. */
export async function forgeHostHeader(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const email = 'operator@reef.example'
  for (const [key, value] of Object.entries({
    ServerAddress: 'https://gate.example',
    SMTPServer: '127.0.0.1',
    SMTPPort: String(site.mailbox.port),
    SMTPFrom: 'gate@gate.example',
  })) {
    await site.setOption(key, value)
  }
  await site.database.db.updateTable('user').set({ email }).where('id', '=', site.peer.id).execute()
  await sendRequest(site.url, {
    path: `${api.requestPasswordReset.path}?email=${email}`,
    headers: {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
      'x-original-url': 'https://evil.example/',
    },
  })
  const mail = await site.mailbox.mailTo(email)
  const whole = mail.text + mail.html + JSON.stringify(mail.headers)
  findings.check(whole.includes('https://gate.example/user/reset'), () => `the link is missing: ${brief(mail.text)}`)
  findings.check(!whole.includes('evil.example'), () => `the mail leads elsewhere: ${brief(mail.text)}`)
  return findings
}

/** Keys and names that differ only in their last characters are different keys and names. */
export async function collideTruncatedKeys(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { apiKey, accessToken, id } = site.user
  const last = (text: string) => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')
  const bare = apiKey.replace(/^sk-/, '')
  const random = bare.slice(API_TOKEN.prefix.length, -6)
  // These have a valid checksum.
  const forged = `sk-${newToken(API_TOKEN, () => last(random))}`
  const otherCell = `sk-${newApiToken('a1', () => bare.slice('tg_a0_'.length, -6))}`
  const long = `${apiKey}${'a'.repeat(300)}`
  const wrong = [
    last(apiKey),
    forged,
    otherCell,
    apiKey.replace('_a0_', '_a1_'),
    apiKey.replace('_a0_', '_A0_'),
    `${apiKey}a`,
    long,
    apiKey.slice(0, -1),
    apiKey.toUpperCase(),
  ]
  for (const key of [apiKey, ...wrong, apiKey]) {
    const { status } = await sendRequest(site.url, { path: '/v1/models', headers: { authorization: `Bearer ${key}` } })
    findings.check(
      status === (key === apiKey ? 200 : 401),
      () => `a key that is ${key === apiKey ? 'right' : 'wrong'}: ${status}`,
    )
  }
  for (const token of [last(accessToken), `${accessToken}a`, accessToken.slice(0, -1)]) {
    const { code } = await sendRequest(site.url, {
      path: api.getSelf.path,
      headers: programOf({ accessToken: token, id }),
    })
    findings.check(/^access_token_(invalid|mistyped)$/.test(code), () => `a wrong access token: ${code}`)
  }
  await site.setOption('SelfUseModeEnabled', 'true')
  const beginning = `long-${randomBytes(120).toString('hex')}`.slice(0, 250)
  for (const end of ['one', 'two']) {
    await addChannel(site.root.client, site.provider, { models: beginning + end, key: `sk-key-of-${end}-0123` })
  }
  const ask1 = (model: string) =>
    sendRequest(site.url, {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${apiKey}` },
      body: chat(model),
    })
  for (const end of ['one', 'two', 'one']) {
    site.provider.result.length = 0
    await ask1(beginning + end)
    const received = site.provider.result.filter(({ body }) => body.includes(beginning))
    const keys = received.map(({ headers }) => headers.authorization)
    findings.check(keys.join() === `Bearer sk-key-of-${end}-0123`, () => `${end} received ${keys.join()}`)
  }
  const neither = await ask1(beginning)
  findings.check(neither.code === 'model_not_found', () => `the beginning of both names is served: ${neither.status}`)
  return findings
}

/** Only administrators may pin a channel by a suffix of the key. */
export async function pinChannels(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const marker = 'a request of a user who pins a channel'
  site.provider.result.length = 0
  for (const pin of ['1', '2', '0', '-1', '1e0', ' 1', '1-2', 'x']) {
    const headers = { authorization: `Bearer ${site.user.apiKey}-${pin}` }
    const response = await sendRequest(site.url, {
      method: 'POST',
      path: '/v1/chat/completions',
      headers,
      body: { ...chat(MODELS.openai), messages: [{ role: 'user', content: marker }] },
    })
    findings.check(
      response.code === 'channel_pin_refused',
      () => `a user pins ${pin}: ${response.status} ${brief(response.text)}`,
    )
  }
  findings.check(
    !site.provider.result.some(({ body }) => body.includes(marker)), // the worker polls tasks meanwhile
    () => 'a provider received a request of a user who pinned a channel',
  )
  return findings
}

/** Every endpoint with re-authentication requires it when the login is old, and accepts no access token instead. */
export async function bypassReauthentication(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { root } = site
  await root.refresh()
  await sql`update session set proved_at = now() - interval '11 minutes' where user_id = ${root.id}`.execute(
    site.database.db,
  )
  for (const { name, endpoint } of ROUTES.filter((route) => route.endpoint.proof)) {
    const send = (headers: Record<string, string>) =>
      sendRequest(site.url, {
        method: endpoint.method,
        path: pathOf(endpoint),
        headers,
        body: endpoint.method === 'GET' ? undefined : {},
      })
    const old = await send(sessionOf(root))
    findings.check(old.code === 'proof_required', () => `${name} without proof: ${brief(old.text)}`)
    if (endpoint.proof !== true) continue
    const program = await send(programOf(root))
    findings.check(program.code === 'session_required', () => `${name} by a program: ${brief(program.text)}`)
    // A cookie and a token in one request do not add up to re-authentication.
    const both = await send({ ...sessionOf(root), ...programOf(root) })
    findings.check(both.code === 'proof_required', () => `${name} by both: ${brief(both.text)}`)
  }
  return findings
}

const DEFAULTS = [
  ['root', '123456'],
  ['root', 'root'],
  ['admin', 'admin'],
  ['admin', 'password'],
  ['admin', '12345678'],
  ['tidegate', 'tidegate'],
] as const

/** A new site has no default account. Only a person who can read its log can set it up, and only once. */
export async function tryDefaultCredentials(): Promise<Findings> {
  const findings = new Findings()
  const site = await openSite()
  const server = await site.start({ env: { TIDEGATE_TRUSTED_PROXIES: '127.0.0.1' } })
  try {
    const post = (path: string, body: object, from: string) =>
      sendRequest(server.url, { method: 'POST', path, body, from })
    const submission = { ...SUPER_ADMIN, confirmPassword: SUPER_ADMIN.password }
    const tryAll = async (expected: string) => {
      for (const [username, password] of DEFAULTS) {
        const { code } = await post(api.login.path, { username, password }, LOOPBACK_OUTSIDER)
        findings.check([expected, 'login_delayed'].includes(code), () => `${username} with ${password}: ${code}`)
      }
    }
    await tryAll('setup_required')
    for (const setup_code of [undefined, '', '000000000000', 'undefined']) {
      const { code } = await post(api.submitSetup.path, { ...submission, setup_code }, LOOPBACK_OUTSIDER)
      findings.check(code === 'setup_code_required', () => `an anonymous user sets the site up: ${code}`)
    }
    for (const claimed of ['127.0.0.1', '10.244.0.1', '127.0.0.1, 203.0.113.9:51234']) {
      const { code } = await post(api.submitSetup.path, submission, claimed)
      findings.check(code === 'setup_code_required', () => `an anonymous user who claims to be ${claimed}: ${code}`)
    }
    const local = apiClient(server.url)
    const rivals = await Promise.all(
      ['one', 'two', 'six'].map((username) => local.send(api.submitSetup, { body: { ...submission, username } })),
    )
    const done = rivals.filter(({ envelope }) => envelope.success).length
    findings.check(done === 1, () => `${done} of ${rivals.length} concurrent setups succeeded`)
    const { envelope } = await local.send(api.submitSetup, { body: submission })
    findings.check('code' in envelope && envelope.code === 'setup_done', () => 'a second setup was not rejected')
    await tryAll('login_failed')
    return findings
  } finally {
    await server.stop()
    await site.close()
  }
}

/** A key that was used before its owner was banned is rejected at once. */
export async function useRevokedSession(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { secret } = await addToken(site.other.client)
  const send = () => sendRequest(site.url, { path: '/v1/models', headers: { authorization: `Bearer ${secret}` } })
  findings.check((await send()).status === 200, () => 'the key did not work to begin with')
  await site.root.client.call(api.manageUser, { body: { id: site.other.id, action: 'disable' } })
  const rejected = await until(async () => (await send()).status !== 200, 5_000)
  findings.check(rejected, () => 'the key of a banned user still works')
  const session = await sendRequest(site.url, { path: api.getSelf.path, headers: sessionOf(site.other) })
  findings.check(session.status === 401, () => `the session of a banned user gets ${session.status}`)
  return findings
}
