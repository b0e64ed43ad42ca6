import { array, assert, jsonValue, nat, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeInput, sliceEventInput, sliceResponseInputs, sliceRequestInputs, parseExactly } from './tool-input.ts'

const AWKWARD = String.raw`{ "big": 1152921504606846976, "one": 1.0, "z": [1e2, -0], "a": "\u00e9 \"}]\\", "1": null }`

describe('exact inputs', () => {
  it('are sliced from a request unchanged', () => {
    const text = `{"messages" : [{"role":"user","content":"hi {[\\""}, {"content": [{"type":"text","text":"}"},
      {"type":"tool_use","input": ${AWKWARD} ,"id":"t"}, {"input":{},"type":"tool_use"}]}], "model":"m"}`
    const parsed = JSON.parse(text) as { messages: { content: unknown[] }[] }
    const blocks = parsed.messages[1]!.content

    const inputs = sliceRequestInputs(text, parsed)

    expect(inputs.get(blocks[1])).toBe(AWKWARD)
    expect(inputs.get(blocks[2])).toBe('{}')
    expect(inputs.size).toBe(2)
  })

  it('are sliced from a response and from an event', () => {
    const block = `{"type":"tool_use","input":${AWKWARD}}`
    const response = `{"content":[${block}]}`
    const parsed = JSON.parse(response) as { content: unknown[] }

    expect(sliceResponseInputs(response, parsed).get(parsed.content[0])).toBe(AWKWARD)
    expect(sliceEventInput(`{"type":"content_block_start","content_block":${block},"index":0}`)).toBe(AWKWARD)
  })

  it('use the last of repeated names, as JSON.parse does', () => {
    const text = '{"content":[{"type":"tool_use","input":{"n":1},"inp\\u0075t":{"n":2}}]}'
    const parsed = JSON.parse(text) as { content: unknown[] }

    expect(sliceResponseInputs(text, parsed).get(parsed.content[0])).toBe('{"n":2}')
  })

  it('equal the parsed value in any surrounding text', () => {
    assert(
      property(array(record({ input: jsonValue(), other: jsonValue() })), nat(3), (list, space) => {
        const blocks = list.map(({ input, other }) => ({ other, type: 'tool_use', input, last: other }))
        const text = JSON.stringify({ before: list, content: blocks, after: list }, null, space)
        const parsed = JSON.parse(text) as { content: { input: unknown }[] }
        const inputs = sliceResponseInputs(text, parsed)

        for (const block of parsed.content) expect(JSON.parse(inputs.get(block)!)).toEqual(block.input)
      }),
    )
  })
})

describe('parseExactly', () => {
  it('keeps every number unchanged through a serializer', () => {
    const numbers = '{"a":1152921504606846976,"b":1.0,"c":[1e2,-0,0.10],"d":123}'

    expect(JSON.stringify(parseExactly(numbers))).toBe(numbers)
  })

  it('returns plain values if nothing can be lost', () => {
    expect(parseExactly('{"b":1,"a":[true,null,"x"]}')).toEqual({ b: 1, a: [true, null, 'x'] })
  })
})

describe('encodeInput', () => {
  const input = (text: string, takesText?: boolean) => encodeInput({ arguments: text }, takesText)

  it('keeps objects and wraps everything else', () => {
    expect(input('{"a":1}')).toEqual({ a: 1 })
    expect(input('')).toEqual({})
    expect(input('[1]')).toEqual({ input: [1] })
    expect(input('"x"')).toEqual({ input: 'x' })
    expect(input('{"a":')).toEqual({ input: '{"a":' })
  })

  it('wraps the text of a text tool once', () => {
    expect(input('*** Begin', true)).toEqual({ input: '*** Begin' })
    expect(input('{"input":"*** Begin"}', true)).toEqual({ input: '*** Begin' })
    expect(input('{"json":"as text"}', true)).toEqual({ input: '{"json":"as text"}' })
  })
})
