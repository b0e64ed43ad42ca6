import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeUpstream, type FakeUpstream } from './fake-upstream.ts'
import { chat, dataOf } from '../../test/upstream-client.ts'

let upstream: FakeUpstream
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(() => upstream.close())

const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'good morning, 潮汐' }] }
const streamed = { ...hello, stream: true, stream_options: { include_usage: true } }

describe('a default response', () => {
  it('repeats the text of the request, with usage', async () => {
    const response = await chat(upstream, hello)

    const completion = JSON.parse(response.text)
    expect(response.status).toBe(200)
    expect(completion).toMatchObject({ object: 'chat.completion', model: 'gpt-4o' })
    expect(completion.choices[0].message.content).toBe('You said: good morning, 潮汐')
    expect(completion.usage).toEqual({ prompt_tokens: 5, completion_tokens: 8, total_tokens: 13 })
  })

  it('is the same in a stream: role, text, finish, usage, end mark', async () => {
    const { text } = await chat(upstream, streamed)

    const events = dataOf(text)
    const chunks = events.slice(0, -1).map((data) => JSON.parse(data))
    expect(events.at(-1)).toBe('[DONE]')
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '' })
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('You said: good morning, 潮汐')
    expect(chunks.at(-2).choices[0].finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 8 } })
  })

  it('has no usage in a stream unless requested', async () => {
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

  it('rejects other keys than the configured one', async () => {
    const locked = await fakeUpstream({ key: 'right' })

    const rejected = await chat(locked, hello, { authorization: 'Bearer wrong' })
    const served = await chat(locked, hello, { authorization: 'Bearer right' })

    expect([rejected.status, served.status]).toEqual([401, 200])
    await locked.close()
  })
})
