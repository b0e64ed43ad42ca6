import { expect, it } from 'vitest'
import { suggestName } from './suggest-name.ts'

const here = { browser: 'Chrome', system: 'macOS' }

it('names a passkey after the browser and the system', () => {
  expect(suggestName(here, [], 'Passkey')).toBe('Chrome · macOS')
  expect(suggestName({ browser: 'Chrome', system: null }, [], 'Passkey')).toBe('Chrome')
  expect(suggestName({ browser: null, system: null }, [], 'Passkey')).toBe('Passkey')
})

it('counts on when the name is taken', () => {
  expect(suggestName(here, ['Chrome · macOS'], 'Passkey')).toBe('Chrome · macOS 2')
  expect(suggestName(here, ['Chrome · macOS 2', 'Chrome · macOS', 'other'], 'Passkey')).toBe('Chrome · macOS 3')
})
