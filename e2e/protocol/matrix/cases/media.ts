import { expect } from 'vitest'
import { PDF, PNG } from '../conversation.ts'
import { partsOf } from '../received-request.ts'
import { BOTH, type Case } from './case.ts'

const inlined: Case = {
  name: 'image in the request',
  carries: 'An image in the request body',
  modes: BOTH,
  async run({ open }) {
    const exchange = open({}, { text: 'One pixel.' })

    const received = await exchange.send({ text: 'What is this?' }, { image: PNG })

    expect(received.text).toBe('One pixel.')
    expect(exchange.received().turns[0]?.parts).toEqual([
      { kind: 'text', text: exchange.firstText },
      { kind: 'image', image: PNG },
    ])
  },
}

const linked: Case = {
  name: 'image URL',
  carries: 'An image by URL; the gateway downloads it for providers that do not',
  modes: BOTH,
  async run({ client, upstream, imageUrl, open }) {
    const exchange = open({}, { text: 'One pixel.' })

    await exchange.send({ text: 'What is this?' }, { imageUrl: imageUrl })

    const [image] = partsOf(exchange.received().turns, 'image')
    const isFetched = client.protocol !== upstream.protocol && !upstream.protocol.startsWith('openai-')
    expect(image).toEqual(isFetched ? { kind: 'image', image: PNG } : { kind: 'image', url: imageUrl })
  },
}

const document: Case = {
  name: 'document',
  carries: 'A PDF in the request body',
  modes: BOTH,
  async run({ open }) {
    const exchange = open({}, { text: 'An empty page.' })

    await exchange.send({ text: 'What does it say?' }, { document: PDF })

    const { mediaType, data } = PDF
    expect(partsOf(exchange.received().turns, 'document')).toEqual([
      { kind: 'document', document: { mediaType, data } },
    ])
  },
}

export const MEDIA: readonly Case[] = [inlined, linked, document]
