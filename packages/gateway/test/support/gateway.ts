import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Settings } from '@tidegate/contract'
import { createRequestSigner, createUpstreamClient } from '@tidegate/providers'
import { createGateway, type Gateway } from '../../src/gateway.ts'
import type {
  AttemptDeadlines,
  CallerRecord,
  CatalogChannel,
  GatewayEvent,
  Limiter,
  Ports,
  ShadowRow,
} from '../../src/ports/index.ts'
import { aCaller, aCatalog } from './catalog.ts'
import { MemoryCredit } from './credit.ts'

export interface TestGateway {
  readonly url: string
  readonly gateway: Gateway
  readonly credit: MemoryCredit
  readonly events: GatewayEvent[]
  readonly contents: Parameters<NonNullable<Ports['recordContent']>>[0][]
  readonly shadows: ShadowRow[]
  readonly errors: object[]
  send(request: TestRequest): Promise<TestResponse>
  /** Posts a chat and waits for the whole response. */
  chat(body: object, headers?: OutgoingHttpHeaders): Promise<TestResponse>
  /** Posts a chat and returns when the headers arrive. */
  open(body: object): Promise<OpenTestResponse>
  /** Replaces the channels, as a change of the operator does. */
  setChannels(channels: readonly CatalogChannel[]): void
  /** Changes the caller of `KEY`, or deletes its token; call `recheck` to notify the gateway. */
  setCaller(caller: Partial<CallerRecord> | undefined): void
  /** Closes every client connection. */
  dropClients(): void
  close(): Promise<void>
}

interface TestRequest {
  method?: string
  path: string
  headers?: OutgoingHttpHeaders
  body?: string | Buffer
}

export interface TestResponse {
  status: number
  headers: IncomingMessage['headers']
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
  json: any
  /** The gateway's own error code, for any protocol. */
  code: string | undefined
  /** The `data:` texts of a stream. */
  data: string[]
}

export interface OpenTestResponse {
  response: IncomingMessage
  disconnect(): void
}

interface Options {
  channels: readonly CatalogChannel[]
  settings?: Partial<Settings>
  caller?: Partial<CallerRecord>
  /** Other callers by their API token. */
  otherCallers?: Readonly<Record<string, Partial<CallerRecord>>>
  /** Runs before a caller is looked up; a test can wait in it, or throw. */
  beforeFind?: () => Promise<void>
  deadlines?: Partial<AttemptDeadlines>
  limiter?: Limiter
  users?: Ports['users']
  accounts?: Ports['accounts']
  tasks?: Ports['tasks']
  responses?: Ports['responses']
  conversations?: Ports['conversations']
  disable?: Ports['disable']
  flag?: Ports['flag']
  recordError?: Ports['recordError']
  recordRejectedAddress?: Ports['recordRejectedAddress']
  fetchMedia?: Ports['fetchMedia']
  /** True by default, because test upstreams listen on this machine. */
  allowPrivateAddresses?: boolean
  /** Always 0.5 by default. */
  random?: Ports['random']
  /** The time of the test; now by default. */
  startsAt?: Date
}

export const KEY = 'sk-abcdefghijklmnopqrstuvwxyz'

/** The gateway on a real HTTP server, with credit and catalog in memory. */
export async function startGateway(options: Options): Promise<TestGateway> {
  const {
    channels,
    settings,
    caller,
    otherCallers,
    beforeFind,
    deadlines,
    startsAt,
    random = () => 0.5,
    allowPrivateAddresses = true,
    ...ports
  } = options
  const callers = new Map(Object.entries({ [KEY]: caller, ...otherCallers }))
  /** The same record until the caller changes, as in the cache of the product. */
  const records = new Map<object | undefined, CallerRecord>()
  const recordOf = (fields: Partial<CallerRecord> | undefined) => {
    const record = records.get(fields) ?? aCaller(fields)
    records.set(fields, record)
    return record
  }
  const aheadMs = startsAt ? startsAt.getTime() - Date.now() : 0
  const credit = new MemoryCredit()
  const events: GatewayEvent[] = []
  const contents: TestGateway['contents'] = []
  const shadows: ShadowRow[] = []
  const errors: object[] = []
  const upstream = createUpstreamClient({ allowPrivateAddresses })
  let catalog = aCatalog(channels, settings)
  const parts: Ports = {
    ...ports,
    callers: {
      async find(key) {
        await beforeFind?.()
        return callers.has(`sk-${key}`) ? recordOf(callers.get(`sk-${key}`)) : undefined
      },
      findById: async (tokenId) => [...callers.values()].map(recordOf).find((record) => record.tokenId === tokenId),
    },
    catalog: () => catalog,
    credit,
    upstream,
    signing: createRequestSigner(upstream),
    clientAddress: (request) => request.socket.remoteAddress ?? '',
    now: () => Date.now() + aheadMs,
    random,
    log: { info() {}, warn() {}, error: (details) => errors.push(details) },
    recordContent: (row) => contents.push(row),
    recordShadow: (row) => shadows.push(row),
    observe: (event) => events.push(event),
    deadlines,
  }
  // One run of the suites switches the fast path off, so that the general path serves the same requests.
  const gateway = createGateway(parts, { fastPath: process.env.TIDEGATE_FAST_PATH !== 'off' })
  let count = 0
  const server = createServer({ shouldUpgradeCallback: gateway.acceptsUpgrade }, (request, response) => {
    count += 1
    void gateway.handle(request, response, `req-${count}`)
  })
  server.on('upgrade', (request, socket, head) => {
    count += 1
    void gateway.upgrade(request, socket, head, `req-${count}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const start = ({ method = 'GET', path, headers = {}, body }: TestRequest) => {
    const request = httpRequest(url + path, { method, headers, agent: false })
    request.on('error', () => {}) // some tests disconnect
    request.end(body)
    return request
  }
  const post = (body: object, headers: OutgoingHttpHeaders = {}): TestRequest => ({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const send = async (request: TestRequest) => readResponse(await responseTo(start(request)))

  return {
    url,
    gateway,
    credit,
    events,
    contents,
    shadows,
    errors,
    send,
    chat: (body, headers) => send(post(body, headers)),
    async open(body) {
      const request = start(post(body))
      const response = await responseTo(request)
      response.on('error', () => {})
      return { response, disconnect: () => request.destroy() }
    },
    setCaller(changed) {
      if (changed) callers.set(KEY, changed)
      else callers.delete(KEY)
    },
    setChannels: (changed) => (catalog = aCatalog(changed, settings)),
    dropClients: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections()
      server.close()
      await upstream.close()
    },
  }
}

function responseTo(request: ReturnType<typeof httpRequest>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
}

async function readResponse(response: IncomingMessage): Promise<TestResponse> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const isJson = (response.headers['content-type'] ?? '').includes('json')
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as unknown) : undefined,
    code: response.headers['x-tidegate-error'] as string | undefined,
    data: [...text.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]!),
  }
}
