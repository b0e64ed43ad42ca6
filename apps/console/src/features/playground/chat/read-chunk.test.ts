import { describe, expect, it } from 'vitest'
import { readChunk } from './read-chunk.ts'

const chunk = (delta: object, more: object = {}) => JSON.stringify({ choices: [{ index: 0, delta }], ...more })
const SAID = { text: '', thinking: '', pictures: [] }

describe('readChunk', () => {
  it('reads words, thoughts under both names, and refusals', () => {
    expect(readChunk(chunk({ content: 'Hi' }))).toEqual({ ...SAID, text: 'Hi' })
    expect(readChunk(chunk({ reasoning_content: 'Hm' }))).toEqual({ ...SAID, thinking: 'Hm' })
    expect(readChunk(chunk({ reasoning: 'Hm' }))).toEqual({ ...SAID, thinking: 'Hm' })
    expect(readChunk(chunk({ refusal: 'No.' }))).toEqual({ ...SAID, text: 'No.' })
  })

  it('reads the counts of a chunk without words', () => {
    const data = JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } })

    expect(readChunk(data)).toEqual({ ...SAID, usage: { inputTokens: 3, outputTokens: 5 } })
  })

  it('takes pictures that are safe to show, and no others', () => {
    const images = [
      'data:image/png;base64,AA',
      'javascript:alert(1)',
      'data:image/svg+xml;base64,AA',
      'https://a.b/c.png',
    ]

    const delta = readChunk(chunk({ images: images.map((url) => ({ type: 'image_url', image_url: { url } })) }))

    expect(delta!.pictures.map(({ url }) => url)).toEqual(['data:image/png;base64,AA', 'https://a.b/c.png'])
  })

  it('reads an error, without the id that stands by itself', () => {
    const data = JSON.stringify({ error: { message: 'No more (request id: r-1)', code: 'stream_interrupted' } })

    expect(readChunk(data)).toEqual({ ...SAID, failure: { code: 'stream_interrupted', message: 'No more' } })
  })

  it('passes over what is none of the protocol', () => {
    expect(readChunk('not json')).toBeUndefined()
    expect(readChunk('{"choices":"none"}')).toEqual(SAID)
  })
})
