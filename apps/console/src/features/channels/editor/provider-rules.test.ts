import { describe, expect, it } from 'vitest'
import { afterTypeChange, isRegion } from './provider-rules.ts'

const suggestions = { 1: ['gpt-4o'], 18: ['SparkDesk'], 36: ['suno_music', 'suno_lyrics'] }

describe('another type', () => {
  it('brings its suggested models to a channel that has none, or only those of the type before', () => {
    expect(afterTypeChange({ from: 1, to: 36, models: [], suggestions }).models).toEqual(['suno_music', 'suno_lyrics'])
    expect(afterTypeChange({ from: 1, to: 36, models: ['gpt-4o'], suggestions }).models).toEqual([
      'suno_music',
      'suno_lyrics',
    ])
  })

  it('leaves models alone that somebody chose', () => {
    expect(afterTypeChange({ from: 1, to: 36, models: ['gpt-4o', 'own'], suggestions })).not.toHaveProperty('models')
  })

  it('starts its own field with the usual value of the vendor', () => {
    expect(afterTypeChange({ from: 41, to: 18, models: [], suggestions }).other).toBe('v2.1')
    expect(afterTypeChange({ from: 18, to: 1, models: [], suggestions }).other).toBe('')
  })

  it('finds again what was stored when the type is changed back', () => {
    const stored = { type: 18, other: 'v3.5' }

    expect(afterTypeChange({ from: 1, to: 18, models: [], suggestions, stored }).other).toBe('v3.5')
  })
})

it.each(['us-central1', ' global ', '{"default": "us-central1", "claude-3-opus": "europe-west1"}'])(
  'takes %s for a region',
  (text) => {
    expect(isRegion(text)).toBe(true)
  },
)

it.each(['US Central', '{"claude-3-opus": "us-central1"}', '{"default": 5.5}', '["us-central1"]', '{"default":'])(
  'does not take %s for one',
  (text) => {
    expect(isRegion(text)).toBe(false)
  },
)
