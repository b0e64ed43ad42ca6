import OpenAI, { type RateLimitError } from 'openai'
import { addToken, FAKE_VIDEO } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { windows } from '../../scenarios/limits/count-requests.ts'
import { type SiteUser, sharedSite } from '../shared-site.ts'
import { openTaskSite, PRICE, type TaskSite } from './task-site.ts'

const SOON = { timeout: 20_000, interval: 100 }

const shared = sharedSite()
let at: TaskSite
let user: SiteUser
let openai: OpenAI
beforeAll(async () => {
  user = await shared.addUser()
  at = await openTaskSite({ ...shared, client: user.client })
  openai = new OpenAI({ apiKey: user.key, baseURL: `${at.url}/v1`, maxRetries: 0 })
  await shared.setOption('ModelPrice', { 'sora-2': 0.1 })
})
afterAll(() => at?.provider.close())

let quotaBefore = 0
beforeEach(async () => {
  await expect.poll(() => at.unpaid(), SOON).toBe(0)
  quotaBefore = await at.tokenQuota()
})
const spent = async () => quotaBefore - (await at.tokenQuota())

describe('a song', () => {
  it('is submitted, charged and shown in the format of its clients', async () => {
    const { status, json } = await at.send('/suno/submit/music', {
      gpt_description_prompt: 'a sea shanty',
      title: 'Tide',
    })
    expect({ status, code: json.code }).toEqual({ status: 200, code: 'success' })
    const id = json.data as string
    expect(at.provider.submissions.at(-1)).toMatchObject({ path: '/suno/submit/MUSIC', body: { mv: 'chirp-v3-0' } })
    await expect.poll(spent, SOON).toBe(PRICE)

    const songs = [{ id: 'a', title: 'Tide', audio_url: `${at.provider.url}/songs/a.mp3` }]
    at.provider.advance(id, { status: 'SUCCESS', data: songs })
    await expect
      .poll(async () => (await at.send(`/suno/fetch/${id}`)).json, SOON)
      .toMatchObject({
        code: 'success',
        data: { task_id: id, action: 'MUSIC', status: 'SUCCESS', progress: '100%', data: songs },
      })
    expect((await at.send('/suno/fetch', { ids: [id, 'unknown'] })).json.data).toHaveLength(1)
  })

  it('is refunded once when it fails, however often it is polled', async () => {
    const { json } = await at.send('/suno/submit/lyrics', { prompt: 'the tide' })
    await expect.poll(spent, SOON).toBe(PRICE)

    at.provider.advance(json.data, { status: 'FAILURE', failReason: 'no rhyme' })
    await expect.poll(spent, SOON).toBe(0)
    expect((await at.tasks()).at(-1)).toMatchObject({ status: 'FAILURE', refunded: true, fail_reason: 'no rhyme' })
  })

  it('is rejected in the format of its clients when unknown or invalid', async () => {
    expect(await at.send('/suno/fetch/unknown')).toMatchObject({
      status: 400,
      json: { code: 'task_not_exist', data: null },
    })
    expect((await at.send('/suno/submit/lyrics', {})).json.message).toContain('prompt')
    expect((await at.send('/suno/submit/music', { continue_clip_id: 'x' })).json.message).toContain('task_id')
  })

  it('is rejected when the token cannot pay, without a request to the provider', async () => {
    const before = at.provider.submissions.length
    const { secret } = await addToken(user.client, { unlimited_quota: false, remain_quota: PRICE - 1 })

    const response = await at.send('/suno/submit/music', {}, { authorization: `Bearer ${secret}` })

    expect(response).toMatchObject({ status: 403, json: { code: 'pre_consume_token_quota_failed' } })
    expect(at.provider.submissions).toHaveLength(before)
  })
})

