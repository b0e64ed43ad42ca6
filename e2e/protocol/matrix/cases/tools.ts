import { expect } from 'vitest'
import { type ReceivedToolCall, PNG, type Tool } from '../conversation.ts'
import { partsOf } from '../received-request.ts'
import type { Exchange, CellContext } from '../cell-context.ts'
import { BOTH, type Case } from './case.ts'

export const TIDE: Tool = {
  name: 'tide_at',
  description: 'The tide at a station.',
  parameters: {
    type: 'object',
    properties: {
      station: { type: 'string', description: 'Its name.' },
      at: { type: 'integer' },
      depth: { type: 'number', exclusiveMinimum: -12, default: 0 },
      unit: { type: ['string', 'null'], enum: ['m', 'ft', null] },
      marks: {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'object', properties: { b: { type: 'string' } } }] },
      },
    },
    required: ['station', 'at'],
    additionalProperties: false,
  },
}
/** A tool without parameters. */
const GAUGE: Tool = { name: 'gauge', description: 'Reads the gauge.', parameters: { type: 'object', properties: {} } }
const MOON: Tool = {
  name: 'moon-phase',
  description: 'The phase of the moon.',
  parameters: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
}

/** Too large for a number: parsing and writing it again changes it. */
const DIGITS = '1152921504606846977'
/** Spacing, member order, escapes and numbers that a parser and writer would change. */
const ARGUMENTS = `{"station": "Høyvågen \\u2693 \\"sør\\"","unit":null, "at":${DIGITS},"depth":-0.10,"marks":["潮",{"b":"\\n"}]}`
const REQUESTS = [
  { id: 'call_tide1', name: 'tide_at', arguments: ARGUMENTS },
  { id: 'call_moon2', name: 'moon-phase', arguments: '{"day":"2031-02-03"}' },
  { id: 'call_tide3', name: 'tide_at', arguments: '{"at":3,"station":"Kiel"}' },
  { id: 'call_gauge4', name: 'gauge', arguments: '{}' },
]

const parallel: Case = {
  name: 'parallel tool calls',
  carries: 'Several tool calls in one turn, with IDs, exact arguments and results',
  modes: BOTH,
  async run({ client, upstream, open }) {
    const exchange = open(
      { tools: [TIDE, MOON, GAUGE] },
      { text: 'Let me look.', toolCalls: REQUESTS },
      { text: 'Springs.' },
    )

    const received = await exchange.send({ text: 'Which tide is it?' })

    expect(received).toMatchObject({ text: 'Let me look.', finish: client.finishReasons['tool-calls'] })
    expect(received.toolCalls.map(({ id, name }) => ({ id, name }))).toEqual(
      REQUESTS.map(({ id, name }) => ({ id, name })),
    )
    received.toolCalls.forEach((request, index) =>
      expect(request.arguments).toBe(asReceived(request, REQUESTS[index]!.arguments)),
    )
    expect(received.raw).toContain(DIGITS)
    expectToolsReceived(exchange)

    const results = REQUESTS.map(({ id, name }, index) => ({ callId: id, name, text: `result ${index} of ${id}` }))
    const after = await exchange.sendToolResults(...results.toReversed()) // in any order: the ids match them

    expect(after.text).toBe('Springs.')
    const { turns } = exchange.received()
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    const requests = partsOf(turns, 'call')
    expect(requests.map(({ id, name }) => [id, name])).toEqual(REQUESTS.map(({ id, name }) => [id, name]))
    const isExact = received.toolCalls[0]!.exact && client.protocol.startsWith('openai-')
    if (isExact && upstream.protocol.startsWith('openai-')) expect(requests[0]!.arguments).toBe(ARGUMENTS)
    if (isExact) expect(exchange.lastRequest().rawBody.toString()).toContain(DIGITS)
    expect(JSON.parse(requests[0]!.arguments)).toEqual(JSON.parse(ARGUMENTS))
    const byId = Object.fromEntries(partsOf(turns, 'result').map(({ id, text }) => [id, text]))
    expect(byId).toEqual(Object.fromEntries(results.map(({ callId, text }) => [callId, text])))
  },
}

/** An SDK that parses arguments can only be compared by the parsed value. */
function asReceived({ exact }: ReceivedToolCall, text: string): string {
  return exact ? text : JSON.stringify(JSON.parse(text))
}

function expectToolsReceived(exchange: Exchange): void {
  const tools = exchange.received().tools
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    [TIDE.name, TIDE.description],
    [MOON.name, MOON.description],
    [GAUGE.name, GAUGE.description],
  ])
  const { properties } = tools[0]!.parameters as { properties: Record<string, { type?: unknown }> }
  expect(Object.keys(properties)).toEqual(Object.keys(TIDE.parameters.properties as object))
}

const images: Case = {
  name: 'tool results with images',
  carries: 'An image in a tool result, next to text',
  modes: BOTH,
  async run(context) {
    const exchange = await runWithImage(context)

    const { turns } = exchange.received()
    const results = partsOf(turns, 'result')
    expect(results).toMatchObject([{ id: 'call_tide1', text: 'as drawn here' }])
    // OpenAI's chat has no image in tool results: there it follows as a user message.
    const images = [...results[0]!.images, ...partsOf(turns.slice(-1), 'image').map(({ image }) => image)]
    expect(images).toEqual([PNG])
  },
}

async function runWithImage({ open }: CellContext): Promise<Exchange> {
  const exchange = open({ tools: [TIDE] }, { toolCalls: REQUESTS.slice(0, 1) }, { text: 'A lovely curve.' })
  await exchange.send({ text: 'Draw the tide.' })
  const received = await exchange.sendToolResults({
    callId: 'call_tide1',
    name: 'tide_at',
    text: 'as drawn here',
    image: PNG,
  })
  expect(received.text).toBe('A lovely curve.')
  return exchange
}

const PATCH: Tool = { name: 'apply_patch', description: 'Changes files.', parameters: {}, takesText: true }
const DIFF = '*** Begin Patch\n- "high"\n+ low \\ 潮\n*** End Patch'

const textTool: Case = {
  name: 'tools with text input',
  carries: 'A tool with plain text input, such as file patches of Codex',
  modes: BOTH,
  async run({ client, upstream, open }) {
    // Other providers get a function with one text parameter; so do chat providers, of which only OpenAI has such
    // tools.
    const hasTextTools = upstream.protocol === 'openai-responses' || upstream.protocol === client.protocol
    const input = hasTextTools ? DIFF : JSON.stringify({ input: DIFF })
    const toolCalls = [{ id: 'call_patch1', name: PATCH.name, arguments: input }]
    const exchange = open({ tools: [PATCH] }, { toolCalls }, { text: 'Done.' })

    const received = await exchange.send({ text: 'Patch it.' })
    const result = { callId: 'call_patch1', name: PATCH.name, text: 'patched', ofTextTool: true }
    const after = await exchange.sendToolResults(result)

    expect(received.toolCalls).toMatchObject([{ id: 'call_patch1', name: PATCH.name, arguments: DIFF }])
    expect(after.text).toBe('Done.')
    const { turns } = exchange.received()
    expect(partsOf(turns, 'call')).toMatchObject([{ id: 'call_patch1', name: PATCH.name, arguments: input }])
    expect(partsOf(turns, 'result')).toMatchObject([{ id: 'call_patch1', text: 'patched' }])
  },
}

export const TOOLS: readonly Case[] = [parallel, images, textTool]
