import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { drawingWords, seedAnswer } from './drawings.ts'
import { musicWords } from './music.ts'
import { type Matter, membersOf, type TaskCall, textOf, type VendorWords } from './protocol.ts'
import {
  type FakeTask,
  type FakeTaskKind,
  type InquiryScript,
  type OrderScript,
  TaskShelf,
  type TaskStep,
} from './task-store.ts'
import { formFields, videoWords } from './videos.ts'

export interface ReceivedOrder extends TaskCall {
  readonly kind: FakeTaskKind
  readonly action: string
  /** Undefined for an order that was not taken. */
  readonly vendorId: string | undefined
}

export interface ReceivedInquiry extends TaskCall {
  readonly kind: FakeTaskKind
  readonly ids: readonly string[]
}

export interface FakeTaskVendor {
  /** Without a path: `http://127.0.0.1:<port>`. */
  readonly url: string
  /** The only key it knows, in the header of each kind of task. */
  readonly key: string
  /** Orders with the right key, also those it refused. */
  readonly orders: readonly ReceivedOrder[]
  readonly inquiries: readonly ReceivedInquiry[]
  /** Calls that were refused for their key. */
  readonly strangers: readonly TaskCall[]
  /** What becomes of the next orders, in order of arrival and of whatever kind. */
  nextOrder(...scripts: OrderScript[]): FakeTaskVendor
  nextInquiry(...scripts: InquiryScript[]): FakeTaskVendor
  /** Moves a task on, which is told to whoever asks next. */
  advance(vendorId: string, step: TaskStep): FakeTaskVendor
  /** The task in the vendor's own words, as it stands. */
  taskWords(vendorId: string): Record<string, unknown>
  /** Sends the task to the `notifyHook` of its order, with some words put differently. Throws where there was none. */
  callBack(vendorId: string, words?: Record<string, unknown>): Promise<{ status: number; body: string }>
  close(): Promise<void>
}

const VENDORS: readonly VendorWords[] = [drawingWords, musicWords, videoWords]

/**
 * Starts a vendor of drawings, songs and videos on the loopback address. Tasks stand still until a test moves them on.
 * What it made it serves under `/images/` and `/songs/`, and what no caller should swallow under `/files/`.
 */
