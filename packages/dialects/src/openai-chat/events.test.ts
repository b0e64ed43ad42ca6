import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createFrameReader } from '../sse/read-frames.ts'
import { NO_USAGE } from '../usage-buckets.ts'
import { decodeEvent, isContent } from './events.ts'

function recorded(name: string) {
  const reader = createFrameReader({ decode: (bytes) => new TextDecoder().decode(bytes) })
  const frames = reader.push(readFileSync(new URL(`__fixtures__/${name}.sse`, import.meta.url)))
  return frames.flatMap(({ event }) => (event ? [decodeEvent(event)] : []))
}

describe('decodeEvent', () => {
  it('tells a role, content, the finish, the counts and the end apart', () => {
    const events = recorded('content-then-usage')

    expect(events.map(({ kind }) => kind)).toEqual(['role', 'content', 'content', 'finish', 'usage', 'done'])
    expect(events.map(({ text }) => text).join('')).toBe('Hello 潮')
    expect(events[3]!.finishReason).toBe('stop')
    expect(events[4]!.usage).toEqual({ ...NO_USAGE, input: 9, output: 3 })
    expect(events[4]!.head).toEqual({ id: 'c1', created: 1, model: 'm' })
  })

  it('counts a tool call once and keeps its words, and reads counts that come with the finish', () => {
    const events = recorded('reasoning-and-tools')

    expect(events.map(({ kind }) => kind)).toEqual([
      'reasoning',
      'reasoning',
      'tool-call',
      'tool-call',
      'tool-call',
      'finish',
      'done',
    ])
    expect(events.reduce((sum, { toolCalls }) => sum + toolCalls, 0)).toBe(1)
    expect(events.map(({ text }) => text).join('')).toBe('Let me thinktide{"at":1}')
    expect(events[5]!.usage).toEqual({ ...NO_USAGE, input: 20, output: 8, reasoning: 4 })
  })

  it('finds an error inside a stream and keeps all of it', () => {
    const error = recorded('error-inside-a-stream')[1]!

    expect(error.kind).toBe('error')
    expect(error.error).toEqual({
      message: 'The server had an error',
      type: 'server_error',
      param: null,
      code: 'overloaded',
      trace: 'x9',
    })
  })

  it('knows an error by the name of its event, too', () => {
    expect(decodeEvent({ name: 'error', data: 'out of memory' }).error?.message).toBe('out of memory')
    expect(decodeEvent({ name: 'error', data: '{"message":"busy"}' }).error?.message).toBe('busy')
    expect(decodeEvent({ data: '{"error":"plain words"}' }).error?.message).toBe('plain words')
  })

  it('takes nothing a reader would not notice for content', () => {
    const quiet = [
      '{"choices":[{"delta":{"role":"assistant"}}]}',
      '{"choices":[]}',
      '{"object":"x"}',
      'not json',
      '{"error":null,"choices":[{"delta":{"content":""}}]}',
    ]
    const noticed = [
      '{"choices":[{"delta":{"refusal":"no"}}]}',
      '{"choices":[{"delta":{"audio":{"data":"aa"}}}]}',
      '{"choices":[{"text":"old"}]}',
    ]

    expect(quiet.map((data) => isContent(decodeEvent({ data })))).toEqual(quiet.map(() => false))
    expect(noticed.map((data) => isContent(decodeEvent({ data })))).toEqual(noticed.map(() => true))
  })
})
