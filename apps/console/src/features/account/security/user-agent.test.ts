import { describe, expect, it } from 'vitest'
import { readUserAgent, suggestName } from './user-agent.ts'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'

describe('readUserAgent', () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'Chrome', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/141.0.0.0`, 'Edge', 'Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36 OPR/120.0.0.0`, 'Opera', 'Linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'macOS'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
      'Chrome',
      'iPhone',
    ],
    [`Mozilla/5.0 (Linux; Android 16; Pixel 10) ${CHROME} Mobile Safari/537.36`, 'Chrome', 'Android'],
    [
      `Mozilla/5.0 (Linux; Android 16; Pixel 10) ${CHROME} Mobile Safari/537.36 MicroMessenger/8.0.60`,
      'WeChat',
      'Android',
    ],
    ['curl/8.16.0', 'curl', null],
    ['', null, null],
    ['something <script>alert(1)</script>', null, null],
  ])('reads browser and system of %s', (userAgent, browser, system) => {
    expect(readUserAgent(userAgent)).toEqual({ browser, system })
  })
})

const here = { browser: 'Chrome', system: 'macOS' }

it('suggests the browser and the system as the name of a passkey', () => {
  expect(suggestName(here, [], 'Passkey')).toBe('Chrome · macOS')
  expect(suggestName({ browser: 'Chrome', system: null }, [], 'Passkey')).toBe('Chrome')
  expect(suggestName({ browser: null, system: null }, [], 'Passkey')).toBe('Passkey')
})

it('adds a number to a used name', () => {
  expect(suggestName(here, ['Chrome · macOS'], 'Passkey')).toBe('Chrome · macOS 2')
  expect(suggestName(here, ['Chrome · macOS 2', 'Chrome · macOS', 'other'], 'Passkey')).toBe('Chrome · macOS 3')
})
