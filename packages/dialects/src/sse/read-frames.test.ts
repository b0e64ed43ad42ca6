import { describe, expect, it } from 'vitest'
import { createFrameReader } from './read-frames.ts'
import { FrameTooLarge } from './split-frames.ts'

const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const encode = (text: string) => new TextEncoder().encode(text)

function readAll(stream: Uint8Array, chunkSize: number) {
  const reader = createFrameReader({ decode })
  const frames = []
  for (let at = 0; at < stream.length; at += chunkSize) frames.push(...reader.push(stream.subarray(at, at + chunkSize)))
  const rest = reader.flush()
  if (rest) frames.push(rest)
  return { data: frames.flatMap((frame) => (frame.event ? [frame.event.data] : [])), frames }
}

describe('createFrameReader', () => {
  const streams: Record<string, string> = {
    'line feeds': 'data: 潮\n\ndata: 🌊 two\n\ndata: [DONE]\n\n',
    'carriage returns with line feeds': 'data: 潮\r\n\r\ndata: 🌊 two\r\n\r\ndata: [DONE]\r\n\r\n',
    'carriage returns alone': 'data: 潮\r\rdata: 🌊 two\r\rdata: [DONE]\r\r',
    'comments, blank lines and no space after the colon': ': hi\n\n\n\ndata:潮\n\n: hm\ndata:🌊 two\n\ndata:[DONE]\n\n',
    'a byte order mark, ids and event names':
      '\uFEFFid: 1\nevent: m\ndata: 潮\n\nevent: m\ndata: 🌊 two\n\ndata: [DONE]\n\n',
    'an end without a blank line': 'data: 潮\n\ndata: 🌊 two\n\ndata: [DONE]',
  }

  for (const [name, text] of Object.entries(streams)) {
    it(`reads ${name} with any chunking and keeps every byte`, () => {
      const stream = encode(text)
      for (const chunkSize of [1, 2, 3, 5, 7, 1000]) {
        const { data, frames } = readAll(stream, chunkSize)

        expect(data).toEqual(['潮', '🌊 two', '[DONE]'])
        expect(decode(Uint8Array.from(frames.flatMap((frame) => [...frame.bytes])))).toBe(text)
      }
    })
  }

  it('joins the lines of one event', () => {
    expect(readAll(encode('data: {"a":\ndata: 1}\n\n'), 4).data).toEqual(['{"a":\n1}'])
  })

  it('rejects an event that never ends', () => {
    const reader = createFrameReader({ decode, maxFrameBytes: 100 })

    expect(() => {
      for (let n = 0; n < 20; n += 1) reader.push(encode('data: more and '))
    }).toThrow(FrameTooLarge)
  })

  it('reads a bare JSON object as an event, because some providers end a failed stream with it', () => {
    const stream = encode('data: {"a":1}\n\n{\n  "error": {"code": 503}\n}')

    expect(readAll(stream, 5).data).toEqual(['{"a":1}', '{\n  "error": {"code": 503}\n}'])
  })
})
