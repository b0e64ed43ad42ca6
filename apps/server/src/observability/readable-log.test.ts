import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLogger, isReadable } from './logging.ts'

function readable(details: object, message: string): string {
  const sink = new PassThrough()
  createLogger('info', { destination: sink, format: 'pretty' }).info(details, message)
  return String(sink.read())
}

describe('readable log lines', () => {
  it('have the time, the level, the message and the fields', () => {
    const line = readable({ port: 3000, host: '0.0.0.0', roles: ['gateway', 'worker'] }, 'listening')

    expect(line).toMatch(/^\d\d:\d\d:\d\d INFO {2}listening port=3000 host=0\.0\.0\.0 roles=\["gateway","worker"\]\n$/)
  })

  it('show the stack of an error below the line', () => {
    const line = readable({ err: new Error('no route') }, 'task poll failed')

    expect(line).toMatch(/INFO {2}task poll failed\n {4}Error: no route\n {8}at /)
  })

  it('escape control characters', () => {
    const hostile = 'a\u001b]0;owned\u0007\nb'
    const line = readable({ reason: hostile, err: new Error(hostile) }, hostile)

    expect(line.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(line).toContain('a\\u001b]0;owned\\u0007')
  })

  it('quote values with spaces', () => {
    expect(readable({ reason: 'not set up' }, 'wait')).toContain('reason="not set up"')
  })

  it('redact secrets as JSON lines do', () => {
    const line = readable({ password: 'hunter2', err: new Error('bad key sk-hunter2hunter2abc') }, 'failed')

    expect(line).not.toContain('hunter2')
    expect(line).toContain('[redacted]')
  })
})

it.each([
  ['auto', true, true],
  ['auto', undefined, false],
  ['json', true, false],
  ['pretty', undefined, true],
] as const)(
  'selects the format for TIDEGATE_LOG_FORMAT=%s and isTTY %s, readable lines: %s',
  (format, isTTY, expected) => {
    expect(isReadable(format, isTTY === undefined ? {} : { isTTY })).toBe(expected)
  },
)
