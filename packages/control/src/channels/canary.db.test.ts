import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api, ENDPOINTS, type Endpoint } from '@tidegate/contract'
import { createUpstreamClient } from '@tidegate/providers'
import { NO_USAGE } from '@tidegate/pricing'
import { TABLE_NAMES } from '@tidegate/storage'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { disableChannel } from './status.ts'

const CANARIES = ['sk-canary-yellow-0123456789', 'sk-canary-green-0123456789', 'sk-canary-blue-0123456789']
/** Final keys of the channel. */
const USED = [CANARIES[0]!, CANARIES[2]!]
/** Long enough to be masked. */
const CANARY = /.{0,80}canary-(yellow|green|blue).{0,20}/g

let site: TestSite
const closing: (() => unknown)[] = []
const logged: unknown[] = []
beforeAll(async () => {
  const upstream = createUpstreamClient({ allowPrivateAddresses: true })
  const log = (details: object, message: string) => void logged.push(details, message)
  site = await startTestSite({
    upstream,
    log: { info: log, warn: log, error: log },
    probe: async ({ model }) =>
      model === 'broken'
        ? Promise.reject(new Error(`probe broke with ${USED.join()}`))
        : {
            ok: model === 'good',
            message: `key ${USED.join()} rejected`,
            milliseconds: 5,
            status: 401,
            usage: NO_USAGE,
          },
  })
  closing.push(
    () => site.close(),
    () => upstream.close(),
  )
  await site.initialise()
})
afterAll(async () => {
  for (const close of closing) await close()
})

/** A provider that returns every key it receives. */
async function startTattler(): Promise<string> {
  const tattler = createServer((request, response) => {
    const body = `${String(request.headers.authorization)} ${String(request.headers['x-api-key'])}`
    response.writeHead(request.url?.includes('ok') ? 200 : 401).end(JSON.stringify({ error: { message: body } }))
  }).listen(0, '127.0.0.1')
  await once(tattler, 'listening')
  closing.push(() => tattler.close())
  return `http://127.0.0.1:${(tattler.address() as AddressInfo).port}`
}

it('never exposes a key except by the reveal endpoint', async () => {
  const root = await site.signedIn('root')
  const base_url = await startTattler()
  const said: unknown[] = []
  const ask = async (endpoint: Endpoint, input: object = {}) => {
    const { response, envelope } = await root.send(endpoint, input)
    said.push(endpoint.path, [...response.headers], envelope)
    return envelope
  }
  for (const key of ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled']) {
    await root.call(api.updateOption, { body: { key, value: true } })
  }

  const body = {
    type: 1,
    name: 'canary',
    key: CANARIES.slice(0, 2).join('\n'),
    base_url,
    models: 'm,good',
    tag: 'birds',
  }
  await ask(api.createChannel, { body })
  await ask(api.createChannel, { body: { ...body, name: 'x'.repeat(999) } })
  await ask(api.createChannel, { body: { ...body, type: 41 } })
  await ask(api.createChannel, { body: { ...body, key: { yellow: CANARIES[0] } } })
  const [channel] = await root.call(api.searchChannels, { query: { keyword: CANARIES[1]! } })
  const path = { id: channel!.id }
  await ask(api.updateChannel, { body: { id: path.id, key: `${CANARIES[0]}\n${CANARIES[2]}`, name: 'canary two' } })
  await ask(api.updateChannel, { body: { id: path.id, key: `${CANARIES[0]}\nsk-x••••yyyy` } })
  await ask(api.copyChannel, { path, body: {} })
  const [first] = await root.call(api.listChannelKeys, { path })
  await ask(api.disableChannelKey, { path: { ...path, hash: first!.hash } })
  await ask(api.enableChannelKey, { path: { ...path, hash: first!.hash } })
  await ask(api.fetchUpstreamModels, { body: { type: 1, base_url, key: CANARIES[0] } })
  await ask(api.fetchUpstreamModels, { body: { type: 1, base_url: `${base_url}/ok`, key: CANARIES[0] } })
  await ask(api.fetchUpstreamModels, {
    body: { type: 1, base_url: `http://${CANARIES[0]}@127.0.0.1:1`, key: CANARIES[0] },
  })
  for (const model of ['good', 'bad', 'broken']) {
    await ask(api.testChannel, { path, query: { model } })
    await ask(api.testUnsavedChannel, { body: { base_url, key: USED.join('\n'), model } })
  }
  await disableChannel(site.deps, { channelId: path.id, key: CANARIES[0]!, reason: `no ${CANARIES[0]!}` })
  await disableChannel(site.deps, { channelId: path.id, key: CANARIES[2]!, reason: `no ${CANARIES[2]!}` })
  await ask(api.testAllChannels)
  await ask(api.refreshAllBalances)
  const reads = ENDPOINTS.filter(
    ({ endpoint }) => endpoint.method === 'GET' && endpoint.path.startsWith('/api/channel'),
  )
  for (const { endpoint } of reads) await ask(endpoint, { path, query: { ids: path.id } })
  for (const getProgress of [api.getTestProgress, api.getBalanceProgress]) {
    await expect.poll(async () => (await root.call(getProgress)).running, { timeout: 15_000 }).toBe(false)
  }
  await ask(api.listLogs)

  const tables = await Promise.all(
    TABLE_NAMES.map((name) => sql`select * from ${sql.table(name)}`.execute(site.db).then(({ rows }) => [name, rows])),
  )
  const revealed = await root.call(api.revealChannelKey, { path })

  expect(said.length).toBeGreaterThan(80)
  expect(canariesIn(JSON.stringify(said))).toEqual([])
  expect(JSON.stringify(tables)).toContain('channel.auto_disable')
  expect(canariesIn(JSON.stringify(tables))).toEqual([])
  expect(logged.length).toBeGreaterThan(0)
  expect(canariesIn(errorTexts(logged))).toEqual([])
  expect(revealed.keys).toEqual(USED)
})

function canariesIn(text: string): string[] {
  return text.match(CANARY) ?? []
}

/** Errors are empty in JSON, so message and cause are written out. */
function errorTexts(values: unknown[]): string {
  const spell = (_name: string, value: unknown): unknown =>
    value instanceof Error ? { ...value, text: value.stack, because: value.cause } : value
  return JSON.stringify(values, spell)
}
