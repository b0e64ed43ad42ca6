import { describe, expect, it } from 'vitest'
import { snippetsFor, useOf } from './snippets.ts'

const target = { address: 'https://harbour.example', key: 'sk-xxxxxxxx', model: 'vendor/model:free' }

describe('examples', () => {
  it('call the model of the page at the address of the site', () => {
    const snippets = snippetsFor(target, 'It’s high tide?')

    expect(snippets.map(({ name }) => name)).toEqual(['curl', 'TypeScript', 'Python', 'Anthropic'])
    for (const { text } of snippets) {
      expect(text).toContain('"vendor/model:free"')
      expect(text).toContain('https://harbour.example')
      expect(text).toContain('sk-xxxxxxxx')
    }
  })

  it('escape quotes for the shell', () => {
    expect(snippetsFor(target, "it's")[0]!.text).toContain(`it'\\''s`)
  })

  it.each([
    ['gpt-4o', 'chat'],
    ['gpt-4o-audio-preview', 'chat'],
    ['text-embedding-3-small', 'embedding'],
    ['BAAI/bge-m3', 'embedding'],
    ['dall-e-3', 'image'],
    ['tts-1-hd', 'speech'],
    ['whisper-1', 'transcription'],
    ['mj_imagine', 'task'],
  ])('%s is used for %s', (model, use) => {
    expect(useOf(model)).toBe(use)
  })

  it('do not exist for task models', () => {
    expect(snippetsFor({ ...target, model: 'suno_music' }, 'hi')).toEqual([])
  })
})
