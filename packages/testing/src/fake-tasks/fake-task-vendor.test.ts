import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { FAKE_IMAGE, FAKE_VIDEO, fakeTaskVendor, type FakeTaskVendor } from './index.ts'

let vendor: FakeTaskVendor
beforeEach(async () => {
  vendor = await fakeTaskVendor()
})
afterEach(() => vendor.close())

interface Answer {
  status: number
  body: Record<string, unknown> & readonly Record<string, unknown>[]
}

async function ask(path: string, body?: object, key = vendor.key): Promise<Answer> {
  const response = await fetch(vendor.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', 'mj-api-secret': key, authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

describe('a drawing', () => {
  it('is ordered, moved on and told of', async () => {
    const taken = await ask('/mj/submit/imagine', { prompt: 'a gate' })
    const id = String(taken.body.result)
    vendor.advance(id, { status: 'IN_PROGRESS', progress: 35 })
    const young = await ask('/mj/task/list-by-condition', { ids: [id, 'nobody'] })
    vendor.advance(id, { status: 'SUCCESS' })
    const done = await ask(`/mj/task/${id}/fetch`)

    expect(taken.body).toMatchObject({ code: 1, description: 'Submit success' })
    expect(young.body).toMatchObject([{ id, action: 'IMAGINE', status: 'IN_PROGRESS', progress: '35%', imageUrl: '' }])
    expect(done.body).toMatchObject({ status: 'SUCCESS', progress: '100%', imageUrl: `${vendor.url}/images/${id}.png` })
    expect(vendor.orders).toMatchObject([{ path: '/mj/submit/imagine', vendorId: id, body: { prompt: 'a gate' } }])
    expect(vendor.inquiries).toMatchObject([{ ids: [id, 'nobody'] }, { ids: [id] }])
    expect((await ask(`/mj/task/${id}/image-seed`)).body).toMatchObject({ code: 1, result: '3141592653' })
  })

  it.each([
    ['/mj-fast/mj/submit/blend', {}, 'BLEND'],
    ['/mj/submit/change', { action: 'UPSCALE' }, 'UPSCALE'],
    ['/mj/submit/simple-change', { content: '17 V2' }, 'VARIATION'],
    ['/mj/submit/action', { customId: 'MJ::JOB::low_variation::1::x' }, 'LOW_VARIATION'],
    ['/mj/insight-face/swap', {}, 'SWAP_FACE'],
  ])('at %s with %j is %s', async (path, body, action) => {
    await ask(path, body)

    expect(vendor.orders).toMatchObject([{ path, action }])
  })

  it('is taken as the test says', async () => {
    vendor.nextOrder(
      { code: 23, description: 'full' },
      { code: 22, id: 'a/b' },
      { httpStatus: 503 },
      { body: '<html>' },
    )

    const refused = await ask('/mj/submit/imagine', {})
    const queued = await ask('/mj/submit/imagine', {})
    const broken = await ask('/mj/submit/imagine', {})

    expect(refused.body).toEqual({ code: 23, description: 'full', properties: {}, result: null })
    expect(queued.body).toMatchObject({ code: 22, result: 'a/b' })
    expect(broken.status).toBe(503)
    await expect(ask('/mj/submit/imagine', {})).rejects.toThrow(SyntaxError)
    expect(vendor.orders.map(({ vendorId }) => vendorId)).toEqual([undefined, 'a/b', undefined, undefined])
  })

  it('is taken also where the caller never hears of it', async () => {
    vendor.nextOrder({ cut: true }, { stall: true })
    const caller = new AbortController()

    await expect(ask('/mj/submit/imagine', {})).rejects.toThrow()
    const stalled = fetch(`${vendor.url}/mj/submit/imagine`, {
      method: 'POST',
      headers: { 'mj-api-secret': vendor.key },
      signal: caller.signal,
    })
    await expect.poll(() => vendor.orders.length).toBe(2)
    caller.abort()

    await expect(stalled).rejects.toThrow()
    for (const { vendorId } of vendor.orders) expect(vendor.taskWords(vendorId!)).toMatchObject({ status: 'SUBMITTED' })
  })

  it('is sent to where the order wanted to hear of it', async () => {
    const heard: unknown[] = []
    const hook = createServer((request, response) => {
      void text(request).then((body) => {
        heard.push(JSON.parse(body))
        response.writeHead(204).end()
      })
    }).listen(0, '127.0.0.1')
    await once(hook, 'listening')
    onTestFinished(() => void hook.close())
    const notifyHook = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/heard`
    const { body } = await ask('/mj/submit/imagine', { notifyHook })
    const id = String(body.result)

    const { status } = await vendor
      .advance(id, { status: 'FAILURE', failReason: 'too dark' })
      .callBack(id, { extra: 1 })

    expect(status).toBe(204)
    expect(heard).toMatchObject([{ id, status: 'FAILURE', failReason: 'too dark', extra: 1 }])
    await expect(vendor.callBack('nobody')).rejects.toThrow('no such task')
  })
})

describe('a song', () => {
  it('is ordered, moved on and told of in seconds, with where to hear it', async () => {
    const taken = await ask('/suno/submit/MUSIC', { title: 'Tides' })
    const id = String(taken.body.data)
    vendor.advance(id, { status: 'SUCCESS' })
    const told = await ask('/suno/fetch', { ids: [id] })
    const [task] = told.body.data as { finish_time: number; data: { audio_url: string }[] }[]

    expect(taken.body.code).toBe('success')
    expect(task).toMatchObject({ task_id: id, action: 'MUSIC', status: 'SUCCESS', progress: '100%' })
    expect(task!.finish_time).toBeLessThan(10_000_000_000)
    expect((await fetch(task!.data[0]!.audio_url)).headers.get('content-type')).toBe('audio/mpeg')
  })

  it('is refused in words, and says so of words nobody ordered', async () => {
    vendor.nextOrder({ code: 'fail', description: 'no voice' })

    expect((await ask('/suno/submit/LYRICS', {})).body).toEqual({ code: 'fail', message: 'no voice', data: null })
    expect((await ask('/suno/fetch/nobody')).body).toMatchObject({ code: 'task_not_exist' })
  })
})

describe('a video', () => {
  it('is ordered with JSON or a form, again as another take, and fetched when it is done', async () => {
    const form = new FormData()
    form.set('model', 'sora-2-pro')
    form.set('seconds', '8')
    const headers = { authorization: `Bearer ${vendor.key}` }
    const first = await fetch(`${vendor.url}/v1/videos`, { method: 'POST', headers, body: form })
    const { id } = (await first.json()) as { id: string }
    const early = await ask(`/v1/videos/${id}/content`)
    const remix = await ask(`/v1/videos/${id}/remix`, { prompt: 'at night' })
    vendor.advance(id, { status: 'SUCCESS' })
    const content = await fetch(`${vendor.url}/v1/videos/${id}/content`, { headers })

    expect((await ask(`/v1/videos/${id}`)).body).toMatchObject({
      model: 'sora-2-pro',
      seconds: '8',
      status: 'completed',
    })
    expect(early.status).toBe(404)
    expect(remix.body).toMatchObject({ object: 'video', status: 'queued', progress: 0 })
    expect(FAKE_VIDEO.equals(Buffer.from(await content.arrayBuffer()))).toBe(true)
    expect(vendor.orders.map(({ action }) => action)).toEqual(['GENERATE', 'REMIX'])
  })

  it('is refused by a status, and unknown by another', async () => {
    vendor.nextOrder({ httpStatus: 429, description: 'slow down' }).nextInquiry({ httpStatus: 500 })

    expect(await ask('/v1/videos', {})).toMatchObject({ status: 429, body: { error: { message: 'slow down' } } })
    expect((await ask('/v1/videos/nobody')).status).toBe(500)
    expect((await ask('/v1/videos/nobody')).status).toBe(404)
    expect((await ask('/v1/videos/nobody/remix', {})).status).toBe(404)
  })
})

it.each(['/mj/submit/imagine', '/suno/submit/MUSIC', '/v1/videos'])('asks for its key at %s', async (path) => {
  const { status } = await ask(path, {}, 'wrong')

  expect(status).toBe(401)
  expect(vendor.orders).toEqual([])
  expect(vendor.strangers).toMatchObject([{ path }])
})

describe('files', () => {
  const get = (path: string) => fetch(vendor.url + path, { redirect: 'manual' })

  it('are what was made', async () => {
    const image = await get('/images/17.png')

    expect(image.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await image.arrayBuffer())).toEqual(FAKE_IMAGE)
  })

  it.each([
    ['/files/page', 'text/html'],
    ['/files/script.svg', 'image/svg+xml'],
    ['/files/typeless', null],
  ])('at %s are of type %s', async (path, type) => {
    const response = await get(path)
    await response.arrayBuffer()

    expect(response.headers.get('content-type')).toBe(type)
  })

  it.each(['/files/endless', '/files/oversized'])('at %s have more to come after a megabyte', async (path) => {
    const reader = (await get(path)).body!.getReader()
    let bytes = 0
    while (bytes < 1_000_000) bytes += (await reader.read()).value!.length

    expect(bytes).toBeGreaterThanOrEqual(1_000_000)
    await reader.cancel()
  })

  it('break off, lead elsewhere and are not there', async () => {
    const cut = await get('/files/cut')

    await expect(cut.arrayBuffer()).rejects.toThrow()
    expect((await get('/files/redirect?to=http://10.0.0.1/')).headers.get('location')).toBe('http://10.0.0.1/')
    expect((await get('/files/status/410')).status).toBe(410)
  })
})
