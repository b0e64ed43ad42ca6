import { array, assert, constantFrom, integer, oneof, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { promptParts, readRequest } from './read-request.ts'
import { scanRequest } from './scan-request.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const scan = (text: string) => scanRequest(encode(text))

/** As the gateway estimates a parsed request: four ASCII characters or one other code unit per token. */
function estimate(text: string): number {
  const { texts, otherTokens } = promptParts(readRequest(text))
  let quarters = 0
  for (const part of texts) for (let at = 0; at < part.length; at += 1) quarters += part.charCodeAt(at) < 128 ? 1 : 4
  return Math.ceil(quarters / 4) + otherTokens
}

function expectSameReading(written: string): void {
  const text = written.toWellFormed() // a mutation may cut a character in half
  const bytes = encode(text)
  const scanned = scanRequest(bytes)
  if (!scanned) return
  const head = readRequest(text)
  const { modelStart, modelEnd, stream, includeUsage, maxTokens, promptTokens, texts } = scanned
  const name = new TextDecoder().decode(bytes.subarray(modelStart, modelEnd))
  expect(JSON.parse(name)).toBe(head.model)
  expect({ stream, includeUsage, maxTokens }).toEqual({
    stream: head.stream,
    includeUsage: head.includeUsage,
    maxTokens: head.maxTokens,
  })
  expect(promptTokens).toBe(estimate(text))
  const decoded = texts.flatMap((start, at) =>
    at % 3 === 0 ? [JSON.parse(new TextDecoder().decode(bytes.subarray(start - 1, texts[at + 1]! + 1))) as string] : [],
  )
  expect(decoded.filter(Boolean).toSorted()).toEqual([...promptParts(head).texts].toSorted())
}

const MESSAGE = '{"role":"user","content":"Hi \\u4f60 潮汐 🌊\\n\\"x\\""}'

describe('scanning a chat request', () => {
  it.each([
    `{"model":"gpt-4o","messages":[${MESSAGE}]}`,
    `{"messages":[${MESSAGE},{"role":"assistant","content":null,"name":"a"}],"model":"gpt-4o","max_tokens":12}`,
    ` {\n "model" : "gpt-4o" ,\t"messages":[ ${MESSAGE} ] , "stream" : true, "stream_options":{"include_usage":true} } `,
    '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"one"},{"text":"two","type":"text"}]}]}',
    `{"model":"m","messages":[${MESSAGE}],"temperature":0.7,"top_p":1e-1,"stop":["a","b"],"seed":-1,"user":"u"}`,
    `{"model":"m","messages":[${MESSAGE}],"max_tokens":5,"max_completion_tokens":7,"stream":false}`,
  ])('reads %s as the parser does', (text) => {
    expect(scan(text)).toBeDefined()
    expectSameReading(text)
  })

  it.each([
    ['an unknown member', `{"model":"m","messages":[${MESSAGE}],"tools":[]}`],
    ['a member given twice', `{"model":"m","messages":[${MESSAGE}],"model":"n"}`],
    ['an escaped name', `{"\\u006dodel":"m","messages":[${MESSAGE}]}`],
    ['an escaped model', `{"model":"\\u006d","messages":[${MESSAGE}]}`],
    ['a model in other characters', `{"model":"潮","messages":[${MESSAGE}]}`],
    ['no model', `{"messages":[${MESSAGE}]}`],
    ['an empty model', `{"model":"","messages":[${MESSAGE}]}`],
    ['no messages', '{"model":"m","messages":[]}'],
    ['an image', '{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{}}]}]}'],
    ['a content given twice', '{"model":"m","messages":[{"role":"user","content":"a","content":"b"}]}'],
    ['a fraction as a limit', `{"model":"m","messages":[${MESSAGE}],"max_tokens":1.5}`],
    ['a huge limit', `{"model":"m","messages":[${MESSAGE}],"max_tokens":1073741824}`],
    ['nested options', `{"model":"m","messages":[${MESSAGE}],"stop":[["a"]]}`],
    ['text after the object', `{"model":"m","messages":[${MESSAGE}]}x`],
    ['a byte order mark', `\uFEFF{"model":"m","messages":[${MESSAGE}]}`],
    ['a control character', '{"model":"m","messages":[{"role":"user","content":"a\u0001"}]}'],
    ['an unfinished body', `{"model":"m","messages":[${MESSAGE}`],
  ])('leaves %s to the parser', (_, text) => {
    expect(scan(text)).toBeUndefined()
  })

  it('never reads a body differently from the parser', () => {
    const piece = constantFrom(
      ...'{}[],:"\\ 0.-e1\n',
      '"model":"m"',
      '"messages":[',
      MESSAGE,
      '"stream":true',
      '"max_tokens":5',
      '"\\u0061"',
      'null',
      'é',
    )
    const seeds = [
      `{"model":"gpt-4o","messages":[${MESSAGE}],"stream":true,"stream_options":{"include_usage":true},"max_tokens":9}`,
      '{"messages":[{"content":[{"type":"text","text":"a"}],"role":"user"}],"model":"m","stop":["x"],"top_p":1}',
    ]
    const change = tuple(integer({ min: 0, max: 200 }), integer({ min: 0, max: 8 }), piece)
    const mutated = tuple(constantFrom(...seeds), array(change, { maxLength: 4 })).map(([seed, changes]) =>
      changes.reduce((text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length), seed),
    )
    const random = array(piece, { maxLength: 15 }).map((pieces) => pieces.join(''))
    // Throws where the scanner accepts what the parser rejects.
    assert(property(oneof({ weight: 4, arbitrary: mutated }, random), expectSameReading), {
      numRuns: Number(process.env.FUZZ_RUNS ?? 3_000),
    })
  })
})
