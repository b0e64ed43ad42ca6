import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countTokens, fakeUpstream, type FakeUpstream, type Script } from './index.ts'
import { chat, dataOf, hangUpWhen, rawChat } from './test-client.ts'

let upstream: FakeUpstream
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(() => upstream.close())

const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'good morning, 潮汐' }] }
const streamed = { ...hello, stream: true, stream_options: { include_usage: true } }

describe('a plain answer', () => {
  it('is made of the words of the request, with counted usage', async () => {
    const answer = await chat(upstream, hello)

    const completion = JSON.parse(answer.text)
    expect(answer.status).toBe(200)
    expect(completion).toMatchObject({ object: 'chat.completion', model: 'gpt-4o' })
    expect(completion.choices[0].message.content).toBe('You said: good morning, 潮汐')
    expect(completion.usage).toEqual({ prompt_tokens: 5, completion_tokens: 8, total_tokens: 13 })
  })

  it('says the same in a stream: role, words, finish, usage, end mark', async () => {
    const { text } = await chat(upstream, streamed)

    const events = dataOf(text)
    const chunks = events.slice(0, -1).map((data) => JSON.parse(data))
    expect(events.at(-1)).toBe('[DONE]')
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '' })
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('You said: good morning, 潮汐')
    expect(chunks.at(-2).choices[0].finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 8 } })
  })

  it('leaves usage out of a stream nobody asked it for', async () => {
    const { text } = await chat(upstream, { ...hello, stream: true })

    expect(text).not.toContain('usage')
  })

  it('stops at max_tokens with the reason "length"', async () => {
    const completion = JSON.parse((await chat(upstream, { ...hello, max_tokens: 2 })).text)

    expect(completion.choices[0]).toMatchObject({ message: { content: 'You said' }, finish_reason: 'length' })
    expect(completion.usage.completion_tokens).toBe(2)
  })

  it('lists its models', async () => {
    const response = await fetch(`${upstream.url}/v1/models`)

    expect(await response.json()).toMatchObject({ object: 'list', data: [{ id: 'gpt-4o' }, { id: 'gpt-4o-mini' }] })
  })

  it('refuses another key than the one it was given', async () => {
    const locked = await fakeUpstream({ key: 'right' })

    const refused = await chat(locked, hello, { authorization: 'Bearer wrong' })
    const served = await chat(locked, hello, { authorization: 'Bearer right' })

    expect([refused.status, served.status]).toEqual([401, 200])
    await locked.close()
  })
})

