import { expect, it } from 'vitest'
import { isRegion } from './region.ts'

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
