import { describe, expect, it } from 'vitest'
import { type Framing, frameEvents } from './frame-events.ts'

const events = ['{"a":1}', '{"b":[2]}'].map((data) => ({ data, text: '', tokens: 0 }))
const written = (framing: Framing) => Buffer.concat(frameEvents(events, framing)).toString()

describe('framing of events', () => {
  it.each<[string, Framing, string]>([
    ['plain', {}, 'data: {"a":1}\n\ndata: {"b":[2]}\n\ndata: [DONE]\n\n'],
    ['with CRLF', { lineEnd: '\r\n' }, 'data: {"a":1}\r\n\r\ndata: {"b":[2]}\r\n\r\ndata: [DONE]\r\n\r\n'],
    ['without a space', { space: false }, 'data:{"a":1}\n\ndata:{"b":[2]}\n\ndata:[DONE]\n\n'],
    ['without the end mark', { done: false }, 'data: {"a":1}\n\ndata: {"b":[2]}\n\n'],
    ['without a final newline', { finalNewline: false }, 'data: {"a":1}\n\ndata: {"b":[2]}\n\ndata: [DONE]'],
    ['with a byte order mark', { byteOrderMark: true, done: false }, '\uFEFFdata: {"a":1}\n\ndata: {"b":[2]}\n\n'],
    [
      'with comments and names',
      { comments: true, eventName: 'chunk', done: false },
      ': keep-alive\nevent: chunk\ndata: {"a":1}\n\n: keep-alive\nevent: chunk\ndata: {"b":[2]}\n\n',
    ],
    [
      'over several lines',
      { multiLine: true, done: false },
      'data: {\ndata:  "a": 1\ndata: }\n\ndata: {\ndata:  "b": [\ndata:   2\ndata:  ]\ndata: }\n\n',
    ],
  ])('is %s', (_, framing, expected) => {
    expect(written(framing)).toBe(expected)
  })
})
