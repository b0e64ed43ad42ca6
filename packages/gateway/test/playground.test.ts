import { ApiError } from '@tidegate/contract'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aCaller, aChannel } from './support/catalog.ts'
import { MemoryLimiter } from './support/limiter.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterAll(() => upstream.close())

let gateway: TestGateway
const start = async (options: Partial<Parameters<typeof startGateway>[0]> = {}) => {
  gateway = await startGateway({
    channels: [aChannel({ baseUrl: upstream.url }), aChannel({ id: 2, models: ['elsewhere'], groups: ['svip'] })],
    users: { identify: () => Promise.resolve(aCaller()) },
    ...options,
  })
}
afterEach(async () => {
  await gateway.close()
  upstream.reset()
})

const sendChat = (body: object, headers: Record<string, string> = {}) =>
  gateway.send({
    method: 'POST',
    path: '/pg/chat/completions',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body }),
  })

describe('the playground', () => {
  it("bills the user's balance, without a token", async () => {
    await start()

    const { status, headers } = await sendChat({ group: 'default' })

    expect([status, headers['access-control-allow-origin']]).toEqual([200, undefined])
    expect(gateway.credit.entries).toMatchObject([{ userId: 7, tokenId: 0, tokenUnlimited: true }])
    expect(gateway.credit.settled[0]!.log).toMatchObject({ tokenName: 'playground-default', group: 'default' })
  })

  it('returns errors in the formats of /api and of chats, in the language of the page', async () => {
    await start({ users: { identify: () => Promise.reject(new ApiError('not_logged_in')) } })

    const { status, json } = await sendChat({}, { 'accept-language': 'zh-CN' })

    expect(status).toBe(401)
    expect(json).toMatchObject({ success: false, code: 'not_logged_in', error: { code: 'not_logged_in' } })
    expect(json.message).toMatch(/^未登录/)
  })

  it.each([
    ['a group of other users', { group: 'svip2' }, 403, 'group_not_allowed'],
    ['a model of another group', { model: 'elsewhere' }, 503, 'get_playground_channel_failed'],
    ['a model that does not exist', { model: 'nowhere' }, 404, 'model_not_found'],
    ['a blank model', { model: '' }, 400, 'model_required'],
    ['no messages', { messages: [] }, 400, 'invalid_text_request'],
  ])('rejects %s', async (_, body, status, code) => {
    await start()

    const response = await sendChat(body)

    expect([response.status, response.json.error.code]).toEqual([status, code])
    expect(gateway.credit.entries).toEqual([])
  })

  it('accepts only JSON, which a form of another site cannot send', async () => {
    await start()

    expect(await sendChat({}, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
  })

  it('ends a broken stream with the error and then the end mark', async () => {
    await start()
    upstream.next({ text: 'one two three', errorEvent: { afterEvents: 3, status: 500, message: 'no more' } })

    const { data } = await sendChat({ stream: true })

    expect(data.at(-1)).toBe('[DONE]')
    expect(JSON.parse(data.at(-2)!)).toMatchObject({ error: { message: expect.stringContaining('no more') } })
  })

  it('serves eight requests of a user at the same time, and rejects the ninth', async () => {
    await start({ limiter: new MemoryLimiter() })
    upstream.when(() => true, { stallAfterEvents: 0 })
    const underWay = Array.from({ length: 8 }, () => sendChat({ stream: true }).catch(() => undefined))
    await upstream.received(8)

    const ninth = await sendChat({})

    expect([ninth.status, ninth.json.code]).toEqual([429, 'playground_busy'])
    await gateway.gateway.drain(0)
    await Promise.all(underWay)
  })
})
