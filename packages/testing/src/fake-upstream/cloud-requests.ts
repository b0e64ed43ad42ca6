import type { IncomingHttpHeaders } from 'node:http'
import { crc32 } from 'node:zlib'
import { nameSet, requireThat } from './checks.ts'
import type { Cloud, ReceivedRequest, UpstreamEvent } from './types.ts'

type Wire = Pick<ReceivedRequest, 'path' | 'headers' | 'body'>
type JsonObject = Readonly<Record<string, unknown>>

interface CloudRequest {
  readonly cloud?: Cloud
  /** The request as the company itself would receive it. */
  readonly wire: Wire
}

/** Converts a request to a cloud to the one that the cloud sends to the model. */
export function readCloudRequest(wire: Wire): CloudRequest {
  const { path, headers } = wire
  const body = (wire.body ?? {}) as JsonObject
  const bearer = headers.authorization?.replace(/^Bearer /, '')

  const [, deployment, call] = AZURE.exec(path) ?? []
  if (deployment !== undefined) {
    const named = { ...headers, authorization: `Bearer ${String(headers['api-key'])}` }
    return { cloud: 'azure', wire: { path: `/v1/${call}`, headers: named, body: wire.body } }
  }
  const [, bedrockModel, action] = BEDROCK.exec(path) ?? []
  if (bedrockModel !== undefined) {
    const { anthropic_beta: betas = [], anthropic_version: version, ...rest } = body
    const stream = action === 'invoke-with-response-stream'
    const [, accessKey] = AMAZON_KEY.exec(headers.authorization ?? '') ?? []
    return {
      cloud: 'bedrock',
      wire: messagesRequest({ ...rest, model: bedrockModel, stream }, headers, {
        'x-api-key': accessKey,
        'anthropic-version': version as string,
        'anthropic-beta': (betas as string[]).join(),
      }),
    }
  }
  const [, publisher, model = '', method = ''] = VERTEX.exec(path) ?? []
  if (publisher === 'google') {
    const named = { ...headers, 'x-goog-api-key': bearer }
    return { cloud: 'vertex-gemini', wire: { path: `/v1/models/${model}:${method}`, headers: named, body: wire.body } }
  }
  if (publisher === 'anthropic') {
    const { anthropic_version: version, ...rest } = body
    return {
      cloud: 'vertex-claude',
      wire: messagesRequest({ ...rest, model }, headers, {
        'x-api-key': bearer,
        'anthropic-version': version as string,
      }),
    }
  }
  return { wire }
}

const messagesRequest = (body: JsonObject, headers: IncomingHttpHeaders, own: IncomingHttpHeaders): Wire => ({
  path: '/v1/messages',
  headers: { ...headers, ...own },
  body,
})

const AZURE = /^\/openai\/deployments\/([^/]+)\/(.+)$/
const BEDROCK = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream)$/
const AMAZON_KEY = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[a-z0-9-]+\/bedrock\/aws4_request/
const VERTEX = /^\/v1\/projects\/[^/]+\/locations\/[^/]+\/publishers\/(google|anthropic)\/models\/([^/:]+):(\w+)$/

/** Rejects what the cloud rejects before the model reads it. */
export function checkCloud({ cloud, headers, query, body, rawBody }: ReceivedRequest): void {
  if (cloud === 'azure') requireThat(query.get('api-version'), 'api-version: the query parameter is required')
  if (cloud !== 'bedrock' && cloud !== 'vertex-claude') return
  const version = cloud === 'bedrock' ? 'bedrock-2023-05-31' : 'vertex-2023-10-16'
  requireThat(headers['anthropic-version'] === version, `anthropic_version: must be ${version}`)
  const sent = JSON.parse(rawBody.toString('utf8')) as JsonObject
  for (const member of cloud === 'bedrock' ? ['model', 'stream'] : ['model'])
    requireThat(!(member in sent), `${member}: Extra inputs are not permitted`)
  const betas = String(headers['anthropic-beta'] ?? '')
    .split(',')
    .filter(Boolean)
  for (const beta of betas) requireThat(BETAS[cloud].has(beta), `invalid beta flag`)
  const hasBeta = (name: string) => betas.some((beta) => beta.startsWith(name))
  const { context_management: management, tools = [] } = (body ?? {}) as { context_management?: unknown; tools?: [] }
  requireThat(
    management === undefined || hasBeta('context-management-') || hasBeta('compact-'),
    'context_management: Extra inputs are not permitted',
  )
  for (const [index, tool] of tools.entries()) {
    const isPlain = hasBeta('tool-search-tool-') || !('defer_loading' in tool)
    requireThat(isPlain, `tools.${index}.custom.defer_loading: Extra inputs are not permitted`)
  }
}

const SHARED_BETAS = `
  compact-2026-01-12 computer-use-2025-01-24 computer-use-2025-11-24 context-1m-2025-08-07
  context-management-2025-06-27 dangerous-tool-use-2026-09-03 thinking-binding-controls-2026-08-01
  thinking-display-updates-2026-08-18 tool-search-tool-2025-10-19
`
const BETAS = {
  bedrock: nameSet(`${SHARED_BETAS} effort-2025-11-24 fine-grained-tool-streaming-2025-05-14
    mid-conversation-output-config-2026-07-01 mid-conversation-tool-changes-2026-07-01`),
  'vertex-claude': nameSet(`${SHARED_BETAS} compact-2026-09-04 interleaved-thinking-2025-05-14
    per-turn-control-2026-07-01 web-search-2025-03-05`),
}

/** One event in Amazon's frame: lengths, their checksum, headers, the body, and a checksum of everything. */
export function amazonFrame({ data }: Pick<UpstreamEvent, 'data'>): Buffer {
  const body = Buffer.from(JSON.stringify({ bytes: Buffer.from(data).toString('base64') }))
  const headers = frameHeader(':message-type', 'event')
  const frame = Buffer.alloc(12 + headers.length + body.length + 4)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(headers.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  headers.copy(frame, 12)
  body.copy(frame, 12 + headers.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4)
  return frame
}

function frameHeader(name: string, value: string): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(value.length)
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, Buffer.from(value)])
}
