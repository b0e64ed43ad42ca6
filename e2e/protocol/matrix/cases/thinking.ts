import { expect } from 'vitest'
import { upstreamsOf } from '../conversation.ts'
import { partsOf, type Upstream } from '../received-request.ts'
import type { Exchange, CellContext } from '../cell-context.ts'
import { UPSTREAMS } from '../upstreams/index.ts'
import { BOTH, type Case } from './case.ts'
import { TIDE } from './tools.ts'

const TURNS = 20

const loop: Case = {
  name: '20 turns of thinking and tools',
  carries: 'Signed thinking, sent back unchanged through a loop of 20 tool calls',
  modes: BOTH,
  async run(context) {
    const steps = Array.from({ length: TURNS }, (_, turn) => ({
      reasoning: `Step ${turn}: the ebb, 潮 ${turn}.`,
      // Anthropic redacts some thinking blocks and requires them to be sent back, too.
      redacted: context.upstream.protocol === 'anthropic-messages' && turn % 5 === 4,
      call: { id: `call_step${turn}`, name: TIDE.name, arguments: `{"station":"Kiel","at":${turn}}` },
    }))
    const scripts = steps.map(({ call: request, ...thought }) => ({ ...thought, toolCalls: [request] }))
    const textsIn = ({ reasoning, redacted }: (typeof steps)[number]) => (redacted ? '' : reasoning)
    const exchange = context.open({ tools: [TIDE], thinking: true }, ...scripts, {
      reasoning: 'Done.',
      text: 'Low at noon.',
    })

    let received = await exchange.send({ text: 'Follow the tide.' })
    for (const step of steps) {
      const { call: request } = step
      expect(received).toMatchObject({ thinking: textsIn(step), toolCalls: [{ id: request.id, name: request.name }] })
      expect(exchange.received().thinks, 'the provider is asked for thinking').toBe(requestsThinking(context))
      received = await exchange.sendToolResults({ callId: request.id, name: request.name, text: `level ${request.id}` })
    }

    expect(received).toMatchObject({ text: 'Low at noon.', thinking: 'Done.', toolCalls: [] })
    const { turns } = exchange.received()
    expect(partsOf(turns, 'call').map(({ id }) => id)).toEqual(steps.map(({ call: request }) => request.id))
    expect(partsOf(turns, 'result').map(({ id }) => id)).toEqual(steps.map(({ call: request }) => request.id))
    expectSignatures(context, exchange, steps.map(textsIn))
  },
}

/**
 * Chat providers have an effort and no budget. Those without thinking models reject an effort that was not requested.
 */
function requestsThinking({ client, upstream }: CellContext): boolean {
  const hasEffort = client.protocol.startsWith('openai-') || client.protocol === 'gemini-interactions'
  return upstream.protocol !== 'openai-chat' || hasEffort
}

/** The provider checks that a signature is its own. Here, none may be missing. */
function expectSignatures({ upstream }: CellContext, exchange: Exchange, thoughts: readonly string[]): void {
  const { turns } = exchange.received()
  const returned = partsOf(turns, 'thinking')
  switch (upstream.protocol) {
    case 'gemini-generate': {
      const signatures = partsOf(turns, 'call').map(({ signature }) => signature)
      expect(new Set(signatures).size).toBe(thoughts.length)
      expect(signatures).not.toContain(undefined)
      return
    }
    case 'openai-chat':
      return expect(returned.map(({ text }) => text)).toEqual(thoughts)
    default:
      expect(returned.map(({ text }) => text)).toEqual(thoughts)
      expect(new Set(returned.map(({ signature }) => signature)).size).toBe(thoughts.length)
  }
}

const switching: Case = {
  name: 'another provider in the loop',
  carries: 'A tool loop with thinking that another provider continues',
  modes: BOTH,
  async run(context) {
    const others = upstreamsOf(context.client.protocol).filter((protocol) => protocol !== context.upstream.protocol)
    for (const other of others) await runModelSwitch(context, UPSTREAMS[other])
  },
}

/** The new provider cannot read the signatures of the old one. They must neither be sent nor be required. */
async function runModelSwitch({ openAt }: CellContext, first: Upstream): Promise<void> {
  const request = { id: 'call_turn1', name: TIDE.name, arguments: '{"station":"Kiel","at":1}' }
  const exchange = openAt(first, { tools: [TIDE], thinking: true }, { reasoning: 'Hm.', toolCalls: [request] })
  await exchange.send({ text: 'Follow the tide.' })

  const second = { ...request, id: 'call_turn2' }
  exchange.turnHere({ reasoning: 'Now I.', toolCalls: [second] }, { reasoning: 'Well.', text: 'Ebb.' })
  const turned = await exchange.sendToolResults({ callId: request.id, name: request.name, text: 'first' })
  const received = await exchange.sendToolResults({ callId: second.id, name: second.name, text: 'second' })

  expect(turned.toolCalls).toMatchObject([{ id: second.id }])
  expect(received.text).toBe('Ebb.')
  const { turns } = exchange.received()
  expect(partsOf(turns, 'call').map(({ id }) => id)).toEqual([request.id, second.id])
  expect(partsOf(turns, 'result').map(({ text }) => text)).toEqual(['first', 'second'])
}

export const THINKING: readonly Case[] = [loop, switching]
