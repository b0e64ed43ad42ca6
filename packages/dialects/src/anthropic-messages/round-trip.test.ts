import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { eventsOf, type Message, type Part, type Signature } from '../canonical/index.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { decodeRequest } from './request/decode-request.ts'
import { encodeResponse } from './response/encode-response.ts'
import { createEncoder } from './stream/encode-events.ts'
import { encodeRequest } from './request/encode-request.ts'
import { readRequest } from './request/read-request.ts'
import { contentOf, CONTEXT } from '../../test/anthropic-streams.ts'

/** What a client of this protocol sends back after a stream. */
const clientHistory = (stream: string) =>
  contentOf(stream).map(({ partial_json: text, ...block }) =>
    text === undefined ? block : { ...block, input: JSON.parse(text as string) as unknown },
  )
const decode = (messages: unknown[]) => decodeRequest(readRequest(JSON.stringify({ model: 'm', messages })))

describe('a request', () => {
  it('is equivalent after decoding and encoding', () => {
    const text = readFileSync(new URL('__fixtures__/request-in-a-tool-loop.json', import.meta.url), 'utf8')
    const { stream, model, system, messages, metadata, max_tokens, thinking, tool_choice } = readRequest(text).body

    const written = encodeRequest(decodeRequest(readRequest(text)))

    expect(JSON.stringify(written)).toContain('"input":{"at":1152921504606846976,"b":1.0,"a":"é"}')
    const again = JSON.parse(JSON.stringify(written)) as Record<string, unknown>
    expect(again).toMatchObject({ stream, model, metadata, max_tokens, thinking, tool_choice })
    expect(again.messages).toEqual(
      (messages as { content: Record<string, unknown>[] }[]).map((message) => ({
        ...message,
        content: message.content.map((block) =>
          typeof block.content === 'string' ? { ...block, content: [{ type: 'text', text: block.content }] } : block,
        ),
      })),
    )
    expect(again.system).toEqual(system)
    expect(again.tools).toMatchObject([{ name: 'tide_at', strict: true }, { name: 'chart' }, { name: 'web_search' }])
  })
})

describe('a long tool loop with another provider', () => {
  it('returns every signature unchanged, streamed or whole', () => {
    const sign = (turn: number, of: string): Signature => ({ dialect: 'gemini-generate', value: `${of}-${turn}` })
    const responses: Part[][] = Array.from({ length: 20 }, (_, turn) => [
      { type: 'thinking', text: turn % 2 ? '' : `thought ${turn}`, signature: sign(turn, 'thought') },
      {
        type: 'thinking',
        text: '',
        signature: { ...sign(turn, 'hidden'), id: 'rs_1' },
        redacted: turn % 3 === 0 ? true : undefined,
      },
      { type: 'tool-call', id: `a${turn}`, name: 'tide', arguments: '{"n":1}', signature: sign(turn, 'call') },
      { type: 'tool-call', id: `b${turn}`, name: 'tide', arguments: '{"n":2}' },
    ])
    const asMessages = (write: (parts: Part[]) => unknown) =>
      decode([
        { role: 'user', content: 'go' },
        ...responses.map((parts) => ({ role: 'assistant', content: write(parts) })),
      ]).messages
    const expected = [
      { role: 'user', parts: [{ type: 'text', text: 'go' }] },
      ...responses.map((parts): Message => ({ role: 'assistant', parts })),
    ]

    const streamed = asMessages((parts) => {
      const encoder = createEncoder(CONTEXT)
      return clientHistory(
        eventsOf({ parts })
          .map((event) => encoder.encode(event))
          .join('') + encoder.end(NO_TOKENS),
      )
    })
    const whole = asMessages((parts) => encodeResponse({ parts }, NO_TOKENS, CONTEXT).content)

    expect(streamed).toEqual(expected)
    expect(whole).toEqual(expected)
  })
})