export async function fakeTaskVendor({ key = 'vendor-key' }: { key?: string } = {}): Promise<FakeTaskVendor> {
  const shelf = new TaskShelf()
  const orders: ReceivedOrder[] = []
  const inquiries: ReceivedInquiry[] = []
  const strangers: TaskCall[] = []
  const orderScripts: OrderScript[] = []
  const inquiryScripts: InquiryScript[] = []

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await receive(request)
    if (call.method === 'GET' && serveFile(call.path, response)) return
    for (const words of VENDORS) {
      const matter = words.matterOf(call)
      if (!matter) continue
      if (words.keyOf(call.headers) === key) return answerMatter(words, matter, call, response)
      strangers.push(call)
      return reply(response, 401, words.errorBody(401, 'This key is not known.'))
    }
    reply(response, 404, { message: 'There is nothing here.' })
  }

  function answerMatter(words: VendorWords, matter: Matter, call: TaskCall, response: ServerResponse): void {
    switch (matter.kind) {
      case 'order':
        return takeOrder(words, matter, call, response)
      case 'inquiry':
        return tell(words, matter.ids, call, response)
      case 'seed':
        return reply(response, 200, seedAnswer(shelf.find('drawing', matter.id)))
      case 'content': {
        const made = shelf.find('video', matter.id)?.status === 'SUCCESS'
        if (made) return send(response, 'video/mp4', FAKE_VIDEO)
        return reply(response, 404, words.errorBody(404, 'The video is not ready.'))
      }
    }
  }

  function takeOrder(
    words: VendorWords,
    { action, about }: Extract<Matter, { kind: 'order' }>,
    call: TaskCall,
    response: ServerResponse,
  ): void {
    const { kind } = words
    const script = orderScripts.shift() ?? {}
    const isUnknown = about !== undefined && !shelf.find(kind, about)
    const isTaken =
      !isUnknown && script.httpStatus === undefined && script.body === undefined && words.isTaken(script.code)
    const order = { ...membersOf(call.body), ...formFields(call) }
    const task = isTaken ? shelf.add({ id: script.id ?? words.newId(), kind, action, order }) : undefined
    orders.push({ ...call, kind, action, vendorId: task?.id })
    if (isUnknown) return reply(response, 404, words.errorBody(404, 'There is no such task.'))
    play(words, script, response, () => words.orderAnswer({ task, script, call, url }))
  }

  function tell(words: VendorWords, ids: readonly string[], call: TaskCall, response: ServerResponse): void {
    inquiries.push({ ...call, kind: words.kind, ids })
    const tasks = ids.map((id) => shelf.find(words.kind, id)).filter((task): task is FakeTask => task !== undefined)
    play(words, inquiryScripts.shift() ?? {}, response, () => words.inquiryAnswer(tasks, call, url))
  }

  function taskWords(vendorId: string): Record<string, unknown> {
    const task = shelf.get(vendorId)
    return VENDORS.find(({ kind }) => kind === task.kind)!.taskWords(task, url)
  }

  const vendor: FakeTaskVendor = {
    url,
    key,
    orders,
    inquiries,
    strangers,
    nextOrder: (...scripts) => (orderScripts.push(...scripts), vendor),
    nextInquiry: (...scripts) => (inquiryScripts.push(...scripts), vendor),
    advance: (vendorId, step) => (shelf.advance(vendorId, step), vendor),
    taskWords,
    async callBack(vendorId, words = {}) {
      const hook = textOf(shelf.get(vendorId).order.notifyHook)
      if (hook === '') throw new Error(`the order of ${vendorId} came without a notifyHook`)
      const response = await fetch(hook, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...taskWords(vendorId), ...words }),
      })
      return { status: response.status, body: await response.text() }
    },
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
  return vendor
}

/** Says what is to be said, in the way the script wants it said. */
function play(words: VendorWords, script: InquiryScript, response: ServerResponse, say: () => unknown): void {
  const { httpStatus: status, body, stall, cut, description } = script
  if (stall) return
  if (body !== undefined) return reply(response, status ?? 200, body)
  const said = status === undefined ? say() : words.errorBody(status, description ?? `The vendor says ${status}.`)
  if (said === undefined) return reply(response, 404, words.errorBody(404, 'There is no such task.'))
  if (!cut) return reply(response, status ?? 200, said)
  const text = JSON.stringify(said)
  response.writeHead(status ?? 200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length >> 1), () => response.destroy())
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

async function receive(request: IncomingMessage): Promise<TaskCall> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const rawBody = Buffer.concat(parts)
  // Not read as an address, which would make `..` of what a caller failed to escape look harmless.
  const [path = '/'] = (request.url ?? '/').split('?')
  const { method = '', headers } = request
  return { method, path, headers, rawBody, body: parseJson(rawBody) }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

/** A whole picture of one pixel. */
export const FAKE_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const FAKE_SONG = Buffer.alloc(20_000, 'the tide comes in ')
export const FAKE_VIDEO = Buffer.alloc(200_000, 'waves ')

/** Serves what a task made; no key is needed. Returns false for paths where there is no file. */
function serveFile(path: string, response: ServerResponse): boolean {
  if (/^\/images\/[^/]+\.png$/.test(path)) send(response, 'image/png', FAKE_IMAGE)
  else if (/^\/songs\/[^/]+\.mp3$/.test(path)) send(response, 'audio/mpeg', FAKE_SONG)
  else return false
  return true
}

function send(response: ServerResponse, type: string, bytes: Buffer): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
}
