import { expect } from 'vitest'
import { partsOf } from '../received-request.ts'
import type { Stage } from '../cell-context.ts'
import { BOTH, type Case } from './case.ts'

const SYSTEM = 'You know every tide table by heart.'

const cacheMarks: Case = {
  name: 'cache marks',
  carries: 'Marks that tell the vendor what to keep in its prompt cache',
  modes: BOTH,
  async play(stage) {
    const scene = await playMarked(stage)

    const ofSystem = stage.client.protocol === 'openai-responses' ? [] : [SYSTEM] // its instructions are plain text
    expect(scene.seen().marked).toEqual([...ofSystem, scene.firstWords])
  },
  async playLeftOut(stage) {
    const scene = await playMarked(stage)

    expect(scene.seen().marked).toEqual([])
  },
}

/** Marked or not, every word arrives. */
async function playMarked({ open }: Stage) {
  const usage = { prompt_tokens: 900, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 800 } }
  const scene = open({ system: SYSTEM, systemMarked: true }, { text: 'Noted.', usage })

  const heard = await scene.say({ text: 'Remember this.', marked: true }, { text: 'And answer.' })

  expect(heard.usage).toMatchObject({ input: 900, cacheRead: 800 })
  expect(scene.seen().system.trim()).toBe(SYSTEM)
  const said = partsOf(scene.seen().turns, 'text').map(({ text }) => text)
  expect(said.join('\n\n')).toBe(`${scene.firstWords}\n\nAnd answer.`)
  return scene
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
  carries: 'A schema the answer must have',
  modes: BOTH,
  async play({ open }) {
    const answer = '{"station":"Kiel","level":1.50,"rising":true}'
    const scene = open({ schema: { name: 'tide_report', schema: SCHEMA } }, { text: answer })

    const heard = await scene.say({ text: 'Report.' })

    expect(heard.text).toBe(answer)
    const { properties, required } = scene.seen().schema as typeof SCHEMA
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
  name: 'stop texts',
  carries: 'Texts the model must stop before',
  modes: BOTH,
  async play({ client, upstream, open }) {
    const scene = open({ stop: ['END'] }, { text: 'before END after' })

    const heard = await scene.say({ text: 'Count.' })

    expect(scene.seen().stop).toEqual(['END'])
    expect(heard.text).toBe('before ')
    const tells = upstream.protocol === 'anthropic-messages' // the only vendor that says which text it was
    expect(heard.finish).toBe(client.finishWords[tells ? 'stop-sequence' : 'stop'])
    if (tells && client.protocol === 'anthropic-messages') expect(heard.stopSequence).toBe('END')
  },
  async playLeftOut({ client, open }) {
    const scene = open({ stop: ['END'] }, { text: 'before END after' })

    const heard = await scene.say({ text: 'Count.' })

    expect(heard).toMatchObject({ text: 'before END after', finish: client.finishWords.stop })
  },
}

export const SETTINGS: readonly Case[] = [cacheMarks, schema, stop]
