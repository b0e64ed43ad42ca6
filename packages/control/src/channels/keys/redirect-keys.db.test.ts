import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api, type BodyInput } from '@tidegate/contract'
import { createUpstreamClient, type UpstreamClient } from '@tidegate/providers'
import { addChannel } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAutomationClient } from '../../../test/automation-client.ts'
import { errorCode, startSecuritySite, type Client, type SecuritySite } from '../../../test/security-site.ts'
import { PASSWORD } from '../../../test/start-site.ts'

const KEY = 'sk-CANARYCHANNELKEY1234567890'
const HOME = { url: 'https://user:pw@api.provider.example/v1?token=secret' }
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const account = {
  project_id: 'p',
  client_email: 'robot@p.example',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
}
/** A type whose region decides the host. */
const VERTEX = { type: 41, key: JSON.stringify(account), base_url: '', other: 'us-east1' }

let site: SecuritySite
let thief: Server
let thiefUrl: string
let upstream: UpstreamClient
let admin: Client
/** Everything the attacker's server received, including headers. */
let received: string[] = []

beforeAll(async () => {
  thief = createServer((request, response) => {
    received.push(`${request.url} ${JSON.stringify(request.headers)}`)
    response.end('{"data":[]}')
  }).listen(0, '127.0.0.1')
  await once(thief, 'listening')
  thiefUrl = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`
  upstream = createUpstreamClient({ allowPrivateAddresses: true })
  site = await startSecuritySite()
  site.deps.upstream = upstream
  admin = await site.signedIn('admin')
})
afterAll(async () => {
  await site.close()
  await upstream.close()
  thief.closeAllConnections()
  thief.close()
})
beforeEach(async () => {
  received = []
  site.forgetLimits()
  await admin.login(admin.username, PASSWORD)
})

const loginGetsOld = () => site.passSeconds(601)
const newChannel = (fields: Partial<BodyInput<typeof api.createChannel>> = {}) =>
  addChannel(admin, HOME, { key: KEY, ...fields })
const put = (body: BodyInput<typeof api.updateChannel>) => errorCode(admin.send(api.updateChannel, { body }))
const copy = (id: number) => errorCode(admin.send(api.copyChannel, { path: { id }, body: {} }))
const lastAudit = async () => {
  const event = await site.db
    .selectFrom('audit_event')
    .select(['action', 'details'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return { action: event.action, details: event.details }
}

describe('a session without recent re-authentication', () => {
  it('cannot redirect a channel key to another address', async () => {
    const { id } = await newChannel()
    loginGetsOld()

    expect(await put({ id, base_url: thiefUrl })).toBe('proof_required')
    await admin.send(api.fetchChannelModels, { path: { id } })

    expect(received).toEqual([])
    expect((await admin.call(api.getChannel, { path: { id } })).base_url).toBe(HOME.url)
  })

  it('cannot copy a channel', async () => {
    const { id } = await newChannel()
    loginGetsOld()

    expect(await copy(id)).toBe('proof_required')
    await admin.login(admin.username, PASSWORD)
    expect(await copy(id)).toBeUndefined()
  })

  it.each([
    ['the address', {}, { base_url: 'https://thief.example' }],
    ['the address back to the default', {}, { base_url: '' }],
    ['the type', {}, { type: 14 }],
    ['the region', VERTEX, { other: 'europe-west1' }],
    ['the proxy', {}, { setting: '{"proxy":"http://thief.example:8080"}' }],
    ['the proxy, among other settings', { setting: '{"force_format":true}' }, { setting: '{"proxy":"socks5://t:1"}' }],
    ['the headers', {}, { header_override: '{"x-key":"{api_key}"}' }],
    ['away from the proxy', { setting: '{"proxy":"http://ours.example:8080"}' }, { setting: '{}' }],
  ])('cannot change %s', async (_, fields, changes) => {
    const { id } = await newChannel(fields)
    loginGetsOld()

    expect(await put({ id, ...changes })).toBe('proof_required')

    await admin.call(api.proveOwner, { body: { password: PASSWORD } })
    expect(await put({ id, ...changes })).toBeUndefined()
  })

  it('can save the same address and change everything else', async () => {
    const setting = '{"proxy":"http://ours.example:8080","force_format":false}'
    const { id } = await newChannel({ setting })
    const { key: masked, ...stored } = await admin.call(api.getChannel, { path: { id } })
    const { name, type, base_url, other, models, group } = stored
    loginGetsOld()

    expect(await put({ id, key: masked, name, type, base_url, other, models, group, setting })).toBeUndefined()
    const others = { name: 'renamed', models: 'm', priority: 3, setting: setting.replace('false', 'true'), status: 2 }
    expect(await put({ id, ...others })).toBeUndefined()
  })

  it('can change the address together with all keys', async () => {
    const { id } = await newChannel()
    loginGetsOld()

    expect(await put({ id, base_url: thiefUrl, key: 'sk-entered-again-0001' })).toBeUndefined()
    await admin.send(api.fetchChannelModels, { path: { id } })

    expect(received).toHaveLength(1)
    expect(received.join()).not.toContain(KEY)
  })

  it('cannot use masked keys, alone or with a new one', async () => {
    const { id } = await newChannel()
    const { key: masked } = await admin.call(api.getChannel, { path: { id } })
    loginGetsOld()

    expect(await put({ id, base_url: thiefUrl, key: masked })).toBe('proof_required')
    expect(await put({ id, base_url: thiefUrl, key: `sk-new-one-0000001\n${masked}` })).toBe('proof_required')
    expect(await put({ id, base_url: thiefUrl, key: ' \n, ' })).toBe('proof_required')
  })

  it('cannot redirect keys by editing a tag or several channels', async () => {
    const { id } = await newChannel({ tag: 'fleet' })
    loginGetsOld()
    const moved = {
      base_url: thiefUrl,
      type: 14,
      other: 'x',
      setting: `{"proxy":"${thiefUrl}"}`,
      header_override: '{"x-key":"{api_key}"}',
    }

    await admin.send(api.updateChannelTag, { body: { tag: 'fleet', priority: 1, ...moved } })
    await admin.send(api.tagChannels, { body: { ids: [id], tag: 'fleet2', ...moved } })

    const { base_url, type, other, setting, header_override } = await admin.call(api.getChannel, { path: { id } })
    expect({ base_url, type, other, setting, header_override }).toEqual({
      base_url: HOME.url,
      type: 1,
      other: '',
      setting: '',
      header_override: '',
    })
  })
})

describe('an automation token', () => {
  it('needs the scope for channel keys to redirect or copy them', async () => {
    const { id } = await newChannel()
    const body = { id, base_url: thiefUrl }
    const robot = await createAutomationClient(admin, ['channels:read', 'channels:write'])

    const rejected = await robot.send(api.updateChannel, { body })
    expect(rejected.envelope).toMatchObject({ code: 'scope_missing' })
    expect(JSON.stringify(rejected.envelope)).toContain('channel_keys:write')
    expect(await errorCode(robot.send(api.copyChannel, { path: { id }, body: {} }))).toBe('scope_missing')
    await robot.send(api.fetchChannelModels, { path: { id } })
    expect(received).toEqual([])

    expect(await errorCode(robot.send(api.updateChannel, { body: { id, name: 'by a robot' } }))).toBeUndefined()
    const entered = { ...body, key: 'sk-entered-again-0001' }
    expect(await errorCode(robot.send(api.updateChannel, { body: entered }))).toBeUndefined()
  })

  it('can redirect them with that scope', async () => {
    const { id } = await newChannel()
    const robot = await createAutomationClient(admin, ['channels:write', 'channel_keys:write'])

    expect(await errorCode(robot.send(api.updateChannel, { body: { id, base_url: thiefUrl } }))).toBeUndefined()
    expect(await errorCode(robot.send(api.copyChannel, { path: { id }, body: {} }))).toBeUndefined()
  })
})

describe('the audit trail', () => {
  it('records old and new host without the rest of the address', async () => {
    const { id } = await newChannel()

    await put({
      id,
      base_url: 'https://:pass@new.example:8443/path?key=x',
      setting: '{"proxy":"http://u:p@proxy.example:1"}',
    })

    const { action, details } = await lastAudit()
    expect(action).toBe('channel.update')
    expect(details).toMatchObject({
      destination: {
        host: { before: 'api.provider.example', after: 'new.example:8443' },
        proxy: { before: '', after: 'proxy.example:1' },
      },
    })
    expect(JSON.stringify(details)).not.toMatch(/pass|secret|user|path|u:p/)
  })

  it('records names of replaced headers without values', async () => {
    const { id } = await newChannel()

    await put({ id, header_override: '{"x-secret":"tiger-42","x-team":"blue"}' })

    const { details } = await lastAudit()
    expect(details).toMatchObject({ destination: { headers: { before: '', after: 'x-secret, x-team' } } })
    expect(JSON.stringify(details)).not.toMatch(/tiger|blue/)
  })

  it('records changed types and regions, and the host of a copy', async () => {
    const { id } = await newChannel(VERTEX)
    await put({ id, other: 'europe-west1' })
    expect((await lastAudit()).details).toMatchObject({
      destination: { other: { before: 'us-east1', after: 'europe-west1' } },
    })

    const openai = await newChannel()
    await put({ id: openai.id, type: 14 })
    expect((await lastAudit()).details).toMatchObject({ destination: { type: { before: 1, after: 14 } } })
    await copy(openai.id)
    expect(await lastAudit()).toMatchObject({
      action: 'channel.copy',
      details: { from: openai.id, host: 'api.provider.example' },
    })
  })
})

it('sends replaced headers when fetching models', async () => {
  const { id } = await newChannel({ base_url: thiefUrl, header_override: '{"Authorization":"Token {api_key}"}' })

  await admin.send(api.fetchChannelModels, { path: { id } })

  expect(received.join()).toContain(`"authorization":"Token ${KEY}"`)
  received = []
  const body = { base_url: thiefUrl, key: 'sk-unsaved', header_override: '{"x-team":"blue"}' }
  await admin.send(api.fetchUpstreamModels, { body })
  expect(received.join()).toContain('"x-team":"blue"')
})

describe('header text', () => {
  it.each([
    ['organization', { openai_organization: 'org-1\r\nX-Injected: 1' }],
    ['key', { key: 'sk-one\rX-Injected: 1' }],
    ['key', { key: 'sk-one\u2028two' }],
  ])('is rejected with a line break in the %s', async (field, fields) => {
    const { id } = await newChannel()
    const body = { name: 'new', models: 'm', base_url: 'https://api.provider.example', key: KEY, ...fields }

    expect(await errorCode(admin.send(api.createChannel, { body }))).toBe('channel_line_break')
    const { envelope } = await admin.send(api.updateChannel, { body: { id, ...fields } })
    expect(envelope).toMatchObject({ code: 'channel_line_break' })
    expect(JSON.stringify(envelope)).toContain(field === 'key' ? 'key' : 'openai_organization')
  })
})
