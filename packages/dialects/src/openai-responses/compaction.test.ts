import { inputTokens, NO_TOKENS, outputTokens } from '@tidegate/contract'
import { array, assert, constantFrom, integer, oneof, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ResponseContext } from '../canonical/index.ts'
import type { JsonObject } from '../json/json-object.ts'
import { DIALECTS } from '../registry.ts'
import { compactionBody, compactionStream, expandCompaction, fromLastCompaction, summaryRequest } from './compaction.ts'
import { openaiResponses } from './index.ts'
import { openSealedItems, sealContent } from './sealed-content.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 40)
const context: ResponseContext = {
  requestId: 'r',
  model: 'm',
  createdAt: 1,
  includeUsage: true,
  request: { model: 'm', stream: true, messages: [], tools: [] },
}
const text = string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const item = oneof(
  record({ type: constantFrom('message'), role: constantFrom('user', 'assistant'), content: text }),
  record({ type: constantFrom('function_call'), call_id: text, name: text, arguments: text }),
  record({ type: constantFrom('function_call_output'), call_id: text, output: text }),
  record({ type: constantFrom('reasoning'), id: text, encrypted_content: text }),
)
const usage = record({ input: integer({ min: 0, max: 9_000 }), output: integer({ min: 0, max: 9_000 }) })
const head = (input: unknown, fields: JsonObject = {}) =>
  openaiResponses.readRequest(JSON.stringify({ model: 'm', input, ...fields }))

const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini-generate'] as const

describe('any compaction', () => {
  it('is a stream with one item, a terminal event and its usage', () => {
    assert(
      property(text, usage, (summary, counts) => {
        const sent = { ...NO_TOKENS, ...counts }
        const stream = compactionStream({ context, summary, usage: sent })
        const decode = openaiResponses.createDecoder({ newId: () => 'id' })
        const frames = [...stream.matchAll(/^data: (.*)$/gm)].map(([, data]) => data!)
        const events = frames.flatMap((data) => decode({ data }))

        const done = frames.filter((data) => data.startsWith('{"type":"response.output_item.done"'))
        expect(done).toHaveLength(1)
        const { item: compacted } = JSON.parse(done[0]!) as { item: JsonObject }
        expect(JSON.stringify(expandCompaction(compacted))).toContain(JSON.stringify(summary).slice(1, -1))
        expect(events.at(-1)).toEqual({ type: 'done' })
        const last = events.findLast((event) => event.type === 'usage')!.usage
        expect([inputTokens(last), outputTokens(last)]).toEqual([counts.input, counts.output])
      }),
      { numRuns: runs },
    )
  })

  it.each(PROTOCOLS)('is requested from a provider of %s, and understood by it', (protocol) => {
    assert(
      property(array(item, { minLength: 1, maxLength: 6 }), text, (items, summary) => {
        const sent = head([...items, { type: 'compaction_trigger' }])
        expect(sent.compaction).toBe('item')
        const asked = DIALECTS[protocol].encodeRequest(openaiResponses.decodeRequest(summaryRequest(sent)))
        expect(JSON.stringify(asked)).toContain('Summarize this conversation')

        const { output } = compactionBody(sent, { context, summary, usage: NO_TOKENS }) as { output: JsonObject[] }
        const next = openaiResponses.decodeRequest(head([...output, { role: 'user', content: 'Go on.' }]))
        const body = JSON.stringify(DIALECTS[protocol].encodeRequest(next))
        expect(body).toContain(JSON.stringify(summary).slice(1, -1))
        expect(body).not.toContain('encrypted_content')
      }),
      { numRuns: runs },
    )
  })
})

it('replaces what was before', () => {
  const { output } = compactionBody(head('Hi'), { context, summary: 's', usage: NO_TOKENS }) as { output: JsonObject[] }
  const later = { role: 'user', content: 'Go on.' }

  expect(fromLastCompaction([{ role: 'user' }, ...output, later])).toEqual([output.at(-1), later])
  expect(fromLastCompaction([later])).toEqual([later])
})

describe('any encrypted content', () => {
  it('comes back to its account unchanged, and to no other one', () => {
    const encrypted = string({ unit: constantFrom('a', 'Z', '0', '+', '/', '=', '.', '-', '_'), minLength: 1 })
    assert(
      property(encrypted, text, (content, spoken) => {
        const output = [
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: content },
          { type: 'message', content: [{ type: 'output_text', text: `"encrypted_content":"${spoken}"` }] },
        ]
        const sealed = JSON.parse(sealContent(JSON.stringify(output), 'one')) as JsonObject[]

        expect(sealed[1]).toEqual(output[1])
        expect(openSealedItems(sealed, 'one')).toEqual(output)
        expect(openSealedItems(sealed, 'other')).toEqual([output[1]])
        expect(openSealedItems(sealed, undefined)).toEqual([output[1]])
      }),
      { numRuns: runs },
    )
  })

  it('of a compaction is rejected by another account', () => {
    const items = JSON.parse(sealContent('[{"type":"compaction","id":"c","encrypted_content":"x"}]', 'one')) as unknown

    expect(() => openSealedItems(items, 'other')).toThrow('only the account that made the item c can read it')
  })
})
