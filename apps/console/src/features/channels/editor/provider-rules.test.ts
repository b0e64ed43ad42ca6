import { describe, expect, it } from 'vitest'
import { afterTypeChange, isRegion } from './provider-rules.ts'

const suggestions = { 1: ['gpt-4o'], 18: ['SparkDesk'], 36: ['suno_music', 'suno_lyrics'] }

describe('afterTypeChange', () => {
  it('suggests models if there are none, or only those suggested for the previous type', () => {
    expect(afterTypeChange({ from: 1, to: 36, models: [], suggestions }).models).toEqual(['suno_music', 'suno_lyrics'])
    expect(afterTypeChange({ from: 1, to: 36, models: ['gpt-4o'], suggestions }).models).toEqual([
      'suno_music',
      'suno_lyrics',
    ])
  })

  it('keeps models that were selected manually', () => {
    expect(afterTypeChange({ from: 1, to: 36, models: ['gpt-4o', 'own'], suggestions })).not.toHaveProperty('models')
  })

  it('sets the default value of the provider field', () => {
    expect(afterTypeChange({ from: 41, to: 18, models: [], suggestions }).other).toBe('v2.1')
    expect(afterTypeChange({ from: 18, to: 1, models: [], suggestions }).other).toBe('')
  })

  it('restores the stored value if the type is changed back', () => {
    const stored = { type: 18, other: 'v3.5' }

    expect(afterTypeChange({ from: 1, to: 18, models: [], suggestions, stored }).other).toBe('v3.5')
  })
})

it.each(['us-central1', ' global ', '{"default": "us-central1", "claude-3-opus": "europe-west1"}'])(
  'accepts %s as a region',
  (text) => {
    expect(isRegion(text)).toBe(true)
  },
)

it.each(['US Central', '{"claude-3-opus": "us-central1"}', '{"default": 5.5}', '["us-central1"]', '{"default":'])(
  'rejects %s as a region',
  (text) => {
    expect(isRegion(text)).toBe(false)
  },
)
