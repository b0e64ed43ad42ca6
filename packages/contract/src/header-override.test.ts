import { expect, it } from 'vitest'
import { clientHeaderIn, isHeaderOverride } from './header-override.ts'

it.each([
  ['x-team', 'blue'],
  ['Authorization', 'Token {api_key}'],
  ['user-agent', '{client_header:User-Agent}'],
])('accepts %s: %s', (name, value) => {
  expect(isHeaderOverride(name, value)).toBe(true)
})

it.each([
  ['a pattern', '*', ''],
  ['a regular expression', 're:^x-', ''],
  ['a name with a blank', 'x team', 'blue'],
  ['the host', 'Host', 'elsewhere.example'],
  ['the framing of a body', 'Transfer-Encoding', 'chunked'],
  ['a websocket header', 'Sec-WebSocket-Key', 'x'],
  ['a line break', 'x-team', 'blue\r\nx-injected: 1'],
  ['a number', 'x-team', 1],
  ['the token of the caller', 'x-forwarded-token', '{client_header:Authorization}'],
  ['the token of a realtime session', 'x-protocol', '{client_header:Sec-WebSocket-Protocol}'],
  ['the session of the caller', 'x-session', '{client_header: cookie }'],
])('rejects %s', (_, name, value) => {
  expect(isHeaderOverride(name, value)).toBe(false)
})

it('reads the header name of a placeholder', () => {
  expect(clientHeaderIn(' {client_header: X-Trace } ')).toBe('x-trace')
  expect(clientHeaderIn('{api_key}')).toBeUndefined()
})
