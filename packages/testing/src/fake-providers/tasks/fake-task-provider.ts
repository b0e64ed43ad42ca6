import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { imageProtocol, seedResponse } from './image-tasks.ts'
import { musicProtocol } from './music.ts'
import { type TaskAction, membersOf, type TaskRequest, textOf, type TaskProtocol } from './protocol.ts'
import {
  type FakeTask,
  type FakeTaskKind,
  type PollScript,
  type SubmissionScript,
  FakeTaskStore,
  type TaskStep,
} from './task-store.ts'
import { formFields, videoProtocol } from './videos.ts'

export interface ReceivedSubmission extends TaskRequest {
  readonly kind: FakeTaskKind
  readonly action: string
  /** Undefined if the submission was rejected. */
  readonly upstreamId: string | undefined
}

export interface ReceivedPoll extends TaskRequest {
  readonly kind: FakeTaskKind
  readonly ids: readonly string[]
}

export interface FakeTaskProvider {
  /** Without a path: `http://127.0.0.1:<port>`. */
  readonly url: string
  /** The only valid key, in the header of each kind of task. */
  readonly key: string
  /** Submissions with a valid key, including rejected ones. */
  readonly submissions: readonly ReceivedSubmission[]
  readonly polls: readonly ReceivedPoll[]
  /** Requests rejected for their key. */
  readonly rejectedRequests: readonly TaskRequest[]
  /** Scripts of the next submissions of any kind, in order of arrival. */
  nextSubmission(...scripts: SubmissionScript[]): FakeTaskProvider
  nextInquiry(...scripts: PollScript[]): FakeTaskProvider
  /** Advances a task; the next poll shows it. */
  advance(upstreamId: string, step: TaskStep): FakeTaskProvider
  /** The current task object in the provider's format. */
  taskObject(upstreamId: string): Record<string, unknown>
  /** Sends the task to the `notifyHook` of its submission, with these members replaced. Throws without a hook. */
  callBack(upstreamId: string, changes?: Record<string, unknown>): Promise<{ status: number; body: string }>
  close(): Promise<void>
}

const TASK_PROTOCOLS: readonly TaskProtocol[] = [imageProtocol, musicProtocol, videoProtocol]

/**
 * Starts a provider of images, songs and videos on the loopback address. Tests advance its tasks. Results are served
 * under `/images/` and `/songs/`.
 */
