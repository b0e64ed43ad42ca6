import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FAKE_IMAGE } from '@tidegate/testing'
import { sharedSite } from '../shared-site.ts'
import { openTaskSite, PRICE, TOKEN_QUOTA, type TaskFacts, type TaskSite } from './task-site.ts'

const SOON = { timeout: 20_000, interval: 100 }

const shared = sharedSite()
let at: TaskSite
beforeAll(async () => {
  at = await openTaskSite({ ...shared, client: (await shared.addUser()).client })
})
afterAll(() => at?.provider.close())

let quotaBefore = 0
beforeEach(async () => {
  await expect.poll(() => at.unpaid(), SOON).toBe(0)
  quotaBefore = await at.tokenQuota()
})

const spent = async () => quotaBefore - (await at.tokenQuota())

/** What the token lost beyond the charges of tasks that were not refunded. */
async function unexplainedQuota(): Promise<number> {
  const charges = (await at.tasks()).filter(({ refunded }) => !refunded).reduce((sum, { charged }) => sum + charged, 0)
  return TOKEN_QUOTA - (await at.tokenQuota()) - charges
}

async function newest(): Promise<TaskFacts> {
  return (await at.tasks()).at(-1)!
}

async function draw(prompt = 'a lighthouse'): Promise<string> {
  const { status, json } = await at.send('/mj/submit/imagine', { prompt })
  expect({ status, code: json.code }).toEqual({ status: 200, code: 1 })
  return json.result as string
}

describe('an image task', () => {
  it('is submitted, charged, polled, and shown at an address that needs its key', async () => {
    const id = await draw()
    await expect.poll(spent, SOON).toBe(PRICE)
    expect(at.provider.submissions.at(-1)).toMatchObject({ path: '/mj/submit/imagine', action: 'IMAGINE' })
    expect(at.provider.submissions.at(-1)!.headers['mj-api-secret']).toBe(at.provider.key)

    at.provider.advance(id, { status: 'IN_PROGRESS', progress: 40 })
    await expect
      .poll(async () => (await at.send(`/mj/task/${id}/fetch`)).json, SOON)
      .toMatchObject({
        id,
        action: 'IMAGINE',
        prompt: 'a lighthouse',
        status: 'IN_PROGRESS',
        progress: '40%',
      })

    at.provider.advance(id, { status: 'SUCCESS', imageUrl: `${at.provider.url}/images/${id}.png` })
    const fetchTask = async () => (await at.send(`/mj/task/${id}/fetch`)).json as Record<string, string>
    await expect.poll(fetchTask, SOON).toMatchObject({ status: 'SUCCESS', progress: '100%' })
    const { imageUrl } = await fetchTask()
    expect(imageUrl).toMatch(new RegExp(`^${at.url}/mj/image/${id}\\?key=[\\w-]{43}$`))

    const image = await fetch(imageUrl!)
    expect(image.headers.get('content-type')).toBe('image/png')
    expect(image.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await image.arrayBuffer())).toEqual(Buffer.from(FAKE_IMAGE))
    expect((await fetch(imageUrl!.replace(/key=./, 'key=~'))).status).toBe(403)
    expect((await fetch(imageUrl!.replace(/\?.*/, ''))).status).toBe(403)
    expect(await newest()).toMatchObject({ charged: PRICE, refunded: false })
  })

  it('is refunded to the account and the token once when it fails, however the failure is reported', async () => {
    await shared.setOption('MjNotifyEnabled', 'true')
    await expect.poll(async () => hookOf(await draw()), SOON).toContain('/mj/notify?task=')
    const id = at.provider.submissions.at(-1)!.upstreamId!

    at.provider.advance(id, { status: 'FAILURE', failReason: 'the sea was too rough' })
    const callbacks = await Promise.all(Array.from({ length: 10 }, () => at.provider.callBack(id)))

    expect(callbacks.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    await expect.poll(newest, SOON).toMatchObject({ status: 'FAILURE', charged: PRICE, refunded: true })
    await expect.poll(unexplainedQuota, SOON).toBe(0)
    expect((await at.send(`/mj/task/${id}/fetch`)).json).toMatchObject({ failReason: 'the sea was too rough' })
    await shared.setOption('MjNotifyEnabled', 'false')
  })

  it('ignores callbacks that are forged, replayed or of another task', async () => {
    await shared.setOption('MjNotifyEnabled', 'true')
    await expect.poll(async () => hookOf(await draw('one')), SOON).toContain('/mj/notify?task=')
    const id = at.provider.submissions.at(-1)!.upstreamId!
    const hook = hookOf(id)
    const post = (address: string, body: object) =>
      fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

    const failure = { ...at.provider.taskObject(id), status: 'FAILURE', failReason: 'forged' }
    for (const forged of [
      hook.replace(/key=.*/, 'key='),
      hook.replace(/&key=.*/, ''),
      hook.replace(/key=./, 'key=~'),
      hook.replace(/task=\d+/, 'task=999999'),
      hook.replace(/task=\d+/, 'task=1e3'),
      `${at.url}/mj/notify`,
    ]) {
      expect((await post(forged, failure)).status).toBe(403)
    }
    expect((await post(hook, { ...failure, id: 'of-another-task' })).status).toBe(200)
    expect((await newest()).status).not.toBe('FAILURE')

    at.provider.advance(id, { status: 'SUCCESS', imageUrl: `${at.provider.url}/images/a.png` })
    await at.provider.callBack(id)
    await at.provider.callBack(id, { status: 'FAILURE', failReason: 'late' })
    expect(await newest()).toMatchObject({ status: 'SUCCESS', refunded: false, fail_reason: '' })
    await shared.setOption('MjNotifyEnabled', 'false')
  })

  it.each([
    [24, 400, 'banned text'],
    [4, 400, 'wrong parameters'],
  ])(
    'costs nothing and is stored as failed when the provider rejects it with %i',
    async (code, status, description) => {
      at.provider.nextSubmission({ code, description })

      const response = await at.send('/mj/submit/imagine', { prompt: 'x' })

      expect(response).toMatchObject({ status, json: { code, type: 'upstream_error' } })
      expect(response.json.description).toContain(description)
      expect(await newest()).toMatchObject({ status: 'FAILURE', code, charged: 0, refunded: false })
      expect(await spent()).toBe(0)
    },
  )

  it('is sent to no other channel and costs nothing when its submission is interrupted', async () => {
    const before = at.provider.submissions.length
    at.provider.nextSubmission({ cut: true })

    expect((await at.send('/mj/submit/imagine', { prompt: 'x' })).status).toBe(400)

    expect(at.provider.submissions).toHaveLength(before + 1)
    expect(await newest()).toMatchObject({ status: 'FAILURE', charged: 0 })
    expect(await spent()).toBe(0)
  })
})

