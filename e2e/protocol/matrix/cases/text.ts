import { expect } from 'vitest'
import { partsOf, type DecodedTurn } from '../received-request.ts'
import { BOTH, type Case } from './case.ts'

const RESPONSE = 'High water at 06:14 — 潮汐 🌊, "neap"\\spring.\n\tThen it ebbs.'
const SYSTEM = 'You are the keeper of a lighthouse. Answer «briefly», 简短地.'

/** Every kind of token count, so that none is mistaken for another. */
const COUNTS = {
  prompt_tokens: 120,
  completion_tokens: 45,
  prompt_tokens_details: { cached_tokens: 64, cache_write_tokens: 16 },
  completion_tokens_details: { reasoning_tokens: 20 },
}

const text: Case = {
  name: 'text',
  carries: 'Text in both directions, the finish reason and the usage of the provider',
  modes: BOTH,
  async run({ client, open }) {
    const exchange = open({}, { text: RESPONSE, usage: COUNTS })

    const received = await exchange.send({ text: 'When is high water? 何时涨潮?' })

    expect(received).toMatchObject({ text: RESPONSE, finish: client.finishReasons.stop, thinking: '', toolCalls: [] })
    expect(received.usage).toMatchObject({ input: 120, output: 45, cacheRead: 64 })
    expect(exchange.received().turns).toEqual([{ role: 'user', parts: [{ kind: 'text', text: exchange.firstText }] }])
  },
}

const system: Case = {
  name: 'system prompt',
  carries: "Instructions, in the field of the provider's protocol",
  modes: BOTH,
  async run({ open }) {
    const exchange = open({ system: SYSTEM }, { text: RESPONSE })

    await exchange.send({ text: 'When is high water?' })

    expect(exchange.received().system.trim()).toBe(SYSTEM)
    expect(partsOf(exchange.received().turns, 'text').map((part) => part.text)).toEqual([exchange.firstText])
  },
}

const turns: Case = {
  name: 'several turns',
  carries: 'A conversation of several turns, in order',
  modes: BOTH,
  async run({ open }) {
    const exchange = open({ system: SYSTEM }, { text: 'First.' }, { text: 'Second.' }, { text: 'Third.' })

    await exchange.send({ text: 'One?' })
    await exchange.send({ text: 'Two?' })
    const received = await exchange.send({ text: 'Three?' })

    expect(received.text).toBe('Third.')
    // Clients of Gemini send back the streamed parts.
    const textsIn = (turn: DecodedTurn) => partsOf([turn], 'text').map((part) => part.text)
    const message = exchange.received().turns.map((turn) => [turn.role, textsIn(turn).join('')])
    expect(message).toEqual([
      ['user', exchange.firstText],
      ['assistant', 'First.'],
      ['user', 'Two?'],
      ['assistant', 'Second.'],
      ['user', 'Three?'],
    ])
  },
}

export const TEXTS: readonly Case[] = [text, system, turns]
