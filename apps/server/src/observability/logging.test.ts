import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createLogger } from './logging.ts'

function writeLine(details: object, message = 'a line'): string {
  const sink = new PassThrough()
  createLogger('info', { destination: sink }).info(details, message)
  return String(sink.read())
}

it.each<[string, object]>([
  ['a field of that name', { password: 'hunter2hunter2' }],
  ['a header', { headers: { authorization: 'Bearer hunter2hunter2' } }],
  ['a nested cookie', { request: { headers: { cookie: 'tidegate_session=hunter2hunter2' } } }],
  ['an API key header', { headers: { 'x-api-key': 'hunter2hunter2' } }],
  ['an error that quotes a header', { err: new Error('rejected: Authorization: Bearer hunter2hunter2') }],
  ['an error that quotes a key', { err: new Error('bad key sk-hunter2hunter2abc') }],
  ['an address with a password', { err: new Error('cannot reach postgres://tide:hunter2hunter2@db:5432/x') }],
  ['a query', { url: '/v1beta/models?key=hunter2hunter2&alt=sse' }],
])('redacts a secret in %s', (_, details) => {
  const line = writeLine(details)

  expect(line).not.toContain('hunter2')
  expect(line).toContain('[redacted]')
  expect(() => JSON.parse(line)).not.toThrow()
})

it.each([
  'sk-hunter2hunter2abc',
  'sk-tg_hunter2hunter2abc',
  'tg_hunter2hunter2abc',
  'tgc_hunter2hunter2abc',
  'tga_hunter2hunter2abc',
  'AIzaSyhunter2-hunter2_abc',
  'gsk_hunter2hunter2abc',
  'xai-hunter2hunter2abc',
  'ghp_hunter2hunter2abc',
  'AKIAHUNTER2HUNTER2AB',
  'ASIAHUNTER2HUNTER2AB',
])('redacts %s in a message, also after a line break', (secret) => {
  const line = writeLine({ err: new Error(`rejected:\n${secret}`) }, `key ${secret}, again "${secret}"`)

  expect(line.toLowerCase()).not.toContain('hunter2')
  expect(() => JSON.parse(line)).not.toThrow()
})

it('does not change a line without secrets', () => {
  expect(JSON.parse(writeLine({ requestId: '20260101', keyCount: 2 }, 'a call was served'))).toMatchObject({
    requestId: '20260101',
    keyCount: 2,
    msg: 'a call was served',
  })
})
