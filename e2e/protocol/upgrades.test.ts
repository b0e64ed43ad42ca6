import { once } from 'node:events'
import { connect } from 'node:net'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEdge } from '../scenarios/topology/edge.ts'
import { openSite } from '../scenarios/site.ts'
import { sharedSite } from './shared-site.ts'

const MODEL = 'upgrade-model'
const CHAT = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hi' }] })
/** What Java's HTTP client sends to http addresses by default. */
const H2C = ['connection: Upgrade, HTTP2-Settings, close', 'upgrade: h2c', 'http2-settings: AAEAAEAAAAIAAAAB']
const WEBSOCKET = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', 'sec-websocket-key: YQ==']

const site = sharedSite()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(site.admin, upstream, { models: MODEL })
})
afterAll(() => upstream.close())

/** Sends one request over its own socket and reads until the response is complete. */
async function sendRaw(url: string, requestLine: string, headers: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  await once(socket, 'connect')
  const lines = [`${requestLine} HTTP/1.1`, 'host: localhost', ...headers, `content-length: ${body.length}`, '', body]
  socket.write(lines.join('\r\n'))
  let text = ''
  for await (const piece of socket) {
    text += piece as string
    if (isComplete(text)) break
  }
  return text
}

function isComplete(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n', 2)
  if (body === undefined) return false
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return length === undefined ? body.endsWith('0') : body.length >= Number(length)
}

describe('an offer to upgrade to h2c', () => {
  it.each(['GET /api/status', 'GET /', 'GET /healthz'])('is ignored: %s', async (requestLine) => {
    expect(await sendRaw(site.url, requestLine, H2C)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('is ignored at a chat completion, which is served', async () => {
    const { key } = await site.addUser()
    const headers = [...H2C, `authorization: Bearer ${key}`, 'content-type: application/json']

    const response = await sendRaw(site.url, 'POST /v1/chat/completions', headers, CHAT)

    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(response).toContain('"chat.completion"')
  })

  it('is ignored at the path of realtime sessions', async () => {
    expect(await sendRaw(site.url, 'GET /v1/realtime?model=x', H2C)).toMatch(/^HTTP\/1\.1 400 /)
  })
})

it.each(['GET /v1/models', 'GET /api/status', 'GET /v1/chat/completions'])(
  'ignores a websocket offer where there is none: %s',
  async (requestLine) => {
    const served = await sendRaw(site.url, requestLine, ['connection: close'])
    const offered = await sendRaw(site.url, requestLine, WEBSOCKET)

    expect(offered.split('\r\n')[0]).toBe(served.split('\r\n')[0])
  },
)

it('ignores offers to upgrade in a process of each role and in nginx', async () => {
  const own = await openSite()
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => own.close())
  const start = async (role: string) =>
    cleanup.adopt(await own.start({ args: ['--role', role] }), async (server) => void (await server.stop()))
  const [gateway, control, worker] = [await start('gateway'), await start('control'), await start('worker')]
  const edge = cleanup.adopt(
    await startEdge({ gateways: [gateway.url, gateway.url], control: control.url }),
    (started) => started.stop(),
  )

  const statuses = await Promise.all(
    [
      [gateway.url, '/v1/models'],
      [control.url, '/api/status'],
      [worker.url, '/healthz'],
      [edge.url, '/v1/models'],
      [edge.url, '/api/status'],
    ].map(async ([url, path]) => (await sendRaw(url!, `GET ${path}`, H2C)).split(' ')[1]),
  )

  expect(statuses).toEqual(['401', '200', '200', '401', '200'])
})
