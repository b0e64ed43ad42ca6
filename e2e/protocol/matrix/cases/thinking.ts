import { expect } from 'vitest'
import { PROTOCOLS } from '../conversation.ts'
import { partsOf, type Upstream } from '../received-request.ts'
import type { Scene, Stage } from '../cell-context.ts'
import { UPSTREAMS } from '../upstreams/index.ts'
import { BOTH, type Case } from './case.ts'
import { TIDE } from './tools.ts'

const TURNS = 20

const loop: Case = {
  name: '20 turns of thinking and tools',
  carries: "Thoughts with the vendor's signatures, handed back unchanged through a loop of 20 tool calls",
  modes: BOTH,
  async play(stage) {
    const steps = Array.from({ length: TURNS }, (_, turn) => ({
      reasoning: `Step ${turn}: the ebb, 潮 ${turn}.`,
      // Anthropic withholds some of its thoughts, and wants those back, too.
      redacted: stage.upstream.protocol === 'anthropic-messages' && turn % 5 === 4,
      call: { id: `call_step${turn}`, name: TIDE.name, arguments: `{"station":"Kiel","at":${turn}}` },
    }))
    const scripts = steps.map(({ call, ...thought }) => ({ ...thought, toolCalls: [call] }))
    const wordsOf = ({ reasoning, redacted }: (typeof steps)[number]) => (redacted ? '' : reasoning)
    const scene = stage.open({ tools: [TIDE], thinking: true }, ...scripts, {
      reasoning: 'Done.',
      text: 'Low at noon.',
    })

    let heard = await scene.say({ text: 'Follow the tide.' })
    for (const step of steps) {
      const { call } = step
      expect(heard).toMatchObject({ thinking: wordsOf(step), toolCalls: [{ id: call.id, name: call.name }] })
      expect(scene.seen().thinks, 'the vendor is asked to think').toBe(isAskedToThink(stage))
      heard = await scene.giveResults({ callId: call.id, name: call.name, text: `level ${call.id}` })
    }

    expect(heard).toMatchObject({ text: 'Low at noon.', thinking: 'Done.', toolCalls: [] })
    const { turns } = scene.seen()
    expect(partsOf(turns, 'call').map(({ id }) => id)).toEqual(steps.map(({ call }) => call.id))
    expect(partsOf(turns, 'result').map(({ id }) => id)).toEqual(steps.map(({ call }) => call.id))
    expectSealed(stage, scene, steps.map(wordsOf))
  },
}

/** Vendors of chat know an effort and no budget, and those whose models do not think refuse an effort nobody asked for. */
function isAskedToThink({ client, upstream }: Stage): boolean {
  return upstream.protocol !== 'openai-chat' || client.protocol.startsWith('openai-')
}

/** The vendor checks that a seal is its own; here, that none is missing. */
function expectSealed({ upstream }: Stage, scene: Scene, thoughts: readonly string[]): void {
  const { turns } = scene.seen()
  const kept = partsOf(turns, 'thinking')
  switch (upstream.protocol) {
    case 'gemini-generate': {
      const seals = partsOf(turns, 'call').map(({ signature }) => signature)
      expect(new Set(seals).size).toBe(thoughts.length)
      expect(seals).not.toContain(undefined)
      return
    }
    case 'openai-chat':
      return expect(kept.map(({ text }) => text)).toEqual(thoughts)
    default:
      expect(kept.map(({ text }) => text)).toEqual(thoughts)
      expect(new Set(kept.map(({ signature }) => signature)).size).toBe(thoughts.length)
  }
}

const turning: Case = {
  name: 'another vendor in mid-loop',
  carries: 'A tool call that was thought out by one vendor and is gone on with by another',
  modes: BOTH,
  async play(stage) {
    const others = PROTOCOLS.filter((protocol) => protocol !== stage.upstream.protocol)
    for (const other of others) await playTurning(stage, UPSTREAMS[other])
  },
}

/** The new vendor cannot read the seals of the old one, and must neither be sent them nor be told to miss them. */
async function playTurning({ openAt }: Stage, first: Upstream): Promise<void> {
  const call = { id: 'call_turn1', name: TIDE.name, arguments: '{"station":"Kiel","at":1}' }
  const scene = openAt(first, { tools: [TIDE], thinking: true }, { reasoning: 'Hm.', toolCalls: [call] })
  await scene.say({ text: 'Follow the tide.' })

  const second = { ...call, id: 'call_turn2' }
  scene.turnHere({ reasoning: 'Now I.', toolCalls: [second] }, { reasoning: 'Well.', text: 'Ebb.' })
  const turned = await scene.giveResults({ callId: call.id, name: call.name, text: 'first' })
  const heard = await scene.giveResults({ callId: second.id, name: second.name, text: 'second' })

  expect(turned.toolCalls).toMatchObject([{ id: second.id }])
  expect(heard.text).toBe('Ebb.')
  const { turns } = scene.seen()
  expect(partsOf(turns, 'call').map(({ id }) => id)).toEqual([call.id, second.id])
  expect(partsOf(turns, 'result').map(({ text }) => text)).toEqual(['first', 'second'])
}

export const THINKING: readonly Case[] = [loop, turning]
