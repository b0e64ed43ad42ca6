import { expect } from 'vitest'
import { PDF, PNG } from '../conversation.ts'
import { partsOf } from '../received-request.ts'
import { BOTH, type Case } from './case.ts'

const inlined: Case = {
  name: 'image in the request',
  carries: 'A picture the client sends along',
  modes: BOTH,
  async play({ open }) {
    const scene = open({}, { text: 'One pixel.' })

    const heard = await scene.say({ text: 'What is this?' }, { image: PNG })

    expect(heard.text).toBe('One pixel.')
    expect(scene.seen().turns[0]?.parts).toEqual([
      { kind: 'text', text: scene.firstWords },
      { kind: 'image', image: PNG },
    ])
  },
}

const linked: Case = {
  name: 'image by address',
  carries: 'A picture the client points to; fetched by the gateway for vendors that do not fetch',
  modes: BOTH,
  async play({ client, upstream, pictureUrl, open }) {
    const scene = open({}, { text: 'One pixel.' })

    await scene.say({ text: 'What is this?' }, { imageUrl: pictureUrl })

    const [image] = partsOf(scene.seen().turns, 'image')
    const isFetched = client.protocol !== upstream.protocol && !upstream.protocol.startsWith('openai-')
    expect(image).toEqual(isFetched ? { kind: 'image', image: PNG } : { kind: 'image', url: pictureUrl })
  },
}

const document: Case = {
  name: 'document',
  carries: 'A PDF the client sends along',
  modes: BOTH,
  async play({ open }) {
    const scene = open({}, { text: 'An empty page.' })

    await scene.say({ text: 'What does it say?' }, { document: PDF })

    const { mediaType, data } = PDF
    expect(partsOf(scene.seen().turns, 'document')).toEqual([{ kind: 'document', document: { mediaType, data } }])
  },
}

export const MEDIA: readonly Case[] = [inlined, linked, document]