describe('a video, by the official client', () => {
  it('is submitted by the second, polled, listed and downloaded', async () => {
    const video = await openai.videos.create({ model: 'sora-2', prompt: 'waves', seconds: '8' })
    expect(video).toMatchObject({ object: 'video', status: 'queued' })
    const cost = async () => (await at.tasks()).at(-1)!.charged
    await expect.poll(cost, SOON).toBe(8 * PRICE)
    await expect(openai.videos.downloadContent(video.id)).rejects.toThrow('once it has succeeded')

    at.provider.advance(video.id, { status: 'SUCCESS' })
    await expect.poll(async () => (await openai.videos.retrieve(video.id)).status, SOON).toBe('completed')
    const listed = await openai.videos.list({ limit: 1 })
    expect(listed.data.map(({ id }) => id)).toEqual([video.id])
    const content = await openai.videos.downloadContent(video.id)
    expect(content.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await content.arrayBuffer())).toEqual(Buffer.from(FAKE_VIDEO))
  })

  it('remixed from another costs what that one did, whatever the request says', async () => {
    const video = await openai.videos.create({ model: 'sora-2', prompt: 'waves', seconds: '12' })
    at.provider.advance(video.id, { status: 'SUCCESS' })
    await expect.poll(async () => (await openai.videos.retrieve(video.id)).status, SOON).toBe('completed')

    const remix = await openai.videos.remix(video.id, { prompt: 'at night' })

    expect(at.provider.submissions.at(-1)!.path).toBe(`/v1/videos/${video.id}/remix`)
    const readCharge = async () => (await at.tasks()).find(({ vendor_id }) => vendor_id === remix.id)?.charged
    await expect.poll(readCharge, SOON).toBe(12 * PRICE)
  })

  it('costs the price of its size per second, also when it is remixed', async () => {
    const size = '1024x1792'
    const video = await openai.videos.create({ model: 'sora-2-pro', prompt: 'waves', seconds: '8', size })
    const readCharge = async (id: string) => (await at.tasks()).find(({ vendor_id }) => vendor_id === id)?.charged
    // 8 s × 0.50 USD × 500,000
    await expect.poll(() => readCharge(video.id), SOON).toBe(2_000_000)
    at.provider.advance(video.id, { status: 'SUCCESS' })
    await expect.poll(async () => (await openai.videos.retrieve(video.id)).status, SOON).toBe('completed')

    const remix = await openai.videos.remix(video.id, { prompt: 'at night' })
    await expect.poll(() => readCharge(remix.id), SOON).toBe(2_000_000)

    const standard = await openai.videos.create({ model: 'sora-2-pro', prompt: 'waves', seconds: '4' })
    // 4 s × 0.30 USD × 500,000
    await expect.poll(() => readCharge(standard.id), SOON).toBe(600_000)
  })

  it('shows the reason and is refunded when it fails', async () => {
    const video = await openai.videos.create({ model: 'sora-2', prompt: 'waves' })
    at.provider.advance(video.id, { status: 'FAILURE', failReason: 'blocked by moderation' })

    await expect.poll(async () => (await openai.videos.retrieve(video.id)).status, SOON).toBe('failed')
    expect((await openai.videos.retrieve(video.id)).error?.message).toContain('blocked')
    await expect.poll(async () => (await at.tasks()).at(-1), SOON).toMatchObject({ refunded: true })
  })

  it('counts against the request limit of its token, like songs and images, and polling does not', async () => {
    const { secret } = await addToken(user.client, { ...windows(1, 0), tokens_per_minute: 5_000 })
    const limited = new OpenAI({ apiKey: secret, baseURL: `${at.url}/v1`, maxRetries: 0 })
    const authorization = `Bearer ${secret}`

    const video = await limited.videos.create({ model: 'sora-2', prompt: 'waves' })
    const submissions = at.provider.submissions.length
    const rejected: unknown = await limited.videos.create({ model: 'sora-2', prompt: 'waves' }).catch((error) => error)
    const song = await at.send('/suno/submit/music', {}, { authorization })
    const imageTask = await at.send('/mj/submit/imagine', { prompt: 'waves' }, { authorization })

    expect(rejected).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
    expect(Number((rejected as RateLimitError).headers.get('retry-after'))).toBeGreaterThan(0)
    expect(song).toMatchObject({ status: 429, json: { code: 'token_rate_limited', data: null } })
    expect(imageTask).toMatchObject({ status: 429, json: { code: 30, reason: 'token_rate_limited' } })
    expect(at.provider.submissions).toHaveLength(submissions)
    expect((await limited.videos.retrieve(video.id)).id).toBe(video.id)
  })

  it('does not exist for other users', async () => {
    const video = await openai.videos.create({ model: 'sora-2', prompt: 'mine' })
    const { key: apiKey } = await shared.addUser()
    const asOther = new OpenAI({ apiKey, baseURL: `${at.url}/v1`, maxRetries: 0 })

    await expect(asOther.videos.retrieve(video.id)).rejects.toMatchObject({ status: 404 })
    await expect(asOther.videos.downloadContent(video.id)).rejects.toMatchObject({ status: 404 })
    await expect(asOther.videos.remix(video.id, { prompt: 'theirs' })).rejects.toMatchObject({ status: 404 })
    expect((await asOther.videos.list()).data).toEqual([])
    expect((await openai.videos.retrieve(video.id)).id).toBe(video.id)
  })
})