export async function fakeTaskProvider({ key = 'provider-key' }: { key?: string } = {}): Promise<FakeTaskProvider> {
  const store = new FakeTaskStore()
  const submissions: ReceivedSubmission[] = []
  const polls: ReceivedPoll[] = []
  const rejectedRequests: TaskRequest[] = []
  const submissionScripts: SubmissionScript[] = []
  const inquiryScripts: PollScript[] = []

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await receive(incoming)
    if (request.method === 'GET' && serveFile(request.path, response)) return
    for (const protocol of TASK_PROTOCOLS) {
      const action = protocol.actionOf(request)
      if (!action) continue
      if (protocol.keyOf(request.headers) === key) return handleAction(protocol, action, request, response)
      rejectedRequests.push(request)
      return reply(response, 401, protocol.errorBody(401, 'This key is not known.'))
    }
    reply(response, 404, { message: 'Not found.' })
  }

  function handleAction(
    protocol: TaskProtocol,
    action: TaskAction,
    request: TaskRequest,
    response: ServerResponse,
  ): void {
    switch (action.kind) {
      case 'submit':
        return submit(protocol, action, request, response)
      case 'inquiry':
        return poll(protocol, action.ids, request, response)
      case 'seed':
        return reply(response, 200, seedResponse(store.find('drawing', action.id)))
      case 'content': {
        const made = store.find('video', action.id)?.status === 'SUCCESS'
        if (made) return send(response, 'video/mp4', FAKE_VIDEO)
        return reply(response, 404, protocol.errorBody(404, 'The video is not ready.'))
      }
    }
  }

  function submit(
    protocol: TaskProtocol,
    { action, about }: Extract<TaskAction, { kind: 'submit' }>,
    request: TaskRequest,
    response: ServerResponse,
  ): void {
    const { kind } = protocol
    const script = submissionScripts.shift() ?? {}
    const isUnknown = about !== undefined && !store.find(kind, about)
    const isAccepted =
      !isUnknown && script.httpStatus === undefined && script.body === undefined && protocol.isAccepted(script.code)
    const submission = { ...membersOf(request.body), ...formFields(request) }
    const task = isAccepted ? store.add({ id: script.id ?? protocol.newId(), kind, action, submission }) : undefined
    submissions.push({ ...request, kind, action, upstreamId: task?.id })
    if (isUnknown) return reply(response, 404, protocol.errorBody(404, 'There is no such task.'))
    respond(protocol, script, response, () => protocol.submitResponse({ task, script, call: request, url }))
  }

  function poll(protocol: TaskProtocol, ids: readonly string[], request: TaskRequest, response: ServerResponse): void {
    polls.push({ ...request, kind: protocol.kind, ids })
    const tasks = ids.map((id) => store.find(protocol.kind, id)).filter((task): task is FakeTask => task !== undefined)
    respond(protocol, inquiryScripts.shift() ?? {}, response, () => protocol.pollResponse(tasks, request, url))
  }

  function taskObject(upstreamId: string): Record<string, unknown> {
    const task = store.get(upstreamId)
    return TASK_PROTOCOLS.find(({ kind }) => kind === task.kind)!.taskObject(task, url)
  }

  const provider: FakeTaskProvider = {
    url,
    key,
    submissions,
    polls,
    rejectedRequests,
    nextSubmission: (...scripts) => (submissionScripts.push(...scripts), provider),
    nextInquiry: (...scripts) => (inquiryScripts.push(...scripts), provider),
    advance: (upstreamId, step) => (store.advance(upstreamId, step), provider),
    taskObject,
    async callBack(upstreamId, changes = {}) {
      const hook = textOf(store.get(upstreamId).submission.notifyHook)
      if (hook === '') throw new Error(`the submission of ${upstreamId} has no notifyHook`)
      const response = await fetch(hook, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...taskObject(upstreamId), ...changes }),
      })
      return { status: response.status, body: await response.text() }
    },
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
  return provider
}

/** Sends the scripted response. */
function respond(protocol: TaskProtocol, script: PollScript, response: ServerResponse, compose: () => unknown): void {
  const { httpStatus: status, body, stall, cut, description } = script
  if (stall) return
  if (body !== undefined) return reply(response, status ?? 200, body)
  const composed =
    status === undefined ? compose() : protocol.errorBody(status, description ?? `The provider says ${status}.`)
  if (composed === undefined) return reply(response, 404, protocol.errorBody(404, 'There is no such task.'))
  if (!cut) return reply(response, status ?? 200, composed)
  const text = JSON.stringify(composed)
  response.writeHead(status ?? 200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length >> 1), () => response.destroy())
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

async function receive(request: IncomingMessage): Promise<TaskRequest> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const rawBody = Buffer.concat(parts)
  // Not parsed as a URL, which would resolve an unescaped `..`.
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

/** A valid image of one pixel. */
export const FAKE_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const FAKE_SONG = Buffer.alloc(20_000, 'the tide comes in ')
export const FAKE_VIDEO = Buffer.alloc(200_000, 'waves ')

/** Serves results of tasks without a key. Returns false for other paths. */
function serveFile(path: string, response: ServerResponse): boolean {
  if (/^\/images\/[^/]+\.png$/.test(path)) send(response, 'image/png', FAKE_IMAGE)
  else if (/^\/songs\/[^/]+\.mp3$/.test(path)) send(response, 'audio/mpeg', FAKE_SONG)
  else return false
  return true
}

function send(response: ServerResponse, type: string, bytes: Buffer): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
}
