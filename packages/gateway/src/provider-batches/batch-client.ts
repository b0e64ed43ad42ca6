import { Readable } from 'node:stream'
import { type JsonObject, parseJsonObject } from '@tidegate/dialects'
import {
  type BatchApi,
  type ChannelRequest,
  checkStatus,
  endpoint,
  FAILURES,
  readChunks,
  readJsonText,
  targetOf,
  type UpstreamBatch,
  upstreamRequest,
  type UpstreamResponse,
} from '@tidegate/providers'
import type { CatalogChannel, Ports } from '../ports/index.ts'

type ClientPorts = Pick<Ports, 'upstream' | 'signing'>

interface Account {
  readonly channel: CatalogChannel
  readonly key: string
  readonly api: BatchApi
  readonly signal: AbortSignal
}

/** The lines of a batch as the provider receives them. Read twice: for the length, and to be sent. */
export type WriteLines = () => AsyncIterable<string>

const DEADLINES = { firstByteMs: 60_000, idleMs: 60_000 }
/** Once it has all requests, the provider may check them before it responds. */
const PAYLOAD_DEADLINES = { firstByteMs: 600_000, idleMs: 60_000 }
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024
const MAX_PAGES = 10

/** Calls the batch API of one account. Throws an UpstreamFailure if a request fails. */
export class BatchClient {
  readonly #ports: ClientPorts
  readonly #account: Account

  constructor(ports: ClientPorts, account: Account) {
    this.#ports = ports
    this.#account = account
  }

  /** Sends the lines. Returns the response, with the id of the file or the batch. Undefined if they are too long. */
  async sendLines(write: WriteLines): Promise<JsonObject | undefined> {
    const { payload, maxBytes } = this.#account.api
    const { path, type, before, between, after } = payload
    let length = Buffer.byteLength(before) + Buffer.byteLength(after)
    let count = 0
    for await (const line of write()) {
      length += Buffer.byteLength(line) + (count > 0 ? Buffer.byteLength(between) : 0)
      count += 1
      if (length > maxBytes) return undefined
    }
    const body = async function* () {
      yield before
      let isFirst = true
      for await (const line of write()) {
        yield isFirst ? line : between + line
        isFirst = false
      }
      yield after
    }
    return this.#call('POST', path, {
      headers: { 'content-type': type, 'content-length': String(length) },
      bodyStream: Readable.from(body(), { objectMode: false }),
      deadlines: PAYLOAD_DEADLINES,
    })
  }

  create(path: string, body: JsonObject): Promise<JsonObject> {
    return this.#call('POST', path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      deadlines: PAYLOAD_DEADLINES,
    })
  }

  async show(id: string): Promise<UpstreamBatch> {
    const { api } = this.#account
    return api.read(await this.#call('GET', api.statusPath(id)))
  }

  async cancel(id: string): Promise<void> {
    await this.#call('POST', this.#account.api.cancelPath(id))
  }

  /** Batches of the account that were created after a time, newest first. */
  async listSince(time: Date): Promise<UpstreamBatch[]> {
    const { api } = this.#account
    const found: UpstreamBatch[] = []
    let after = ''
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { data, has_more: hasMore } = await this.#call('GET', api.listPath(after))
      const batches = (Array.isArray(data) ? (data as JsonObject[]) : []).map((body) => api.read(body))
      const recent = batches.filter(({ createdAt }) => createdAt >= time)
      found.push(...recent)
      const last = recent.at(-1)
      if (hasMore !== true || !last || recent.length < batches.length) break
      after = last.id
    }
    return found
  }

  /** The content of a file of results, as it arrives. */
  async *read(path: string): AsyncGenerator<Uint8Array, void> {
    const response = await this.#open('GET', path)
    try {
      yield* readChunks(response)
    } finally {
      response.finish()
    }
  }

  async #call(method: 'GET' | 'POST', path: string, request: CallOptions = {}): Promise<JsonObject> {
    const json = parseJsonObject(await readJsonText(await this.#open(method, path, request), MAX_RESPONSE_BYTES))
    if (!json) throw FAILURES.unreadable()
    return json
  }

  async #open(
    method: 'GET' | 'POST',
    path: string,
    { deadlines = DEADLINES, ...request }: CallOptions = {},
  ): Promise<UpstreamResponse> {
    const { channel, key, api, signal } = this.#account
    const outgoing = await upstreamRequest(this.#ports, channel, {
      ...request,
      target: targetOf(channel, { key, model: '' }),
      url: endpoint(channel.baseUrl || api.home, path),
      method,
    })
    const response = await this.#ports.upstream.open({ ...outgoing, deadlines, signal })
    await checkStatus(response)
    return response
  }
}

interface CallOptions extends Pick<ChannelRequest, 'headers' | 'body' | 'bodyStream'> {
  readonly deadlines?: { readonly firstByteMs: number; readonly idleMs: number }
}
