import { api, type BodyInput } from '@tidegate/contract'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let admin: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())

const upstream = { url: 'http://127.0.0.1:9' }
const FIRST = 'sk-first-0123456789'
const SECOND = 'sk-second-0123456789'

const get = (id: number) => admin.call(api.getChannel, { path: { id } })
const put = (body: BodyInput<typeof api.updateChannel>) => admin.call(api.updateChannel, { body })
const reveal = async (id: number) => (await admin.call(api.revealChannelKey, { path: { id } })).keys

async function lastAudit() {
  const { action, subject, details, actor_id } = await site.db
    .selectFrom('audit_event')
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return { action, subject, details, actor_id }
}

describe('one channel', () => {
  it('shows masked keys, and reveals them only by the recorded reveal endpoint', async () => {
    const { id } = await addChannel(admin, upstream, { key: `${FIRST}\n${SECOND}` })

    expect((await get(id)).key).toBe('sk-f••••6789\nsk-s••••6789')
    expect(await admin.call(api.revealChannelKey, { path: { id } })).toEqual({
      key: `${FIRST}\n${SECOND}`,
      keys: [FIRST, SECOND],
    })
    expect(await lastAudit()).toEqual({
      action: 'channel.reveal',
      subject: String(id),
      details: {},
      actor_id: admin.userId,
    })
  })

  it('returns not found from every endpoint when it is missing', async () => {
    const path = { id: 999_999 }
    const calls = [
      admin.send(api.getChannel, { path }),
      admin.send(api.revealChannelKey, { path }),
      admin.send(api.copyChannel, { path, body: {} }),
      admin.send(api.updateChannel, { body: path }),
      admin.send(api.listChannelKeys, { path }),
    ]

    for (const { envelope } of await Promise.all(calls)) {
      expect(envelope).toMatchObject({ success: false, code: 'channel_not_found' })
    }
  })

  it('can be read and given a new key when the old one cannot be opened', async () => {
    const { id } = await addChannel(admin, upstream, { models: 'sealed-elsewhere' })
    await site.db.updateTable('channel').set({ sealed_key: 'v1.damaged' }).where('id', '=', id).execute()

    expect((await get(id)).key).toBe('')
    expect((await admin.send(api.revealChannelKey, { path: { id } })).envelope).toMatchObject({
      code: 'channel_key_unreadable',
    })
    await put({ id, key: FIRST })
    expect(await reveal(id)).toEqual([FIRST])
    expect(site.deps.catalog().channelsFor('default', 'sealed-elsewhere')).toHaveLength(1)
  })
})

