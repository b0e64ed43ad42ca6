import { expect } from 'vitest'
import { partsOf } from '../received-request.ts'
import type { CellContext } from '../cell-context.ts'
import { BOTH, type Case } from './case.ts'

const SYSTEM = 'You know every tide table by heart.'

const cacheMarks: Case = {
  name: 'cache marks',
  carries: 'Marks for the prompt cache of the provider',
  modes: BOTH,
  async run(context) {
    const exchange = await runWithCacheMarks(context)

    const ofSystem = context.client.protocol === 'openai-responses' ? [] : [SYSTEM] // its instructions are plain text
    expect(exchange.received().marked).toEqual([...ofSystem, exchange.firstText])
  },
  async runOmitted(context) {
    const exchange = await runWithCacheMarks(context)

    expect(exchange.received().marked).toEqual([])
  },
}

/** Marked or not, the whole text arrives. */
async function runWithCacheMarks({ open }: CellContext) {
  const usage = { prompt_tokens: 900, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 800 } }
  const exchange = open({ system: SYSTEM, systemMarked: true }, { text: 'Noted.', usage })

  const received = await exchange.send({ text: 'Remember this.', marked: true }, { text: 'And reply.' })

  expect(received.usage).toMatchObject({ input: 900, cacheRead: 800 })
  expect(exchange.received().system.trim()).toBe(SYSTEM)
  const message = partsOf(exchange.received().turns, 'text').map(({ text }) => text)
  expect(message.join('\n\n')).toBe(`${exchange.firstText}\n\nAnd reply.`)
  return exchange
}

const SCHEMA = {
  type: 'object',
  properties: {
    station: { type: 'string', description: 'Where.' },
    level: { type: 'number' },
    rising: { type: 'boolean' },
  },
  required: ['station', 'level', 'rising'],
  additionalProperties: false,
}

const schema: Case = {
  name: 'JSON schema output',
  carries: 'A schema for the response',
  modes: BOTH,
  async run({ open }) {
    const response = '{"station":"Kiel","level":1.50,"rising":true}'
    const exchange = open({ schema: { name: 'tide_report', schema: SCHEMA } }, { text: response })

    const received = await exchange.send({ text: 'Report.' })

    expect(received.text).toBe(response)
    const { properties, required } = exchange.received().schema as typeof SCHEMA
    const types = Object.entries(properties).map(([name, { type }]) => [name, type.toLowerCase()])
    expect(types).toEqual([
      ['station', 'string'],
      ['level', 'number'],
      ['rising', 'boolean'],
    ])
    expect(required).toEqual(SCHEMA.required)
  },
}

const stop: Case = {
  name: 'stop sequences',
  carries: 'Texts at which the model stops',
  modes: BOTH,
  async run({ client, upstream, open }) {
    const exchange = open({ stop: ['END'] }, { text: 'before END after' })

    const received = await exchange.send({ text: 'Count.' })

    expect(exchange.received().stop).toEqual(['END'])
    expect(received.text).toBe('before ')
    const reportsSequence = upstream.protocol === 'anthropic-messages' // the only provider that reports which sequence it was
    expect(received.finish).toBe(client.finishReasons[reportsSequence ? 'stop-sequence' : 'stop'])
    if (reportsSequence && client.protocol === 'anthropic-messages') expect(received.stopSequence).toBe('END')
  },
  async runOmitted({ client, open }) {
    const exchange = open({ stop: ['END'] }, { text: 'before END after' })

    const received = await exchange.send({ text: 'Count.' })

    expect(received).toMatchObject({ text: 'before END after', finish: client.finishReasons.stop })
  },
}

export const SETTINGS: readonly Case[] = [cacheMarks, schema, stop]
