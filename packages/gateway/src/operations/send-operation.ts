import { checkJsonLimits } from '@tidegate/contract'
import { parseJsonObject, patchMembers, type JsonObject } from '@tidegate/dialects'
import {
  checkStatus,
  errorInBody,
  failureFromError,
  FAILURES,
  type Operation,
  readBody,
  upstreamRequest,
  type UpstreamRequest,
  type UpstreamResponse,
} from '@tidegate/providers'
import type { ApiRequest } from '../http/api-request.ts'
import type { Catalog, Ports } from '../ports/index.ts'
import { type OperationAttempt, pollUpstream, targetFor } from './poll-upstream.ts'
import { writeForm } from '../http/form-body.ts'
import type { JsonBody } from '../http/read-body.ts'

/** A response that has begun. */
export type OperationResponse =
  | {
      readonly kind: 'whole'
      readonly status: number
      readonly headers: UpstreamResponse['headers']
      readonly body: Uint8Array
      /** The body, if it is JSON. */
      readonly json?: JsonObject
    }
  /** Audio or events, forwarded as they arrive. */
  | { readonly kind: 'stream'; readonly response: UpstreamResponse; readonly first: Uint8Array | undefined }

const RESPONSE_MS = 600_000

/** Calls one channel and waits until it begins to respond. Throws an UpstreamFailure when it does not. */
export async function sendOperation(
  { ports, catalog }: { ports: Pick<Ports, 'upstream' | 'deadlines' | 'signing' | 'fetchMedia'>; catalog: Catalog },
  { signal, request: { headers: client } }: Pick<ApiRequest, 'signal' | 'request'>,
  attempt: OperationAttempt,
): Promise<OperationResponse> {
  const request = await buildRequest({ ports, catalog }, attempt, client)
  const responseMs = ports.deadlines?.responseMs ?? RESPONSE_MS
  const response = await ports.upstream.open({
    ...request,
    signal,
    deadlines: { firstByteMs: responseMs, ...(ports.deadlines?.idleMs && { idleMs: ports.deadlines.idleMs }) },
  })
  await checkStatus(response)
  const type = response.headers['content-type'] ?? ''
  const isText = /^(application\/json|text\/(?!event-stream))/i.test(type) || type === ''
  if (!isText) return { kind: 'stream', response, first: await response.read() }
  return readWhole(response, attempt, (submitted) => pollUpstream({ ports, signal, client }, attempt, submitted))
}

async function readWhole(
  response: UpstreamResponse,
  { operation, request }: OperationAttempt,
  collect: (submitted: JsonObject) => Promise<JsonObject>,
): Promise<OperationResponse> {
  const body = await readBody(response)
  const { status, headers } = response
  const json = checkJsonLimits(body) ? undefined : parseJsonObject(body.toString('utf8'))
  if (!json) {
    // Transcriptions are plain text where the client requested that.
    if (request.work.kind !== 'audio' || body.length === 0) throw FAILURES.unreadable()
    return { kind: 'whole', status, headers, body }
  }
  const error = json.data === undefined ? errorInBody(json) : undefined
  if (error !== undefined) throw failureFromError(error)
  if (!operation.decode || request.body.kind !== 'json') return { kind: 'whole', status, headers, body, json }
  const result = operation.polling ? await collect(json) : json
  const decoded = operation.decode(result, request.body.json)
  if (!decoded) throw FAILURES.unreadable()
  return {
    kind: 'whole',
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(decoded)),
    json: decoded,
  }
}

function buildRequest(
  { ports, catalog: { settings } }: { ports: Pick<Ports, 'signing'>; catalog: Catalog },
  { request, route, operation, key }: OperationAttempt,
  client: ApiRequest['request']['headers'],
): Promise<UpstreamRequest> {
  const { channel } = route
  const target = targetFor(route, key)
  const { model } = target
  const { headers, ...body } = request.body.kind === 'json' ? json(request.body, jsonOptions()) : form()
  return upstreamRequest(ports, channel, {
    target,
    url: operation.url(target, { settings }),
    method: 'POST',
    headers: { ...headers, ...operation.polling?.headers },
    ...body,
    client,
  })

  function jsonOptions() {
    return { operation, model, override: channel.paramOverride ?? {} }
  }

  function form() {
    if (request.body.kind !== 'form') throw new TypeError('the body is no form')
    const { type, length, open } = writeForm(request.body, model)
    return { bodyStream: open(), headers: { 'content-type': type, 'content-length': String(length) } }
  }
}

/** The client's body with a few members changed, or the provider's own format. The channel's overrides come last. */
function json(
  { text, json }: JsonBody,
  { operation, model, override }: { operation: Operation; model: string; override: Readonly<Record<string, unknown>> },
) {
  const changes: Record<string, unknown> = operation.encode || json.model === model ? {} : { model }
  for (const [name, value] of Object.entries(override)) changes[name] = value === null ? undefined : value
  const body = operation.encode
    ? JSON.stringify({ ...operation.encode(json, { model }), ...changes })
    : Object.keys(changes).length === 0
      ? text
      : patchMembers(text, changes)
  return { body, headers: { 'content-type': 'application/json' } }
}