describe('editing a channel', () => {
  it('changes only sent fields and returns the row', async () => {
    const before = await addChannel(admin, upstream, { tag: 'east', system_prompt: 'Be kind.', weight: 7, key: FIRST })

    const after = await put({ id: before.id, priority: 5 })

    expect(after).toEqual({ ...before, priority: 5, key: 'sk-f••••6789' })
    expect(await lastAudit()).toMatchObject({ action: 'channel.update', details: { fields: ['priority'] } })
  })

  it('keeps required fields and clears optional ones', async () => {
    const before = await addChannel(admin, upstream, {
      key: FIRST,
      tag: 'east',
      system_prompt: 'Be kind.',
      test_model: 'm',
      model_mapping: '{"a":"b"}',
      other: 'x',
      openai_organization: 'org',
      model_prefix: 'p/',
    })
    const empty = { type: 0, key: '', status: 0, name: ' ', models: '', group: '' }
    const cleared = { tag: '', system_prompt: '', test_model: '', model_mapping: '', other: '' }

    const after = await put({ id: before.id, ...empty, ...cleared, base_url: '', openai_organization: null })

    expect(after).toMatchObject({ ...before, ...cleared, base_url: '', openai_organization: 'org', model_prefix: 'p/' })
    expect(await reveal(before.id)).toEqual([FIRST])
  })

  it('keeps masked keys next to new ones', async () => {
    const { id } = await addChannel(admin, upstream, { key: `${FIRST}\n${SECOND}` })
    const { key } = await get(id)

    await put({ id, key })
    expect(await reveal(id)).toEqual([FIRST, SECOND])

    await put({ id, key: `sk-new-0123456789\n${key.split('\n')[1]}` })
    expect(await reveal(id)).toEqual(['sk-new-0123456789', SECOND])
    expect(await lastAudit()).toMatchObject({ action: 'channel.reveal' })
  })

  it('is rejected with an unknown mask and changes nothing', async () => {
    const { id } = await addChannel(admin, upstream, { key: FIRST })

    const { envelope } = await admin.send(api.updateChannel, { body: { id, name: 'new', key: 'sk-x••••yyyy' } })

    expect(envelope).toMatchObject({ success: false, code: 'channel_key_mask_unknown' })
    expect((await get(id)).name).not.toBe('new')
  })

  it('updates its abilities with models, groups, priority and status', async () => {
    const { id } = await addChannel(admin, upstream, { models: 'old-model' })
    const countRoutable = (group: string, model: string) => site.deps.catalog().channelsFor(group, model).length

    await put({ id, models: 'new-model', group: 'vip' })
    expect([countRoutable('default', 'old-model'), countRoutable('vip', 'new-model')]).toEqual([0, 1])

    await put({ id, status: 2 })
    expect(countRoutable('vip', 'new-model')).toBe(0)
    const abilities = await site.db.selectFrom('ability').selectAll().where('channel_id', '=', id).execute()
    expect(abilities).toMatchObject([{ group: 'vip', model: 'new-model', enabled: false }])

    await put({ id, status: 1, priority: 9 })
    expect(site.deps.catalog().channelsFor('vip', 'new-model')).toMatchObject([{ id, priority: 9 }])
  })

  it.each([
    [{ status: 3 }, 'channel_status_invalid'],
    [{ status: 9 }, 'channel_status_invalid'],
    [{ group: 'nobody' }, 'group_unknown'],
    [{ type: 21 }, 'channel_type_unknown'],
    [{ type: 8, base_url: '' }, 'channel_base_url_required'],
    [{ param_override: '{' }, 'channel_json_invalid'],
  ])('is rejected with %o', async (change, code) => {
    const { id } = await addChannel(admin, upstream)

    const { envelope } = await admin.send(api.updateChannel, { body: { id, ...change } })

    expect(envelope).toMatchObject({ success: false, code })
  })

  it('does not validate unchanged fields', async () => {
    const { id } = await addChannel(admin, upstream)
    await site.db
      .updateTable('channel')
      .set({ group: 'gone', setting: 'not json', type: 21 })
      .where('id', '=', id)
      .execute()

    expect(await put({ id, weight: 3 })).toMatchObject({ group: 'gone', setting: 'not json', type: 21, weight: 3 })
    expect(await put({ id, type: 21, status: 2 })).toMatchObject({ status: 2 })
  })

  it('clears the disable reason and enables the keys when enabled manually', async () => {
    const { id } = await addChannel(admin, upstream, { key: `${FIRST}\n${SECOND}` })
    const other_info = JSON.stringify({ status_reason: 'no credit', status_time: 5, note: 'kept' })
    await site.db.updateTable('channel').set({ status: 3, other_info }).where('id', '=', id).execute()
    await site.db.updateTable('channel_key').set({ status: 3, reason: 'x' }).where('channel_id', '=', id).execute()
    expect(await get(id)).toMatchObject({ key_count: 2, disabled_key_count: 2 })

    const after = await put({ id, status: 1 })

    expect(after).toMatchObject({ status: 1, disabled_key_count: 0, other_info: '{"note":"kept"}' })
  })
})

describe('copying a channel', () => {
  it('creates a channel with the same keys, fields and status, without history', async () => {
    const original = await addChannel(admin, upstream, { key: `${FIRST}\n${SECOND}`, tag: 'east', models: 'copied' })
    await put({ id: original.id, status: 2 })
    await site.db
      .updateTable('channel')
      .set({ used_quota: 5, response_time_ms: 7 })
      .where('id', '=', original.id)
      .execute()

    const copy = await admin.call(api.copyChannel, { path: { id: original.id }, body: {} })

    expect(copy).toMatchObject({
      name: `${original.name} copy`,
      tag: 'east',
      status: 2,
      used_quota: 0,
      response_time: 0,
      key: 'sk-f••••6789\nsk-s••••6789',
      key_count: 2,
    })
    expect(copy.id).not.toBe(original.id)
    expect(await reveal(copy.id)).toEqual([FIRST, SECOND])
    await put({ id: copy.id, status: 1 })
    expect(site.deps.catalog().channelsFor('default', 'copied')).toMatchObject([{ id: copy.id }])
  })

  it('uses the given name', async () => {
    const { id } = await addChannel(admin, upstream)

    expect(await admin.call(api.copyChannel, { path: { id }, body: { name: ' twin ' } })).toMatchObject({
      name: 'twin',
    })
  })
})
