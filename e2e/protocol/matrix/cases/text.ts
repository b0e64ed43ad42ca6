import { expect } from 'vitest'
import { partsOf, type SeenTurn } from '../received-request.ts'
import { BOTH, type Case } from './case.ts'

const ANSWER = 'High water at 06:14 — 潮汐 🌊, "neap"\\spring.\n\tThen it ebbs.'
const SYSTEM = 'You are the keeper of a lighthouse. Answer «briefly», 简短地.'

/** Every kind of count there is, so that none is taken for another. */
const COUNTS = {
  prompt_tokens: 120,
  completion_tokens: 45,
  prompt_tokens_details: { cached_tokens: 64, cache_write_tokens: 16 },
  completion_tokens_details: { reasoning_tokens: 20 },
}

const text: Case = {
  name: 'text',
  carries: "Text both ways, the reason it ended, and counts equal to the vendor's",
  modes: BOTH,
  async play({ client, open }) {
    const scene = open({}, { text: ANSWER, usage: COUNTS })

    const heard = await scene.say({ text: 'When is high water? 何时涨潮?' })

    expect(heard).toMatchObject({ text: ANSWER, finish: client.finishWords.stop, thinking: '', toolCalls: [] })
    expect(heard.usage).toMatchObject({ input: 120, output: 45, cacheRead: 64 })
    expect(scene.seen().turns).toEqual([{ role: 'user', parts: [{ kind: 'text', text: scene.firstWords }] }])
  },
}

const system: Case = {
  name: 'system prompt',
  carries: 'Instructions, in the place the vendor keeps for them',
  modes: BOTH,
  async play({ open }) {
    const scene = open({ system: SYSTEM }, { text: ANSWER })

    await scene.say({ text: 'When is high water?' })

    expect(scene.seen().system.trim()).toBe(SYSTEM)
    expect(partsOf(scene.seen().turns, 'text').map((part) => part.text)).toEqual([scene.firstWords])
  },
}

const turns: Case = {
  name: 'several turns',
  carries: 'A conversation of several turns, each in its place',
  modes: BOTH,
  async play({ open }) {
    const scene = open({ system: SYSTEM }, { text: 'First.' }, { text: 'Second.' }, { text: 'Third.' })

    await scene.say({ text: 'One?' })
    await scene.say({ text: 'Two?' })
    const heard = await scene.say({ text: 'Three?' })

    expect(heard.text).toBe('Third.')
    // Clients of Gemini hand back the pieces they were streamed.
    const wordsOf = (turn: SeenTurn) => partsOf([turn], 'text').map((part) => part.text)
    const said = scene.seen().turns.map((turn) => [turn.role, wordsOf(turn).join('')])
    expect(said).toEqual([
      ['user', scene.firstWords],
      ['assistant', 'First.'],
      ['user', 'Two?'],
      ['assistant', 'Second.'],
      ['user', 'Three?'],
    ])
  },
}

export const WORDS: readonly Case[] = [text, system, turns]
