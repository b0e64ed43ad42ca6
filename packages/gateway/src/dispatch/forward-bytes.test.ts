import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../../test/support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
/** Rows of failed requests. */
const recorded: { other: object }[] = []
beforeEach(async () => {
  recorded.length = 0
  upstream = await fakeUpstream()
  gateway = await startGateway({
    channels: [aChannel({ baseUrl: upstream.url, models: ['dall-e-3'] })],
    recordError: (row) => void recorded.push(row),
  })
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

describe('an error inside an event stream', () => {
  const long = `data: {"type":"image_generation.partial_image","b64_json":"${'A'.repeat(200_000)}"}\n\n`
  const errorEvent = (error: object) => `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`

  async function stream(...parts: string[]) {
    upstream.next({ headers: { 'content-type': 'text/event-stream' }, body: parts.join('') })
    return (
      await gateway.send({
        method: 'POST',
        path: '/v1/images/generations',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'dall-e-3', prompt: 'a gate', stream: true }),
      })
    ).text
  }

  it("does not reveal the operator's account, and leaves everything else as it is", async () => {
    const account = { type: 'billing', code: 'insufficient_quota', message: 'org-4711 has no credit: sk-provider-4711' }
    const text = await stream(long, errorEvent(account), 'data: [DONE]\n\n')

    expect(text.startsWith(long)).toBe(true)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(text).toContain('"code":"upstream_account_error"')
    expect(text).not.toMatch(/org-4711|sk-provider/)
    expect(recorded.at(-1)?.other).toMatchObject({ error_code: 'upstream_account_error' })
  })

  it.each([
    ['at the top', { type: 'error', code: 'insufficient_quota', message: 'org-4711' }],
    ['in a list', { error: { code: 'invalid_api_key', message: 'org-4711', details: ['org-4711'] } }],
  ])('does not reveal the account when it is %s', async (_, data) => {
    const text = await stream(`event: error\ndata: ${JSON.stringify(data)}\n\n`)
    expect(text).not.toContain('org-4711')
  })

  it('does not reveal the account when it is not JSON', async () => {
    expect(await stream('event: error\ndata: key sk-proj-4711471147114711 rejected\n\n')).not.toContain('sk-proj-4711')
  })

  it('costs nothing when nothing else was received', async () => {
    await stream(errorEvent({ type: 'invalid_request_error', code: 'moderation_blocked', message: 'Not this image.' }))
    await expect.poll(() => gateway.credit.states()).toEqual(['released'])
  })

  it('is shown when it is about the request', async () => {
    const error = { type: 'invalid_request_error', code: 'moderation_blocked', message: 'Not this image.', param: '' }
    expect(await stream(errorEvent(error))).toBe(errorEvent(error))
  })
})
