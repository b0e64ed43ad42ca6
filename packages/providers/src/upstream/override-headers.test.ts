import { expect, it } from 'vitest'
import { overrideHeaders } from './override-headers.ts'

const HEADERS = { Authorization: 'Bearer sk-1', accept: '*/*' }
const override = (entries: Record<string, string>, client = {}) =>
  overrideHeaders(HEADERS, new Map(Object.entries(entries)), { key: 'sk-1', client })

it('replaces headers regardless of case and fills in the key', () => {
  expect(override({ AUTHORIZATION: 'Token {api_key}', 'X-Team': 'blue' })).toEqual({
    accept: '*/*',
    authorization: 'Token sk-1',
    'x-team': 'blue',
  })
})

it('copies a client header, and omits it if the client did not send it', () => {
  const entries = { 'user-agent': '{client_header:User-Agent}', 'x-trace': '{client_header:x-trace}' }

  expect(override(entries, { 'user-agent': 'codex/1' })).toEqual({ ...HEADERS, 'user-agent': 'codex/1' })
})

it('does not fill the key into a client header', () => {
  expect(override({ 'x-a': '{client_header:x-a}' }, { 'x-a': '{api_key}' })).toMatchObject({ 'x-a': '{api_key}' })
})

it('leaves headers unchanged without overrides and for empty values', () => {
  expect(overrideHeaders(HEADERS, undefined, { key: 'sk-1' })).toEqual(HEADERS)
  expect(override({ accept: ' ' })).toEqual(HEADERS)
})
