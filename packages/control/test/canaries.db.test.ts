import { api, ENDPOINTS, pathParameters, type RoleName } from '@tidegate/contract'
import { addToken, fakeBrowserPush, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite, type TestSite } from './start-site.ts'

type Client = ApiClient & { username: string }

/** Secrets stored in the site, by kind. None of them may appear in a response. */
const canaries = new Map<string, string>()
let site: TestSite
let root: Client
let admin: Client
let user: Client
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
  admin = await site.signedIn('admin')
  user = await site.signedIn('user')
  await plantOptions()
  await plantChannel()
  await plantAccount()
})
afterAll(() => site.close())

const canary = (of: string) => {
  const secret = `canary-${of.replace(/\W/g, '-')}-5f0c1e`
  canaries.set(of, secret)
  return secret
}

async function plantOptions(): Promise<void> {
  const secrets = ['SMTPToken', 'GitHubClientSecret', 'oidc.client_secret', 'EpayKey', 'WorkerValidKey'] as const
  for (const key of secrets) await root.call(api.updateOption, { body: { key, value: canary(key) } })
  for (const key of ['stripe.secret_key', 'stripe.webhook_secret', 'TelegramBotToken']) {
    await root.call(api.updateOption, { body: { key, value: canary(key) } })
  }
}

async function plantChannel(): Promise<void> {
  const body = { type: 1, name: 'harbour', key: canary('channel key'), models: 'gpt-4o', group: 'default' }
  await admin.call(api.createChannel, { body })
}

async function plantAccount(): Promise<void> {
  for (const client of [user, admin, root]) {
    canaries.set(`access token of ${client.username}`, await client.call(api.createAccessToken))
    const webhook = { notify_type: 'webhook', webhook_url: 'https://hooks.example.com/in' }
    const webhook_secret = canary(`webhook secret of ${client.username}`)
    await client.call(api.updateSetting, { body: { ...webhook, webhook_secret } })
    const { subscription } = fakeBrowserPush(`https://push.example/${canary(`push endpoint of ${client.username}`)}`)
    await client.call(api.subscribePush, { body: subscription })
    canaries.set(`push keys of ${client.username}`, subscription.keys.auth)
    const { secret } = await client.call(api.beginTotp)
    canaries.set(`authenticator secret of ${client.username}`, secret)
  }
  const rows = await site.db.selectFrom('user').select(['username', 'password_hash']).execute()
  for (const { username, password_hash } of rows) canaries.set(`password hash of ${username}`, password_hash!)
  canaries.set('password', PASSWORD)
  const sessions = await site.db.selectFrom('session').select('id_hash').execute()
  sessions.forEach(({ id_hash }, index) => canaries.set(`stored session ${index}`, id_hash))
}

/** Endpoints whose purpose is to return a secret. */
const MAY_TELL: Record<string, RegExp> = {
  revealChannelKey: /^channel key$/,
}

describe('no response contains a secret', () => {
  // Deleting endpoints would remove the users of later requests, and return nothing or a count.
  const cases = ENDPOINTS.filter(({ endpoint }) => endpoint !== api.logout && endpoint.method !== 'DELETE')

  it.each(['user', 'admin', 'root'] as const)('leaks nothing to a caller with the role %s', async (role) => {
    const leaks: object[] = []
    for (const { name, endpoint } of cases) {
      const body = endpoint.method === 'GET' ? undefined : {}
      for (const id of pathParameters(endpoint.path).length > 0 ? [1, 2, 3] : [1]) {
        const { envelope } = await { user, admin, root }[role].send(endpoint, { path: { id, hash: 'a1' }, body })
        const text = JSON.stringify(envelope)
        const leaked = [...canaries].filter(([, secret]) => text.includes(secret)).map(([what]) => what)
        for (const what of leaked) if (!MAY_TELL[name]?.test(what)) leaks.push({ name, id, what })
      }
    }

    expect(leaks).toEqual([])
  })

  it('sends its requests with valid sessions', async () => {
    const roles: [Client, RoleName][] = [
      [user, 'user'],
      [admin, 'admin'],
      [root, 'root'],
    ]
    for (const [client] of roles) expect((await client.send(api.getSelf)).response.status).toBe(200)
    expect(await admin.call(api.searchUsers, { query: { keyword: user.username } })).toMatchObject({ total: 1 })
  })

  it('shows the secret of a token to its owner only', async () => {
    const { key } = await addToken(user)

    for (const other of [admin, root]) {
      const texts = await Promise.all(
        ENDPOINTS.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.sameOriginOnly).map(
          async ({ endpoint }) =>
            JSON.stringify((await other.send(endpoint, { path: { id: 3, hash: 'a1' } })).envelope),
        ),
      )
      expect(texts.join()).not.toContain(key)
    }
  })
})
