import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { aChannel } from '../../test/support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../../test/support/gateway.ts'
import { MemoryTasks } from '../../test/support/tasks.ts'

const IMAGE_MODEL = 'wanx-v1'
const REALTIME_MODEL = 'gpt-4o-realtime-preview'
const CLIENT = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'x-trace': 'trace-1' }
const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}
const RESPONSES: readonly (readonly [RegExp, object])[] = [
  [/chat\/completions$/, COMPLETION],
  [/embeddings$/, { data: [{ index: 0, embedding: [0] }], usage: { prompt_tokens: 1, total_tokens: 1 } }],
  [/image-synthesis$/, { output: { task_id: 'job-1', task_status: 'PENDING' } }],
  [/tasks\/job-1$/, { output: { task_status: 'SUCCEEDED', results: [{ url: 'https://files.example/1.png' }] } }],
  [/submit\/imagine$/, { code: 1, description: 'ok', result: '42' }],
  [/image-seed$/, { code: 1, description: 'ok', result: '7' }],
]

let proxy: Server
let gateway: TestGateway
const received: { path: string; headers: IncomingHttpHeaders }[] = []

beforeAll(async () => {
  proxy = await startProxy()
  const { port } = proxy.address() as AddressInfo
  const shared = {
    baseUrl: 'http://provider.invalid', // only the proxy reaches it
    setting: { proxy: ` http://127.0.0.1:${port} ` },
    headerOverride: new Map([
      ['x-team', 'blue'],
      ['x-trace', '{client_header:x-trace}'],
    ]),
  }
  gateway = await startGateway({
    channels: [
      aChannel({ ...shared, id: 1, models: ['gpt-4o', 'text-embedding-3-small', REALTIME_MODEL] }),
      aChannel({ ...shared, id: 2, type: 17, models: [IMAGE_MODEL] }),
      aChannel({ ...shared, id: 3, type: 5, models: ['mj_imagine'] }),
    ],
    settings: { ModelPrice: { [IMAGE_MODEL]: 0.1, mj_imagine: 0.1 } },
    deadlines: { pollMs: 1 },
    tasks: new MemoryTasks(),
  })
})
afterAll(async () => {
  await gateway.close()
  proxy.closeAllConnections()
  proxy.close()
})

/** A proxy that responds in place of the provider, to tunnels as well as to plain requests. */
async function startProxy(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://provider.invalid').pathname
    received.push({ path, headers: request.headers })
    const body = RESPONSES.find(([pattern]) => pattern.test(path))?.[1]
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  server.on('connect', (_request, socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    server.emit('connection', socket)
  })
  new WebSocketServer({ server }).on('connection', (socket, { headers }) => {
    received.push({ path: '/v1/realtime', headers })
    socket.close(1000)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const post = (path: string, body: object) =>
  gateway.send({ method: 'POST', path, headers: CLIENT, body: JSON.stringify(body) })

async function openSession() {
  const url = `${gateway.url.replace('http', 'ws')}/v1/realtime?model=${REALTIME_MODEL}`
  const socket = new WebSocket(url, ['realtime'], { headers: CLIENT })
  await once(socket, 'close')
}

const probe = (model: string) =>
  gateway.gateway.probe({ channelId: 1, model, stream: false, signal: new AbortController().signal })

const OF_CLIENT = { 'x-trace': 'trace-1' }

it.each<[string, { send: () => Promise<unknown>; path: string; copied?: object }]>([
  [
    'a chat',
    {
      send: () => post('/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
      path: '/v1/chat/completions',
      copied: OF_CLIENT,
    },
  ],
  [
    'an operation',
    {
      send: () => post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }),
      path: '/v1/embeddings',
      copied: OF_CLIENT,
    },
  ],
  [
    'a poll of an operation',
    {
      send: () => post('/v1/images/generations', { model: IMAGE_MODEL, prompt: 'a gate' }),
      path: '/api/v1/tasks/job-1',
      copied: OF_CLIENT,
    },
  ],
  [
    'a task submission',
    { send: () => post('/mj/submit/imagine', { prompt: 'a gate' }), path: '/mj/submit/imagine', copied: OF_CLIENT },
  ],
  [
    'a task result',
    {
      send: () => gateway.send({ path: '/mj/task/42/image-seed', headers: CLIENT }),
      path: '/mj/task/42/image-seed',
      copied: OF_CLIENT,
    },
  ],
  ['a realtime session', { send: openSession, path: '/v1/realtime', copied: OF_CLIENT }],
  ['a chat probe', { send: () => probe('gpt-4o'), path: '/v1/chat/completions' }],
  ['an embedding probe', { send: () => probe('text-embedding-3-small'), path: '/v1/embeddings' }],
])('sends %s with the base headers and header override, through the proxy', async (_kind, { send, path, copied }) => {
  received.length = 0

  await send()

  expect(received.at(-1)).toMatchObject({
    path,
    headers: { 'user-agent': 'tidegate', 'accept-encoding': 'identity', 'x-team': 'blue', ...copied },
  })
})
