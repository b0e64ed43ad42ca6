import { randomUUID } from 'node:crypto'
import { api } from '@tidegate/contract'
import { isTaskToken, type Database } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: ApiClient & { username: string }
let admin: ApiClient & { username: string }
let user: ApiClient & { username: string }
let channelId: number
const NOON = Date.UTC(2026, 5, 1, 12)
const at = (minutes: number) => new Date(NOON + minutes * 60_000)
const SECRET = 'a-secret-of-one-image'

async function add(task: Partial<Insertable<Database['task']>>): Promise<void> {
  await site.db
    .insertInto('task')
    .values({
      kind: 'drawing',
      user_id: user.userId!,
      action: 'IMAGINE',
      request_id: randomUUID(),
      secret: SECRET,
      deadline_at: at(60),
      ...task,
    })
    .execute()
}

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
  admin = await site.signedIn('admin')
  user = await site.signedIn('user')
  const body = { type: 1, name: 'harbour', key: 'k', models: 'mj_imagine', group: 'default' }
  await admin.call(api.createChannel, { body })
  channelId = (await admin.call(api.searchChannels)).find(({ name }) => name === 'harbour')!.id
  await add({
    vendor_id: 'd/1',
    channel_id: channelId,
    status: 'SUCCESS',
    progress: 100,
    code: 1,
    prompt: '潮水',
    data: JSON.stringify({ promptEn: 'a tide', description: 'Submit success', buttons: [] }),
    result_url: 'https://cdn.example/1.png',
    quota: 50_000,
    submitted_at: at(0),
    started_at: at(1),
    finished_at: at(2),
  })
  await add({
    vendor_id: 'd2',
    channel_id: channelId,
    user_id: admin.userId!,
    status: 'FAILURE',
    progress: 100,
    fail_reason: 'banned words',
    data: JSON.stringify({ promptEn: 7 }),
    quota: 50_000,
    refunded_at: at(4),
    submitted_at: at(3),
    finished_at: at(4),
  })
  await add({ vendor_id: 'd3', status: 'IN_PROGRESS', progress: 35, submitted_at: at(5) })
  const songs = [{ title: 'Ebb', audio_url: 'https://cdn.example/1.mp3' }]
  await add({
    kind: 'music',
    vendor_id: 's1',
    channel_id: channelId,
    action: 'MUSIC',
    status: 'SUCCESS',
    progress: 100,
    properties: JSON.stringify({ mv: 'chirp-v3-0' }),
    data: JSON.stringify(songs),
    submitted_at: new Date(NOON + 500),
    finished_at: at(2),
    updated_at: at(2),
  })
  await add({ kind: 'video', vendor_id: 'v1', action: 'generate', status: 'QUEUED', submitted_at: at(1) })
  await add({ kind: 'music', vendor_id: 's2', user_id: admin.userId!, action: 'LYRICS', submitted_at: at(2) })
})
afterAll(() => site.close())

const imageTaskIds = async (query: Record<string, string | number> = {}) =>
  (await admin.call(api.listDrawings, { query })).map(({ mj_id }) => mj_id)
const media = async (query: Record<string, string | number> = {}) =>
  (await admin.call(api.listMediaTasks, { query })).map(({ task_id }) => task_id)

