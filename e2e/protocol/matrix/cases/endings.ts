import type { Script } from '@tidegate/testing'
import { expect } from 'vitest'
import type { Heard } from '../conversation.ts'
import type { Stage } from '../cell-context.ts'
import { BOTH, type Case } from './case.ts'

const length: Case = {
  name: 'cut short by its limit',
  carries: 'The limit of an answer, and that it was reached',
  modes: BOTH,
  async play({ client, open }) {
    const scene = open({ maxTokens: 16 }, { text: 'The tide '.repeat(20) })

    const heard = await scene.say({ text: 'Go on and on.' })

    expect(scene.seen().maxTokens).toBe(16)
    expect(heard.finish).toBe(client.finishWords.length)
    expect(heard.text).toBe('The tide '.repeat(8).trimEnd())
  },
}

const refusal: Case = {
  name: 'refusal',
  carries: 'That the model refused, and its words',
  modes: BOTH,
  async play({ client, upstream, open }) {
    const scene = open({}, { refusal: 'I will not sink a ship.', finish: 'refusal' })

    const heard = await scene.say({ text: 'Sink it.' })

    expect(heard.finish).toBe(client.finishWords.refusal)
    expect(heard.text).toBe(upstream.protocol === 'gemini-generate' ? '' : 'I will not sink a ship.')
  },
}

const broken: Case = {
  name: 'error inside a stream',
  carries: "An error after the first words: the words, then an error in the client's own shape",
  modes: ['streamed'],
  async play(stage) {
    const text = 'The tide comes in and the gate lets it through. '.repeat(10)
    const errorEvent = { afterEvents: 14, status: 500, message: 'The pier is gone.' }
    const failing = stage.open({}, { text, errorEvent })
    const cut = stage.open({}, { text, cut: { afterEvents: 14, partialBytes: 9 } })

    const failed = await failing.trySaying({ text: 'Tell me.' })
    const lost = await cut.trySaying({ text: 'Tell me.' })

    expectError(stage, failed, 'The pier is gone.')
    expectError(stage, lost, '')
    for (const heard of [failed, lost]) {
      expect(heard.text).not.toBe('')
      expect(text.startsWith(heard.text)).toBe(true)
      expect(stage.client.endsWell(heard.raw)).toBe(false)
    }
  },
}

const refused: Case = {
  name: 'error instead of an answer',
  carries: "The vendor's own error, by status or inside a 200, in the client's own shape",
  modes: BOTH,
  async play(stage) {
    const byStatus = stage.open({}, { status: 400 })
    const inside = stage.open({}, { errorInside: { status: 400, message: 'No such buoy.' } })

    const first = await byStatus.trySaying({ text: 'Tell me.' })
    const second = await inside.trySaying({ text: 'Tell me.' })

    expectError(stage, first, 'asked to answer 400')
    expect(first.error?.status).toBe(400)
    expectError(stage, second, 'No such buoy.')
    expect(second.error?.status).toBeGreaterThanOrEqual(400)
  },
}

function expectError({ client }: Stage, { error }: Heard, message: string): void {
  expect(error?.message).toContain(message)
  expect(client.isOwnError(error!), `an error of ${client.protocol}: ${JSON.stringify(error)}`).toBe(true)
}

const PLAIN_WAYS: readonly Script[] = [
  { framing: { lineEnd: '\r\n' }, writeSizes: [1] },
  { framing: { finalNewline: false }, deltaLength: 3 },
]
const ODD_WAYS: readonly Script[] = [
  { framing: { lineEnd: '\r\n', comments: true }, writeSizes: [1] },
  { framing: { lineEnd: '\r', space: false }, writeSizes: [5, 2] },
  { framing: { multiLine: true, byteOrderMark: true } },
]

const framing: Case = {
  name: 'odd framing',
  carries: 'Streams framed in every way the standard allows, and cut into pieces anywhere',
  modes: ['streamed'],
  async play({ client, upstream, open }) {
    const text = '潮汐 🌊 rises.'
    // A vendor's own client is passed the bytes as they are, and its SDK need not read more than its vendor writes.
    const isPassedOn = client.protocol === upstream.protocol
    for (const way of isPassedOn ? PLAIN_WAYS : [...PLAIN_WAYS, ...ODD_WAYS]) {
      const scene = open({}, { text, ...way })

      const heard = await scene.say({ text: 'Say it.' })

      expect(heard).toMatchObject({ text, finish: client.finishWords.stop })
    }
  },
}

export const ENDINGS: readonly Case[] = [length, refusal, framing, broken, refused]
