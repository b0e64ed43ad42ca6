import { api, type BodyInput, type Endpoint } from '@tidegate/contract'
import { createUpstreamClient, limitEgress } from '@tidegate/providers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startRegistrationSite, type RegistrationSite } from '../../test/registration-site.ts'
import { PASSWORD } from '../../test/start-site.ts'

const NOT_ALLOWED = 'egress_not_allowed'

let site: RegistrationSite
let upstream: ReturnType<typeof createUpstreamClient>
beforeAll(async () => {
  site = await startRegistrationSite({ site: { allowPrivateFetches: true } })
  upstream = createUpstreamClient({ allowPrivateAddresses: true })
  site.deps.upstream = upstream
  root = await callerOf(site.root.username)
})
afterAll(async () => {
  await site.close()
  await upstream.close()
})
afterEach(() => limitEgress(undefined))

interface Envelope {
  code?: string
  message: string
  data?: unknown
}

/** Requests handed to the server directly, because the egress list also applies to `fetch` of this process. */
async function callerOf(username: string) {
  const payload = { username, password: PASSWORD }
  const login = await site.app.inject({ method: 'POST', url: '/api/user/login', payload })
  const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
  const user = String(login.json<{ data: { id: number } }>().data.id)
  return async (endpoint: Endpoint, payload?: object, url: string = endpoint.path): Promise<Envelope> => {
    const headers = { 'tidegate-user': user, 'accept-language': 'en' }
    const response = await site.app.inject({ method: endpoint.method, url, payload, cookies, headers })
    return response.json<Envelope>()
  }
}

let root: Awaited<ReturnType<typeof callerOf>>
const channel = (fields: Partial<BodyInput<typeof api.createChannel>> = {}) => ({
  type: 1,
  name: 'harbour',
  key: 'sk-0123456789abcdef',
  models: 'gpt-4o',
  ...fields,
})
const create = async (fields?: Parameters<typeof channel>[0]) => (await root(api.createChannel, channel(fields))).code

describe('a channel', () => {
  it('requires a host in the egress allow list', async () => {
    limitEgress(['api.openai.com', '*.models.example', '10.0.0.0/8'])

    expect(await create()).toBeUndefined() // the provider's own address
    expect(await create({ base_url: 'https://eu.models.example/v1' })).toBeUndefined()
    expect(await create({ base_url: 'http://10.1.2.3:8000' })).toBeUndefined()
    expect(await create({ base_url: 'https://thief.example' })).toBe(NOT_ALLOWED)
    expect(await create({ base_url: 'http://192.0.2.1' })).toBe(NOT_ALLOWED)
    expect(await create({ type: 14 })).toBe(NOT_ALLOWED) // another provider with its own address
  })

  it('requires a proxy in the list', async () => {
    limitEgress(['api.openai.com', '10.0.0.0/8'])

    expect(await create({ setting: '{"proxy":"socks5://10.0.0.1:1080"}' })).toBeUndefined()
    expect(await create({ setting: '{"proxy":"http://proxy.thief.example:8080"}' })).toBe(NOT_ALLOWED)
    const behind = { base_url: 'https://thief.example', setting: '{"proxy":"http://10.0.0.1:8080"}' }
    expect(await create(behind)).toBe(NOT_ALLOWED)
  })

  it('cannot be redirected to another host, but otherwise edited', async () => {
    const { id } = await site.root.call(api.createChannel, { body: channel({ base_url: 'https://old.example' }) })
    limitEgress(['api.openai.com'])
    const change = async (fields: object) => (await root(api.updateChannel, { id, ...fields })).code

    expect(await change({ base_url: 'https://thief.example' })).toBe(NOT_ALLOWED)
    expect(await change({ name: 'old harbour' })).toBeUndefined()
    expect(await change({ base_url: '' })).toBeUndefined()
  })

  it('cannot be created by a config file either', async () => {
    const yaml = `tidegate: 1\nchannels:\n  - name: pier\n    type: 1\n    base_url: https://thief.example\n    models: [m]\n    keys: [sk-0123456789abcdef]\n`
    const { version } = await site.root.call(api.planConfig, { body: { yaml } })
    limitEgress(['api.openai.com'])

    expect(await root(api.applyConfig, { yaml, expect_version: version })).toMatchObject({ code: NOT_ALLOWED })
  })

  it('is not tested before it is saved', async () => {
    let tested = 0
    site.deps.probe = async () => {
      tested += 1
      return { ok: true, message: '', milliseconds: 1 }
    }
    limitEgress(['api.openai.com'])
    const test = async (fields: object) => (await root(api.testUnsavedChannel, { key: 'sk-new', ...fields })).code

    expect(await test({ base_url: 'https://thief.example' })).toBe(NOT_ALLOWED)
    expect(await test({ setting: '{"proxy":"http://proxy.thief.example:8080"}' })).toBe(NOT_ALLOWED)
    expect(tested).toBe(0)
  })

  it('saved earlier reports the error when its models are fetched', async () => {
    const { id } = await site.root.call(api.createChannel, { body: channel({ base_url: 'http://127.0.0.1:9' }) })
    limitEgress(['api.openai.com'])

    const response = await root(api.fetchChannelModels, undefined, `/api/channel/fetch_models/${id}`)

    expect(response).toMatchObject({ success: false, message: expect.stringContaining('TIDEGATE_EGRESS_ALLOW') })
  })
})

describe('a webhook', () => {
  it('requires a host in the egress allow list', async () => {
    const user = await callerOf((await site.signedIn('user')).username)
    const save = async (webhook_url: string) =>
      (await user(api.updateSetting, { notify_type: 'webhook', webhook_url })).code
    limitEgress(['hooks.example'])

    expect(await save('https://thief.example/hook')).toBe(NOT_ALLOWED)
    expect(await save('https://hooks.example/hook')).toBeUndefined()
  })
})

describe('the mail server', () => {
  const sendTestMail = async () => (await root(api.sendTestMail, { to: 'mira@example.com' })).data

  it('is reached by name or by an address in a range', async () => {
    limitEgress(['127.0.0.1'])
    expect(await sendTestMail()).toMatchObject({ sent: true })

    await site.set({ SMTPServer: 'localhost' })
    limitEgress(['127.0.0.0/8'])
    expect(await sendTestMail()).toMatchObject({ sent: true })
  })

  it('is not connected outside the list', async () => {
    limitEgress(['smtp.example'])
    const before = site.mailbox.attempts()

    expect(await sendTestMail()).toEqual({ sent: false, problem: 'localhost is not in the egress allow list' })
    expect(site.mailbox.attempts()).toBe(before)
  })
})

describe('OAuth providers', () => {
  it('are not requested outside the list', async () => {
    await site.set({
      'oidc.client_id': 'id',
      'oidc.client_secret': 'secret',
      'oidc.well_known': `${site.url}/.well-known/openid-configuration`,
      'oidc.authorization_endpoint': 'https://id.example/a',
      'oidc.token_endpoint': 'https://id.example/t',
      'oidc.user_info_endpoint': 'https://id.example/u',
      'oidc.enabled': 'true',
    })
    limitEgress(['id.example'])
    const requests: string[] = []
    site.app.server.on('request', ({ url }) => requests.push(url ?? ''))

    const response = await site.request('POST', '/api/oauth/start', { service: 'oidc' })

    expect(response.json.code).toBe('oauth_unreachable')
    expect(requests).not.toContain('/.well-known/openid-configuration')
  })
})