describe('the image task list', () => {
  it('shows administrators all tasks, newest first, with user and channel', async () => {
    const rows = await admin.call(api.listDrawings)

    expect(rows.map(({ mj_id }) => mj_id)).toEqual(['d3', 'd2', 'd/1'])
    expect(rows[2]).toMatchObject({
      username: user.username,
      channel_id: channelId,
      channel_name: 'harbour',
      progress: '100%',
      code: 1,
      prompt: '潮水',
      prompt_en: 'a tide',
      description: 'Submit success',
      quota: 50_000,
      refunded: false,
      submit_time: NOON,
      start_time: NOON + 60_000,
      finish_time: NOON + 120_000,
    })
    expect(rows[1]).toMatchObject({ refunded: true, fail_reason: 'banned words', prompt_en: '', start_time: 0 })
  })

  it('shows users their own tasks without channels', async () => {
    const rows = await user.call(api.listOwnDrawings, { query: { channel_id: 999 } })

    expect(rows.map(({ mj_id }) => mj_id)).toEqual(['d3', 'd/1'])
    expect(rows[1]).toMatchObject({ username: '', channel_id: 0, channel_name: '' })
    await expect(user.call(api.listDrawings)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it.each([
    [{ mj_id: 'd2' }, ['d2']],
    [{ channel_id: 999 }, []],
    [{ start_timestamp: NOON + 1 }, ['d3', 'd2']],
    [{ end_timestamp: NOON }, ['d/1']],
    [{ start_timestamp: NOON + 180_000, end_timestamp: NOON + 180_000 }, ['d2']],
    [{ start_timestamp: 9_007_199_254_740_991 }, []],
    [{ p: 1, page_size: 2 }, ['d/1']],
    [{ p: 'x', channel_id: 'y' }, ['d3', 'd2', 'd/1']],
  ])('applies the filter %o', async (query, ids) => {
    expect(await imageTaskIds(query)).toEqual(ids)
  })

  it('returns the total in a header', async () => {
    const { response } = await admin.send(api.listDrawings, { query: { page_size: 1 } })

    expect(response.headers.get('x-total-count')).toBe('3')
  })

  it('rejects very deep pages', async () => {
    await expect(imageTaskIds({ p: 101, page_size: 100 })).rejects.toMatchObject({ code: 'page_too_deep' })
    await expect(media({ p: 101, page_size: 100 })).rejects.toMatchObject({ code: 'page_too_deep' })
    expect(await imageTaskIds({ p: 100, page_size: 100 })).toEqual([])
  })

  it('returns an image address of this site with a key', async () => {
    const [open, , done] = await admin.call(api.listDrawings)

    const address = new URL(done!.image_url, 'http://site.test')
    expect(done!.image_url.startsWith('/mj/image/d%2F1?key=')).toBe(true)
    expect(isTaskToken(address.searchParams.get('key')!, SECRET, 'view')).toBe(true)
    expect(open!.image_url).toBe('')
  })

  it('prefixes the site address, and returns the provider address if proxying is off', async () => {
    await setOption('ServerAddress', 'https://gate.example')
    const [, , whole] = await admin.call(api.listDrawings)
    await setOption('MjForwardUrlEnabled', 'false')
    const [, own] = await user.call(api.listOwnDrawings)

    expect(whole!.image_url).toMatch(/^https:\/\/gate\.example\/mj\/image\/d%2F1\?key=/)
    expect(own!.image_url).toBe('https://cdn.example/1.png')
  })
})

describe('the music and video task list', () => {
  it('shows administrators all tasks, newest first, with times in seconds and provider data', async () => {
    const rows = await admin.call(api.listMediaTasks)

    expect(rows.map(({ task_id, platform }) => [task_id, platform])).toEqual([
      ['s2', 'suno'],
      ['v1', 'video'],
      ['s1', 'suno'],
    ])
    expect(rows[2]).toMatchObject({
      channel_name: 'harbour',
      submit_time: NOON / 1000,
      created_at: NOON / 1000,
      start_time: 0,
      finish_time: NOON / 1000 + 120,
      updated_at: NOON / 1000 + 120,
      properties: { mv: 'chirp-v3-0' },
      data: [{ title: 'Ebb', audio_url: 'https://cdn.example/1.mp3' }],
    })
  })

  it('shows users their own tasks without channels', async () => {
    const rows = await user.call(api.listOwnMediaTasks)

    expect(rows.map(({ task_id }) => task_id)).toEqual(['v1', 's1'])
    expect(rows[1]).toMatchObject({ username: '', channel_id: 0, channel_name: '' })
    await expect(user.call(api.listMediaTasks)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it.each([
    [{ task_id: 'v1' }, ['v1']],
    [{ task_id: 'd3' }, []],
    [{ platform: 'suno' }, ['s2', 's1']],
    [{ platform: 'video' }, ['v1']],
    [{ platform: 'drawing' }, []],
    [{ action: 'music' }, ['s1']],
    [{ status: 'QUEUED' }, ['v1']],
    [{ end_timestamp: NOON / 1000 }, ['s1']],
    [{ start_timestamp: NOON / 1000 + 1, end_timestamp: NOON / 1000 + 119 }, ['v1']],
  ])('applies the filter %o', async (query, ids) => {
    expect(await media(query)).toEqual(ids)
  })
})

async function setOption(key: string, value: string): Promise<void> {
  await root.call(api.updateOption, { body: { key, value } })
}
