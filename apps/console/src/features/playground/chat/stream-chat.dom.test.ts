import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { stored } from '../../../lib/stored.ts'
import { useSession } from '../../../api/session.ts'
import { aUser } from '../../../../test/samples.ts'
import { streamChat, type ChatRequest } from './stream-chat.ts'

const PATH = 'POST /pg/chat/completions'
const REQUEST: ChatRequest = {
  model: 'm',
  group: 'default',
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
  stream_options: { include_usage: true },
  max_tokens: 0,
}
const HEADERS = { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' }
const words = (...said: string[]) =>
  said.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`).join('')

async function listen(signal = new AbortController().signal) {
  const heard = { requestId: '', text: '' }
  const done = streamChat(REQUEST, signal, {
    onAccepted: (requestId) => (heard.requestId = requestId),
    onDelta: ({ text }) => (heard.text += text),
  })
  return done.then(
    () => ({ ...heard, error: undefined }),
    (error: unknown) => ({ ...heard, error }),
  )
}

afterEach(() => vi.unstubAllGlobals())

describe('streamChat', () => {
  it('asks as the person who is logged in, and hears all of the answer', async () => {
    stored.user.set(aUser({ id: 7 }))
    const { seen } = fakeServer({
      [PATH]: { headers: HEADERS, text: `: PING\n\n${words('潮', '汐')}data: [DONE]\n\n` },
    })

    expect(await listen()).toEqual({ requestId: 'r-1', text: '潮汐', error: undefined })
    expect(seen[0]!.headers.get('tidegate-user')).toBe('7')
    expect(seen[0]!.body).toEqual(REQUEST)
  })

  it('fails with the words of a refusal', async () => {
    fakeServer({
      [PATH]: {
        status: 403,
        headers: { 'content-type': 'application/json', 'x-request-id': 'r-2' },
        json: { success: false, error: { code: 'group_not_allowed', message: '无权使用 (request id: r-2)' } },
      },
    })

    expect(await listen()).toMatchObject({
      requestId: 'r-2',
      error: { name: 'ChatFailure', code: 'group_not_allowed', message: '无权使用' },
    })
  })

  it('fails with the error of a stream that broke, after what was said', async () => {
    const text = `${words('one ')}data: {"error":{"message":"no more","code":"stream_interrupted"}}\n\ndata: [DONE]\n\n`
    fakeServer({ [PATH]: { headers: HEADERS, text } })

    expect(await listen()).toMatchObject({ text: 'one ', error: { code: 'stream_interrupted', message: 'no more' } })
  })

  it('takes a stream without its end for one that was cut short', async () => {
    fakeServer({ [PATH]: { headers: HEADERS, text: words('one ') } })

    expect(await listen()).toMatchObject({ text: 'one ', error: { code: 'cut_short' } })
  })

  it('tells of a server that cannot be reached, and of the page of a proxy', async () => {
    fakeServer({ [PATH]: 'no-answer' })
    expect(await listen()).toMatchObject({ error: { code: 'network', message: '无法连接到服务器' } })

    fakeServer({ [PATH]: { status: 502, text: '<html>Bad gateway</html>' } })
    expect(await listen()).toMatchObject({ error: { message: '错误：HTTP 502' } })
  })

  it('ends the session that the server no longer knows', async () => {
    useSession.setState({ user: aUser() })
    fakeServer({ [PATH]: { status: 401, json: { error: { message: '未登录', code: 'not_logged_in' } } } })

    await listen()

    expect(useSession.getState()).toMatchObject({ user: null, ended: 'expired' })
  })
})
