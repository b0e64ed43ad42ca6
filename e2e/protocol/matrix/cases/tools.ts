import { expect } from 'vitest'
import { type HeardCall, PNG, type Tool } from '../conversation.ts'
import { partsOf } from '../received-request.ts'
import type { Scene, Stage } from '../cell-context.ts'
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
/** A tool that needs nothing. */
const GAUGE: Tool = { name: 'gauge', description: 'Reads the gauge.', parameters: { type: 'object', properties: {} } }
const MOON: Tool = {
  name: 'moon-phase',
  description: 'The phase of the moon.',
  parameters: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
}

/** No number holds this one: whoever parses it and writes it again says another. */
const DIGITS = '1152921504606846977'
/** Spacing, order of members, escapes and numbers that a parser and writer would all change. */
const ARGUMENTS = `{"station": "Høyvågen \\u2693 \\"sør\\"","unit":null, "at":${DIGITS},"depth":-0.10,"marks":["潮",{"b":"\\n"}]}`
const CALLS = [
  { id: 'call_tide1', name: 'tide_at', arguments: ARGUMENTS },
  { id: 'call_moon2', name: 'moon-phase', arguments: '{"day":"2031-02-03"}' },
  { id: 'call_tide3', name: 'tide_at', arguments: '{"at":3,"station":"Kiel"}' },
  { id: 'call_gauge4', name: 'gauge', arguments: '{}' },
]

const parallel: Case = {
  name: 'parallel tool calls',
  carries: 'Several tool calls in one turn, with their ids and the bytes of their arguments, and the results to each',
  modes: BOTH,
  async play({ client, upstream, open }) {
    const scene = open({ tools: [TIDE, MOON, GAUGE] }, { text: 'Let me look.', toolCalls: CALLS }, { text: 'Springs.' })

    const heard = await scene.say({ text: 'Which tide is it?' })

    expect(heard).toMatchObject({ text: 'Let me look.', finish: client.finishWords['tool-calls'] })
    expect(heard.toolCalls.map(({ id, name }) => ({ id, name }))).toEqual(CALLS.map(({ id, name }) => ({ id, name })))
    heard.toolCalls.forEach((call, index) => expect(call.arguments).toBe(asHeard(call, CALLS[index]!.arguments)))
    expect(heard.raw).toContain(DIGITS)
    expectToolsSeen(scene)

    const results = CALLS.map(({ id, name }, index) => ({ callId: id, name, text: `result ${index} of ${id}` }))
    const after = await scene.giveResults(...results.toReversed()) // in any order: the ids tell

    expect(after.text).toBe('Springs.')
    const { turns } = scene.seen()
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    const calls = partsOf(turns, 'call')
    expect(calls.map(({ id, name }) => [id, name])).toEqual(CALLS.map(({ id, name }) => [id, name]))
    const isExact = heard.toolCalls[0]!.exact && client.protocol.startsWith('openai-')
    if (isExact && upstream.protocol.startsWith('openai-')) expect(calls[0]!.arguments).toBe(ARGUMENTS)
    if (isExact) expect(scene.lastRequest().rawBody.toString()).toContain(DIGITS)
    expect(JSON.parse(calls[0]!.arguments)).toEqual(JSON.parse(ARGUMENTS))
    const byId = Object.fromEntries(partsOf(turns, 'result').map(({ id, text }) => [id, text]))
    expect(byId).toEqual(Object.fromEntries(results.map(({ callId, text }) => [callId, text])))
  },
}

/** An SDK that parses arguments can only be judged by what it parsed. */
function asHeard({ exact }: HeardCall, text: string): string {
  return exact ? text : JSON.stringify(JSON.parse(text))
}

function expectToolsSeen(scene: Scene): void {
  const tools = scene.seen().tools
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    [TIDE.name, TIDE.description],
    [MOON.name, MOON.description],
    [GAUGE.name, GAUGE.description],
  ])
  const { properties } = tools[0]!.parameters as { properties: Record<string, { type?: unknown }> }
  expect(Object.keys(properties)).toEqual(Object.keys(TIDE.parameters.properties as object))
}

const pictures: Case = {
  name: 'tool results with images',
  carries: 'A picture a tool made, beside its text',
  modes: BOTH,
  async play(stage) {
    const scene = await playWithPicture(stage)

    const { turns } = scene.seen()
    const results = partsOf(turns, 'result')
    expect(results).toMatchObject([{ id: 'call_tide1', text: 'as drawn here' }])
    // OpenAI's chat has no place for it in the result: there it follows as the user's own.
    const images = [...results[0]!.images, ...partsOf(turns.slice(-1), 'image').map(({ image }) => image)]
    expect(images).toEqual([PNG])
  },
}

async function playWithPicture({ open }: Stage): Promise<Scene> {
  const scene = open({ tools: [TIDE] }, { toolCalls: CALLS.slice(0, 1) }, { text: 'A lovely curve.' })
  await scene.say({ text: 'Draw the tide.' })
  const heard = await scene.giveResults({ callId: 'call_tide1', name: 'tide_at', text: 'as drawn here', image: PNG })
  expect(heard.text).toBe('A lovely curve.')
  return scene
}

const PATCH: Tool = { name: 'apply_patch', description: 'Changes files.', parameters: {}, takesText: true }
const DIFF = '*** Begin Patch\n- "high"\n+ low \\ 潮\n*** End Patch'

const textTool: Case = {
  name: 'tools that take text',
  carries: 'A tool whose input is plain text, as Codex patches files',
  modes: BOTH,
  async play({ client, upstream, open }) {
    // Other vendors are offered a function of one text; so are those of chat, of which only OpenAI has such tools.
    const hasTextTools = upstream.protocol === 'openai-responses' || upstream.protocol === client.protocol
    const input = hasTextTools ? DIFF : JSON.stringify({ input: DIFF })
    const toolCalls = [{ id: 'call_patch1', name: PATCH.name, arguments: input }]
    const scene = open({ tools: [PATCH] }, { toolCalls }, { text: 'Done.' })

    const heard = await scene.say({ text: 'Patch it.' })
    const result = { callId: 'call_patch1', name: PATCH.name, text: 'patched', ofTextTool: true }
    const after = await scene.giveResults(result)

    expect(heard.toolCalls).toMatchObject([{ id: 'call_patch1', name: PATCH.name, arguments: DIFF }])
    expect(after.text).toBe('Done.')
    const { turns } = scene.seen()
    expect(partsOf(turns, 'call')).toMatchObject([{ id: 'call_patch1', name: PATCH.name, arguments: input }])
    expect(partsOf(turns, 'result')).toMatchObject([{ id: 'call_patch1', text: 'patched' }])
  },
}

export const TOOLS: readonly Case[] = [parallel, pictures, textTool]
