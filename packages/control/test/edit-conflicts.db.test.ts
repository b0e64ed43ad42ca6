import { api, type BodyInput } from '@tidegate/contract'
import { addChannel, type ApiClient } from '@tidegate/testing'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from './start-site.ts'
import { registerApi } from '../src/register-api.ts'

let site: TestSite
let root: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const tagOf = ({ response }: { response: Response }) => response.headers.get('etag')!
const withTag = (tag: string) => ({ headers: { 'if-match': tag } })

const readChannel = async (id: number) => tagOf(await root.send(api.getChannel, { path: { id } }))
const putChannel = (body: BodyInput<typeof api.updateChannel>, tag?: string) =>
  root.send(api.updateChannel, { body, ...(tag !== undefined && withTag(tag)) })
const putOption = (key: string, value: string, tag?: string) =>
  root.send(api.updateOption, { body: { key, value }, ...(tag !== undefined && withTag(tag)) })
const readOption = async (key: string) => (await root.call(api.listOptions)).find((row) => row.key === key)!

const CONFLICT = { success: false, code: 'edit_conflict', message: expect.stringContaining('重新加载') }

describe('a channel', () => {
  it('is changed with its current ETag, and keeps a concurrent change', async () => {
    const { id } = await addChannel(root, { url: 'http://127.0.0.1:9' })
    const first = await readChannel(id)

    const saved = await putChannel({ id, weight: 5 }, first)
    expect(saved.envelope).toMatchObject({ success: true })
    const stale = await putChannel({ id, weight: 7 }, first)

    expect(stale.response.status).toBe(412)
    expect(stale.envelope).toMatchObject(CONFLICT)
    expect(await root.call(api.getChannel, { path: { id } })).toMatchObject({ weight: 5 })
    expect(tagOf(saved)).toBe(await readChannel(id))
    expect((await putChannel({ id, weight: 7 }, tagOf(saved))).envelope).toMatchObject({ success: true })
  })

  it('gets another ETag with new keys or status, but not with usage and tests', async () => {
    const { id } = await addChannel(root, { url: 'http://127.0.0.1:9' })
    const first = await readChannel(id)
    await site.db
      .updateTable('channel')
      .set({ used_quota: 5, response_time_ms: 9, tested_at: new Date() })
      .where('id', '=', id)
      .execute()
    expect(await readChannel(id)).toBe(first)

    await putChannel({ id, key: 'sk-another' })
    const second = await readChannel(id)
    await putChannel({ id, status: 2 })

    expect(new Set([first, second, await readChannel(id)]).size).toBe(3)
  })

  it('can be changed without a condition, with *, and with a weak tag', async () => {
    const { id } = await addChannel(root, { url: 'http://127.0.0.1:9' })

    for (const tag of [`"other", W/${await readChannel(id)}`, '*', undefined]) {
      expect((await putChannel({ id, name: 'changed' }, tag)).envelope).toMatchObject({ success: true })
    }
  })

  it('is changed by exactly one of many requests with the same ETag', async () => {
    const { id } = await addChannel(root, { url: 'http://127.0.0.1:9' })
    const tag = await readChannel(id)

    const responses = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((weight) => putChannel({ id, weight: weight + 10 }, tag)),
    )

    const statuses = responses.map(({ response }) => response.status).toSorted((one, other) => one - other)
    expect(statuses).toEqual([200, 412, 412, 412, 412, 412])
  })
})

describe('an option', () => {
  it('is changed with its own ETag while other options change', async () => {
    const { etag } = await readOption('SystemName')
    await putOption('Footer', 'changed meanwhile')

    const saved = await putOption('SystemName', 'Harbour', etag)
    expect(saved.envelope).toMatchObject({ success: true })
    expect((await putOption('SystemName', 'Quay', etag)).envelope).toMatchObject(CONFLICT)

    const now = await readOption('SystemName')
    expect(now).toMatchObject({ value: 'Harbour', etag: tagOf(saved) })
  })

  it('is changed with the ETag of all options while none changes', async () => {
    const all = tagOf(await root.send(api.listOptions))

    expect((await putOption('Notice', 'one', all)).envelope).toMatchObject({ success: true })
    expect((await putOption('Notice', 'two', all)).response.status).toBe(412)
  })

  it('counts in the ETag of all options even if it is a secret', async () => {
    const all = tagOf(await root.send(api.listOptions))

    expect((await putOption('SMTPToken', 'hunter2', all)).envelope).toMatchObject({ success: true })
    expect((await putOption('SMTPToken', 'hunter3', all)).response.status).toBe(412)
  })

  it('is changed by exactly one of many price updates with the same ETag', async () => {
    const { etag } = await readOption('ModelRatio')

    const responses = await Promise.all([1, 2, 3, 4].map((ratio) => putOption('ModelRatio', `{"m":${ratio}}`, etag)))

    expect(responses.map(({ response }) => response.status).toSorted((one, other) => one - other)).toEqual([
      200, 412, 412, 412,
    ])
  })

  it('is checked against the database by a node with an old copy', async () => {
    const old = site.deps.catalog()
    const other = fastify({ routerOptions: { ignoreTrailingSlash: true } })
    await registerApi(other, { ...site.deps, catalog: () => old, catchUp: async () => {} })
    const { etag } = await readOption('SystemName')
    await putOption('SystemName', 'Changed on the first node')

    const token = await root.call(api.createAccessToken)
    const result = await other.inject({
      method: 'PUT',
      url: '/api/option',
      headers: { authorization: token, 'tidegate-user': String(root.userId), 'if-match': etag },
      payload: { key: 'SystemName', value: 'Changed on the second node' },
    })
    await other.close()

    expect(result.statusCode).toBe(412)
    expect(await readOption('SystemName')).toMatchObject({ value: 'Changed on the first node' })
  })
})
