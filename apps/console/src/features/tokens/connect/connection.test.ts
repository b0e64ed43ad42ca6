import { expect, it } from 'vitest'
import { firstChoice, modelsOf, siteAddress } from './connection.ts'

it('returns the models that a token is limited to, otherwise all models of its owner', () => {
  expect(modelsOf({ model_limits_enabled: true, model_limits: 'm-1, m-2,,' }, ['m-9'])).toEqual(['m-1', 'm-2'])
  expect(modelsOf({ model_limits_enabled: true, model_limits: '' }, ['m-9'])).toEqual([])
  expect(modelsOf({ model_limits_enabled: false, model_limits: 'm-1' }, ['m-9'])).toEqual(['m-9'])
})

it('prefers a model that is likely to support chat', () => {
  expect(firstChoice(['dall-e-3', 'text-embedding-3-small', 'tts-1', 'gpt-4o'])).toBe('gpt-4o')
  expect(firstChoice(['whisper-1'])).toBe('whisper-1')
  expect(firstChoice([])).toBeUndefined()
})

it('uses the configured address, otherwise the origin of the page, without a trailing slash', () => {
  expect(siteAddress('https://gate.example/', 'http://localhost')).toBe('https://gate.example')
  expect(siteAddress('', 'http://localhost:3000')).toBe('http://localhost:3000')
})
