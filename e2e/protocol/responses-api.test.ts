import { addChannel, addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedSite } from './shared-site.ts'

const MODEL = 'claude-sonnet-4-20250514'

const site = sharedSite()
let upstream: FakeUpstream
let sdk: OpenAI
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(site.admin, upstream, { type: 14, models: MODEL })
  const { secret } = await addToken(site.admin)
  sdk = new OpenAI({ apiKey: secret, baseURL: `${site.url}/v1`, maxRetries: 0 })
})
afterAll(() => upstream?.close())

it('resumes the stream of a background response from the database', async () => {
  let finish = () => {}
  const headersAfter = new Promise<void>((resolve) => (finish = resolve))
  upstream.next({ text: 'The tide is high.', headersAfter })

  const begun = await sdk.responses.create({ model: MODEL, input: 'How is the tide?', background: true, stream: true })
  let id = ''
  for await (const event of begun) {
    if (event.type !== 'response.queued') continue
    id = event.response.id
    break // leaves
  }
  const resumed = await sdk.responses.retrieve(id, { stream: true, starting_after: 1 })
  finish()
  const events: OpenAI.Responses.ResponseStreamEvent[] = []
  for await (const event of resumed) events.push(event)

  const numbers = events.map((event) => event.sequence_number)
  expect(numbers).toEqual(numbers.map((_, index) => index + 2))
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { id, status: 'completed' } })
  expect((await sdk.responses.retrieve(id)).output_text).toBe('The tide is high.')
  const rows = await site.db
    .selectFrom('stored_response_event')
    .select('sealed')
    .where('response_id', '=', id)
    .execute()
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.every(({ sealed }) => sealed.startsWith('v1.'))).toBe(true)
})

it('serves responses over a WebSocket, and bills each', async () => {
  const socket = new ResponsesWS(sdk)
  const next = async () => {
    for await (const message of socket) {
      if (message.type === 'error') throw message.error
      if (message.type === 'message' && message.message.type === 'response.completed') return message.message.response
    }
    throw new Error('the socket was closed')
  }
  upstream.next({ text: 'The tide is high.' }, { text: 'It is low.' })

  socket.send({ type: 'response.create', model: MODEL, input: 'How is the tide?', store: false })
  const first = await next()
  socket.send({ type: 'response.create', model: MODEL, input: 'Now?', previous_response_id: first.id, store: false })
  const second = await next()
  socket.close()

  expect([first.status, second.status]).toEqual(['completed', 'completed'])
  expect(upstream.requests.at(-1)!.rawBody.toString()).toMatch(/How is the tide\?.*The tide is high.*Now\?/)
  const logs = () => site.db.selectFrom('usage_log').select('request_id').where('model_name', '=', MODEL).execute()
  await expect.poll(async () => (await logs()).length).toBeGreaterThanOrEqual(3)
})

it('compacts a conversation by a summary of the model', async () => {
  upstream.next({ text: 'They asked about the tide.' })
  const compacted = await sdk.responses.compact({ model: MODEL, input: 'How is the tide?' })
  const input = [...compacted.output, { role: 'user', content: 'And now?' }] as OpenAI.Responses.ResponseInputItem[]

  await sdk.responses.create({ model: MODEL, input })

  expect(upstream.requests.at(-1)!.rawBody.toString()).toMatch(/They asked about the tide\..*And now\?/)
})