describe('the record', () => {
  it('keeps what came in byte for byte, and what went out', async () => {
    await chat(upstream, streamed, { authorization: 'Bearer abc' })

    const request = await upstream.finished(1)
    expect(request.rawBody.toString()).toBe(JSON.stringify(streamed))
    expect(request.headers.authorization).toBe('Bearer abc')
    expect(request.sent).toMatchObject({
      status: 200,
      tokens: 8,
      text: 'You said: good morning, 潮汐',
      outcome: 'finished',
    })
    expect(request.sent.events).toBe(8 + 4)
  })

  it('tells when the caller hung up, and how much it had sent by then', async () => {
    upstream.next({ betweenEventsMs: 5, textLength: 50_000 })

    await hangUpWhen(upstream, streamed, (text) => text.length > 0)

    const request = await upstream.aborted(1)
    expect(request.sent.outcome).toBe('aborted')
    expect(request.abortedAt).toBeGreaterThanOrEqual(request.receivedAt)
    expect(request.sent.tokens).toBe(countTokens(request.sent.text))
    expect(request.sent.text.length).toBeLessThan(50_000)
  })

  it('counts an abort before any answer', async () => {
    upstream.next({ hang: true })
    const caller = new AbortController()
    const call = fetch(`${upstream.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(hello),
      signal: caller.signal,
    })
    await upstream.received(1)

    caller.abort()

    await expect(call).rejects.toThrow()
    expect((await upstream.aborted(1)).sent).toMatchObject({ status: undefined, bytes: 0 })
  })
})

describe('scripts', () => {
  it('are taken from the queue in order, then by rule, then not at all', async () => {
    upstream.when(({ body }) => (body as { model: string }).model === 'slow', { text: 'by rule' })
    upstream.next({ text: 'first' }, { text: 'second' })

    const said = []
    for (const model of ['slow', 'any', 'slow', 'any']) {
      said.push(JSON.parse((await chat(upstream, { ...hello, model })).text).choices[0].message.content)
    }

    expect(said).toEqual(['first', 'second', 'by rule', 'You said: good morning, 潮汐'])
  })

  it('answer with an HTTP error, or with an error inside a 200', async () => {
    upstream.next(
      { status: 429, headers: { 'retry-after': '7' } },
      { body: { error: { message: 'no', code: 'insufficient_quota' } } },
    )

    const limited = await chat(upstream, streamed)
    const inside = await chat(upstream, streamed)

    expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
    expect(JSON.parse(limited.text).error.type).toBe('rate_limit_error')
    expect(inside.status).toBe(200)
    expect(JSON.parse(inside.text).error.code).toBe('insufficient_quota')
  })

  it('put an error event in place of the rest of the stream', async () => {
    upstream.next({ errorEvent: { afterEvents: 2, data: { error: { message: 'overloaded' } }, name: 'error' } })

    const { text } = await chat(upstream, streamed)

    expect(dataOf(text)).toHaveLength(3)
    expect(text).toMatch(/event: error\ndata: \{"error":\{"message":"overloaded"\}\}\n\n$/)
  })

  it('cut the connection after some events and some bytes of the next', async () => {
    upstream.next({ cut: { afterEvents: 2, partialBytes: 10 } })

    const answer = await chat(upstream, streamed)

    expect(answer.complete).toBe(false)
    expect(answer.text.split('\n\n')).toHaveLength(3)
    expect(answer.text.split('\n\n')[2]).toHaveLength(10)
    expect(upstream.requests[0]?.sent).toMatchObject({ events: 2, outcome: 'cut' })
    expect(upstream.requests[0]?.abortedAt).toBeUndefined()
  })

  it('cut a body in one piece in the middle', async () => {
    upstream.next({ cut: { afterEvents: 0 } })

    const answer = await chat(upstream, hello)

    expect(answer.complete).toBe(false)
    expect(answer.text.length).toBeGreaterThan(0)
  })

  it('stall for ever after some events', async () => {
    upstream.next({ stallAfterEvents: 3 })

    const text = await hangUpWhen(upstream, streamed, (text) => dataOf(text).length === 3)

    expect(text.endsWith('\n\n')).toBe(true)
    expect((await upstream.aborted(1)).sent.events).toBe(3)
  })

  it('wait before headers, before the first event and between events', async () => {
    upstream.next({ headersAfterMs: 60, firstEventAfterMs: 60, betweenEventsMs: 10, text: 'a b c' })

    const answer = await chat(upstream, streamed)

    expect(answer.headersAfterMs).toBeGreaterThanOrEqual(55)
    expect(answer.firstByteAfterMs).toBeGreaterThanOrEqual(answer.headersAfterMs + 50)
    expect(answer.lastByteAfterMs).toBeGreaterThanOrEqual(answer.firstByteAfterMs + 40)
  })

  it.each<[string, Script['usage'], number]>([
    ['never', 'missing', 0],
    ['on the finish chunk', 'with-finish', 1],
    ['as running totals on every chunk', 'running', 10],
  ])('place usage %s', async (_, usage, expected) => {
    upstream.next({ usage })

    const { text } = await chat(upstream, streamed)

    expect(text.match(/"completion_tokens":/g) ?? []).toHaveLength(expected)
  })

  it('give the usage they are told, with any detail', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 64 } }
    upstream.next({ usage })

    const completion = JSON.parse((await chat(upstream, hello)).text)

    expect(completion.usage).toEqual({ ...usage, total_tokens: 120 })
  })

  it('speak reasoning and tool calls in both forms', async () => {
    const toolCalls = [{ id: 'call_1', name: 'weather', arguments: '{"city":"Kiel"}' }]
    upstream.always({ reasoning: 'let me look', toolCalls })

    const { message, finish_reason } = JSON.parse((await chat(upstream, hello)).text).choices[0]
    const chunks = dataOf((await chat(upstream, streamed)).text)
      .slice(0, -1)
      .map((data) => JSON.parse(data).choices[0]?.delta ?? {})

    expect(finish_reason).toBe('tool_calls')
    expect(message).toMatchObject({ content: null, reasoning_content: 'let me look' })
    expect(message.tool_calls[0].function).toEqual({ name: 'weather', arguments: '{"city":"Kiel"}' })
    expect(chunks.map((delta) => delta.reasoning_content ?? '').join('')).toBe('let me look')
    const argumentsOf = (delta: { tool_calls?: { function: { arguments: string } }[] }) =>
      delta.tool_calls?.[0]?.function.arguments ?? ''
    expect(chunks.map(argumentsOf).join('')).toBe('{"city":"Kiel"}')
  })

  it('make an answer of a given size in deltas of a given size', async () => {
    upstream.next({ textLength: 1000, deltaLength: 100 })

    const events = dataOf((await chat(upstream, streamed)).text)

    expect(events).toHaveLength(10 + 4)
    expect((await upstream.finished(1)).sent.text).toHaveLength(1000)
  })
})

describe('bytes on the wire', () => {
  it('can be written one by one without changing the stream', async () => {
    const script = { text: '潮汐 tide 🌊' }
    upstream.next(script, { ...script, writeSizes: [1] })

    const whole = await chat(upstream, streamed)
    const split = await chat(upstream, streamed)

    const stable = (text: string) => text.replaceAll(/chatcmpl-fake-\d+|"created":\d+/g, '')
    expect(stable(split.text)).toBe(stable(whole.text))
    expect(split.reads).toBeGreaterThan(whole.reads * 5)
  })

  it('reach the socket in the sizes of the script, inside a character', async () => {
    upstream.next({ text: '潮', writeSizes: [3, 1] })

    const raw = await rawChat(upstream, streamed)

    const sizes = [...raw.matchAll(/\r\n([0-9a-f]+)\r\n/g)].map((match) => Number.parseInt(match[1]!, 16))
    expect(sizes.slice(0, 6)).toEqual([3, 1, 3, 1, 3, 1])
  })
})
