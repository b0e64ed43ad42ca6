import { randomBytes } from 'node:crypto'
import { logJobs } from '@tidegate/control'
import { startInProcess, type InProcessGateway } from '@tidegate/gateway/testing'
import { openVault, postgresLogStore, users } from '@tidegate/storage'
import { fakeUpstream, workerDatabase, type FakeUpstream } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createResponseStore } from './response-store.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const vault = openVault(randomBytes(32))
const DAY_MS = 86_400_000
const OTHER_KEY = 'sk-otheruserotheruserotheruser'
const PRIVATE_KEY = 'sk-privatetokenprivatetokenpriv'
const PROVIDERS = [
  { type: 24, model: 'gemini-2.5-pro' },
  { type: 14, model: 'claude-sonnet-4-5' },
]

let database: Awaited<ReturnType<typeof workerDatabase>>
let userId: number
let otherId: number
beforeAll(async () => {
  database = await workerDatabase()
  const insert = (name: string) => users.insert(database.db, { username: name, display_name: name, aff_code: name })
  userId = await insert('interacting')
  otherId = await insert('interacting2')
})
afterAll(() => database.close())

let upstream: FakeUpstream
let gateway: InProcessGateway
let store: ReturnType<typeof createResponseStore>
beforeEach(async () => {
  await database.db.deleteFrom('stored_response').execute() // each provider begins with the same ids
  upstream = await fakeUpstream()
  store = createResponseStore({ db: database.db, recordsDb: database.db, vault, log })
  gateway = await startInProcess({
    channels: PROVIDERS.map(({ type, model }) => ({ type, baseUrl: upstream.url, models: [model] })),
    responses: store,
    caller: { userId },
    otherCallers: {
      [OTHER_KEY]: { userId: otherId, tokenId: 80 },
      [PRIVATE_KEY]: { userId, tokenId: 81, storesResponses: false },
    },
    settings: { SelfUseModeEnabled: true, StoredResponseDays: 5 },
  })
})
afterEach(async () => {
  await gateway.close()
  await store.stop()
  await upstream.close()
})

async function send(method: string, path: string, { body, key = gateway.key }: { body?: object; key?: string } = {}) {
  const response = await fetch(`${gateway.url}/v1beta/interactions${path}`, {
    method,
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- tests read interactions of any shape
  return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined }
}

const rowsOf = (id: string) =>
  database.db.selectFrom('stored_response').selectAll().where('id', '=', id).where('user_id', '=', userId).execute()
const eventsOf = (id: string) =>
  database.db.selectFrom('stored_response_event').selectAll().where('response_id', '=', id).execute()

/** Runs the job that removes expired responses, on a later day. */
async function purgeAfter(days: number): Promise<void> {
  const keepAll = {
    LogRetentionDays: 0,
    LogRetentionGigabytes: 0,
    LogChatContentDays: 0,
    StoredResponseDays: 5,
    UsageHourDays: 0,
    UsageDayDays: 0,
  }
  const now = () => new Date(Date.now() + days * DAY_MS)
  const jobs = logJobs({ db: database.db, logs: postgresLogStore(database.db), log, now, settings: () => keepAll })
  await jobs.find(({ name }) => name === 'purge-stored-responses')!.run(new AbortController().signal)
}

describe.each(PROVIDERS)('an interaction with $model', ({ model }) => {
  const question = () => ({ model, input: 'The secret question 潮', system_instruction: 'short' })

  it('is stored encrypted, shown and continued', async () => {
    upstream.next({ text: 'The secret answer 潮' })
    const { json: first } = await send('POST', '', { body: question() })
    upstream.next({ text: 'The moon.' })
    const { json: second } = await send('POST', '', {
      body: { model, input: 'Why?', previous_interaction_id: first.id },
    })
    await store.stop()

    const [row] = await rowsOf(first.id)
    expect(row).toMatchObject({ sealed: expect.stringMatching(/^v1\./), item_ids: [], status: 'completed' })
    expect(JSON.stringify(row)).not.toMatch(/secret/)
    expect(row!.expires_at.getTime() - row!.created_at.getTime()).toBe(5 * DAY_MS)
    expect((await rowsOf(second.id))[0]).toMatchObject({ previous_id: first.id, thread: row!.thread })
    const shown = await send('GET', `/${first.id}?include_input=true`)
    expect(shown.json).toMatchObject({
      id: first.id,
      steps: first.steps,
      usage: first.usage,
      input: [{ type: 'user_input', content: [{ type: 'text', text: 'The secret question 潮' }] }],
    })
  })

  it('is bound to its user, and deleted by it', async () => {
    upstream.next({ text: 'The secret answer 潮' })
    const { json } = await send('POST', '', { body: question() })
    await store.stop()
    const id = json.id as string
    const other = { key: OTHER_KEY }

    const foreign = await Promise.all([
      send('GET', `/${id}`, other),
      send('POST', `/${id}/cancel`, other),
      send('DELETE', `/${id}`, other),
      send('POST', '', { ...other, body: { ...question(), previous_interaction_id: id } }),
    ])
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(await rowsOf(id)).toHaveLength(1)

    expect((await send('DELETE', `/${id}`)).status).toBe(200)
    expect(await rowsOf(id)).toEqual([])
    expect((await send('GET', `/${id}`)).status).toBe(404)
  })

  it('is removed with its events after the retention', async () => {
    upstream.next({ text: 'The secret answer 潮' })
    const { text } = await send('POST', '', { body: { ...question(), background: true, stream: true } })
    const id = /"id":"(v1_[^"]+)"/.exec(text)![1]!
    await store.stop()
    const events = await eventsOf(id)
    expect(events.length).toBeGreaterThan(0)
    expect(JSON.stringify([events, await rowsOf(id)])).not.toMatch(/secret/)

    await purgeAfter(4)
    expect(await rowsOf(id)).toHaveLength(1)
    await purgeAfter(6)

    expect([await rowsOf(id), await eventsOf(id)]).toEqual([[], []])
    expect((await send('GET', `/${id}?stream=true`)).status).toBe(404)
  })

  it('is not stored for an API token that does not allow it, nor by the provider', async () => {
    upstream.next({ text: 'The secret answer 潮' })
    const { json } = await send('POST', '', { key: PRIVATE_KEY, body: question() })
    await store.stop()

    expect(await rowsOf(json.id)).toEqual([])
    expect((await send('GET', `/${json.id}`, { key: PRIVATE_KEY })).status).toBe(404)
    expect(upstream.requests[0]!.body).not.toMatchObject({ store: true })
    if (model.startsWith('gemini')) expect(upstream.requests[0]!.body).toMatchObject({ store: false })
    const background = await send('POST', '', { key: PRIVATE_KEY, body: { ...question(), background: true } })
    expect([background.status, background.json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
  })
})