function hookOf(id: string): string {
  const submission = at.provider.submissions.find(({ upstreamId }) => upstreamId === id)
  const hook = (submission?.body as { notifyHook?: unknown } | undefined)?.notifyHook
  return typeof hook === 'string' ? hook : ''
}

describe('a follow-up of an image task', () => {
  it('goes to the channel of its parent once that is done, and opening a dialog is free', async () => {
    const id = await draw()
    const early = await at.send('/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 2 })
    expect(early).toMatchObject({ status: 400, json: { reason: 'task_not_ready' } })

    at.provider.advance(id, { status: 'SUCCESS', imageUrl: `${at.provider.url}/images/a.png` })
    await expect.poll(async () => (await at.send(`/mj/task/${id}/fetch`)).json.status, SOON).toBe('SUCCESS')
    await expect.poll(spent, SOON).toBe(PRICE)

    expect((await at.send('/mj/submit/simple-change', { content: `${id} V3` })).status).toBe(200)
    expect((await newest()).action).toBe('VARIATION')
    const inpaint = { taskId: id, customId: 'MJ::Inpaint::1::abc::SOLO' }
    expect((await at.send('/mj/submit/action', inpaint)).status).toBe(200)
    expect((await newest()).action).toBe('INPAINT')
    await expect.poll(spent, SOON).toBe(2 * PRICE)
    expect((await newest()).charged).toBe(0)
  })

  it('is rejected for a task of another user or an unknown one', async () => {
    const response = await at.send('/mj/submit/change', { taskId: 'unknown', action: 'REROLL' })

    expect(response).toMatchObject({ status: 400, json: { reason: 'task_not_exist' } })
  })
})

it('returns many tasks at once, and the seed of one', async () => {
  const ids = [await draw('one'), await draw('two')]

  const { json } = await at.send('/mj/task/list-by-condition', { ids: [...ids, 'unknown'] })
  expect((json as { prompt: string }[]).map(({ prompt }) => prompt).toSorted()).toEqual(['one', 'two'])
  expect((await at.send(`/mj/task/${ids[0]}/image-seed`)).status).toBe(200)
})

it('accepts the key header of image clients and reports an invalid key in their format', async () => {
  const plain = await fetch(`${at.url}/mj/submit/imagine`, { method: 'POST', body: '{"prompt":"x"}' })
  expect(plain.status).toBe(401)
  expect(await plain.json()).toMatchObject({ code: 4, type: 'upstream_error', reason: 'api_key_missing' })
})

it.each([
  ['/mj/submit/imagine', {}, 'prompt'],
  ['/mj/submit/change', { taskId: 'x', action: 'BURN', index: 1 }, 'action'],
  ['/mj/submit/change', { taskId: 'x', action: 'UPSCALE', index: 9 }, 'index'],
  ['/mj/submit/simple-change', { content: 'x U9' }, 'content'],
  ['/mj/submit/action', { taskId: 'x', customId: 'what' }, 'customId'],
  ['/mj/submit/modal', {}, 'taskId'],
  ['/mj/insight-face/swap', { sourceBase64: 'x' }, 'targetBase64'],
])('%s with %o is rejected with the wrong field', async (path, body, field) => {
  const response = await at.send(path, body)

  expect(response.status).toBe(400)
  expect(response.json.description).toContain(field)
})

it('forwards a mode of the provider and not one of ours', async () => {
  await at.send('/mj-fast/mj/submit/imagine', { prompt: 'fast' })
  expect(at.provider.submissions.at(-1)!.path).toBe('/mj/submit/imagine')
})
