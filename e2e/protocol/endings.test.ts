import { addChannel, fakeUpstream, type FakeUpstream, type Script } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { usageRows } from '../scenarios/books.ts'
import { sendChat, type ChatResult } from '../scenarios/send-chat.ts'
import { sharedSite } from './shared-site.ts'

const MODEL = 'ending-model'

/** Every word and every full stop is one token, for the upstream and for our tokenizer. */
const SENTENCE = 'The tide comes in and the gate lets it through. '
const ERROR_TEXT = 'The upstream is very sorry and says so at great length. '.repeat(50)

const site = sharedSite()
let upstream: FakeUpstream
let key: string
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(site.admin, upstream, { models: MODEL })
  for (const option of ['ModelRatio', 'CompletionRatio'] as const) await site.setOption(option, { [MODEL]: 1 })
  key = (await site.addUser()).key
})
afterEach(() => upstream.reset())
afterAll(() => upstream?.close())

it('bills a client that disconnects after five chunks for those, and aborts the upstream request', async () => {
  upstream.next({ text: SENTENCE.repeat(20), stallAfterEvents: 6 }) // the role event and five tokens

  const seen = await sendRequest({ stream: true, leaveAfterChunks: 5 })

  const { sent } = await upstream.aborted(1)
  expect(seen).toMatchObject({ outcome: 'left', chunks: 5 })
  expect(await onlyRowOf(seen)).toMatchObject({ completion_tokens: sent.tokens, other: { estimated: true } })
})

it('bills a client that aborts a fast stream for what was produced until then', async () => {
  upstream.next({ text: SENTENCE.repeat(500), betweenEventsMs: 1 })

  const seen = await sendRequest({ stream: true, leaveAfterChunks: 400 })

  const { sent } = await upstream.aborted(1)
  const row = await onlyRowOf(seen)
  expect(row.completion_tokens).toBeGreaterThanOrEqual(seen.chunks)
  expect(row.completion_tokens / sent.tokens).toBeGreaterThan(0.98)
  expect(row.completion_tokens / sent.tokens).toBeLessThan(1.02)
})

it.each([{ stream: true }, { stream: false }])(
  'counts a response without usage itself, $stream',
  async ({ stream }) => {
    upstream.next({ text: SENTENCE.repeat(30), usage: 'missing' })

    const seen = await sendRequest({ stream })

    const { sent } = await upstream.finished(1)
    const row = await onlyRowOf(seen)
    expect(seen.outcome).toBe('complete')
    expect(Math.abs(row.completion_tokens / (stream ? sent.tokens : 30 * 11) - 1)).toBeLessThan(0.02)
    expect(row.other.estimated).toBe(true)
  },
)

const failures: [string, Script][] = [
  [
    'an error event',
    { errorEvent: { afterEvents: 24, data: { error: { message: ERROR_TEXT, type: 'server_error' } } } },
  ],
  ['an error without a shape', { errorEvent: { afterEvents: 24, data: { error: ERROR_TEXT } } }],
  ['a cut connection', { cut: { afterEvents: 24, partialBytes: 30 } }],
]
it.each(failures)('bills a stream that ends in %s for what came before it', async (_, script) => {
  upstream.next({ text: SENTENCE.repeat(20), usage: 'missing', ...script })

  const seen = await sendRequest({ stream: true })

  expect(seen).toMatchObject({ outcome: 'broken', chunks: 23 })
  expect(seen.code).toBeDefined()
  await expect.poll(() => upstream.requests[0]!.sent.outcome).not.toBe('open')
  const row = await onlyRowOf(seen)
  expect(row).toMatchObject({ completion_tokens: 23, other: { estimated: true } })
  expect(row.quota).toBe(row.prompt_tokens + 23)
})

function sendRequest({
  stream,
  leaveAfterChunks,
}: {
  stream: boolean
  leaveAfterChunks?: number
}): Promise<ChatResult> {
  const messages = [{ role: 'user' as const, content: 'When does the tide turn?' }]
  return sendChat({ url: site.url, key, leaveAfterChunks, body: { model: MODEL, stream, messages } })
}

/** The only log row of a request, which must have a cost. */
async function onlyRowOf({ requestId }: ChatResult) {
  const rows = async () => (await usageRows(site.db)).filter((row) => row.request_id === requestId)
  await expect.poll(rows).toHaveLength(1)
  const [row] = await rows()
  expect(row!.quota).toBeGreaterThan(0)
  return row!
}
