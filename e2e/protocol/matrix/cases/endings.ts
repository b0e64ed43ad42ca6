import type { Script } from '@tidegate/testing'
import { expect } from 'vitest'
import type { ClientResponse } from '../conversation.ts'
import type { CellContext } from '../cell-context.ts'
import { BOTH, type Case } from './case.ts'

const length: Case = {
  name: 'output limit',
  carries: 'The output limit, and the finish reason when it is reached',
  modes: BOTH,
  async run({ client, open }) {
    const exchange = open({ maxTokens: 16 }, { text: 'The tide '.repeat(20) })

    const received = await exchange.send({ text: 'Go on and on.' })

    expect(exchange.received().maxTokens).toBe(16)
    expect(received.finish).toBe(client.finishReasons.length)
    expect(received.text).toBe('The tide '.repeat(8).trimEnd())
  },
}

const declined: Case = {
  name: 'refusal',
  carries: 'The finish reason and the text of a model refusal',
  modes: BOTH,
  async run({ client, upstream, open }) {
    const exchange = open({}, { refusal: 'I will not sink a ship.', finish: 'refusal' })

    const received = await exchange.send({ text: 'Sink it.' })

    expect(received.finish).toBe(client.finishReasons.refusal)
    expect(received.text).toBe(upstream.protocol === 'gemini-generate' ? '' : 'I will not sink a ship.')
  },
}

const broken: Case = {
  name: 'error in a stream',
  carries: "An error after the first text: the text, then an error in the client's format",
  modes: ['streamed'],
  async run(context) {
    const text = 'The tide comes in and the gate lets it through. '.repeat(10)
    const errorEvent = { afterEvents: 14, status: 500, message: 'The pier is gone.' }
    const failing = context.open({}, { text, errorEvent })
    const cut = context.open({}, { text, cut: { afterEvents: 14, partialBytes: 9 } })

    const failed = await failing.trySend({ text: 'Tell me.' })
    const lost = await cut.trySend({ text: 'Tell me.' })

    expectError(context, failed, 'The pier is gone.')
    expectError(context, lost, '')
    for (const received of [failed, lost]) {
      expect(received.text).not.toBe('')
      expect(text.startsWith(received.text)).toBe(true)
      expect(context.client.endsWell(received.raw)).toBe(false)
    }
  },
}

const rejected: Case = {
  name: 'error response',
  carries: "The provider's error, by status or inside a 200, in the client's format",
  modes: BOTH,
  async run(context) {
    const byStatus = context.open({}, { status: 400 })
    const inside = context.open({}, { errorInside: { status: 400, message: 'No such buoy.' } })

    const first = await byStatus.trySend({ text: 'Tell me.' })
    const second = await inside.trySend({ text: 'Tell me.' })

    expectError(context, first, 'The fake upstream')
    expect(first.error?.status).toBe(400)
    expectError(context, second, 'No such buoy.')
    expect(second.error?.status).toBeGreaterThanOrEqual(400)
  },
}

function expectError({ client }: CellContext, { error }: ClientResponse, message: string): void {
  expect(error?.message).toContain(message)
  expect(client.isOwnError(error!), `an error of ${client.protocol}: ${JSON.stringify(error)}`).toBe(true)
}

const PLAIN_FRAMINGS: readonly Script[] = [
  { framing: { lineEnd: '\r\n' }, writeSizes: [1] },
  { framing: { finalNewline: false }, deltaLength: 3 },
]
const ODD_FRAMINGS: readonly Script[] = [
  { framing: { lineEnd: '\r\n', comments: true }, writeSizes: [1] },
  { framing: { lineEnd: '\r', space: false }, writeSizes: [5, 2] },
  { framing: { multiLine: true, byteOrderMark: true } },
]

const framing: Case = {
  name: 'odd framing',
  carries: 'Streams with every framing that the standard allows, split at any byte',
  modes: ['streamed'],
  async run({ client, upstream, open }) {
    const text = '潮汐 🌊 rises.'
    // A client of the same protocol gets the bytes unchanged, and its SDK may read only what its provider writes.
    const isForwarded = client.protocol === upstream.protocol
    for (const variant of isForwarded ? PLAIN_FRAMINGS : [...PLAIN_FRAMINGS, ...ODD_FRAMINGS]) {
      const exchange = open({}, { text, ...variant })

      const received = await exchange.send({ text: 'Say it.' })

      expect(received).toMatchObject({ text, finish: client.finishReasons.stop })
    }
  },
}

export const ENDINGS: readonly Case[] = [length, declined, framing, broken, rejected]
