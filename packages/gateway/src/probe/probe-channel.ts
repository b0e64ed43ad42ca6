import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { ApiError, type Log, logEvent, modelTraits, parameterRules, type ProbeResult } from '@tidegate/contract'
import { DIALECTS } from '@tidegate/dialects'
import { computeReceipt, type Usage } from '@tidegate/pricing'
import { failureFromError, providerOf, UpstreamFailure } from '@tidegate/providers'
import { canonicalSource } from '../chat/inline-media.ts'
import { sendChat } from '../chat/send-chat.ts'
import { isAccountError } from '../health/auto-disable.ts'
import { createHealth, type Health } from '../health/health.ts'
import type { AttemptDeps } from '../dispatch/run-attempts.ts'
import { receiveRequest, type ApiRequest } from '../http/api-request.ts'
import { createMeter } from '../chat/usage-meter.ts'
import { embeds, probeEmbeddings } from './probe-embeddings.ts'
import type { CatalogChannel, Ports } from '../ports/index.ts'
import { withoutSecrets } from '../http/upstream-error.ts'
import { describeError } from '../http/error-response.ts'
import type { Route, RoutePlan } from '../route/route.ts'
import { planSingleChannel } from '../route/single-channel.ts'

/** A test request to one channel. */
export interface ProbeRequest {
  readonly channelId: number
  /** Tests a channel that is not saved; replaces `channelId`. */
  readonly unsaved?: CatalogChannel
  readonly model: string
  readonly stream: boolean
  readonly signal: AbortSignal
}

/**
 * Sends a short prompt through the same steps as a client's request: mapping, prompt, override, proxy, conversion,
 * metering.
 */
export async function probeChannel(
  { ports: allPorts, health: sharedHealth }: { ports: Ports; health: Health },
  { channelId, unsaved, model, stream, signal }: ProbeRequest,
): Promise<ProbeResult> {
  // An unsaved channel leaves no trace in circuits and metrics.
  const ports = unsaved ? { ...allPorts, observe: undefined } : allPorts
  const health = unsaved ? createHealth(ports) : sharedHealth
  const catalog = ports.catalog()
  const channel = unsaved ?? catalog.channels.get(channelId)
  const startedAt = ports.now()
  const incoming = receiveRequest({ ...ports, clientAddress: () => '' }, ...probeCaller(), randomUUID())
  const stop = () => incoming.stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const deps = { ports, catalog, acquireKey: health.acquireKey, onFailure: () => undefined }
    const isEmbedding = embeds(model, channel?.type)
    const operation = isEmbedding ? 'embeddings' : undefined
    const plan = planSingleChannel(catalog, { channelId, unsaved, model, operation })
    const { route, usage } = isEmbedding
      ? await probeEmbeddings(deps, incoming, { model, plan })
      : await probeChat(deps, incoming, { model, plan, stream })
    const { quota } = computeReceipt(route.price, usage, new Date(startedAt))
    return { ok: true, message: '', milliseconds: ports.now() - startedAt, usage, quota }
  } catch (error) {
    return {
      ...describeFailure(error, channel, ports.log),
      milliseconds: ports.now() - startedAt,
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Sends a prompt to one channel and reads the whole response. */
async function probeChat(
  deps: AttemptDeps,
  incoming: ApiRequest,
  { model, plan, stream }: { model: string; plan: RoutePlan; stream: boolean },
): Promise<{ route: Route; usage: Usage }> {
  const dialect = DIALECTS['openai-chat']
  const request = dialect.readRequest(JSON.stringify(probeBody(model, stream)))
  const canonical = canonicalSource(dialect, request, deps.ports.fetchMedia)
  const { route, opening, lease } = await sendChat(deps, incoming, { request, canonical, plan, attempts: 1 })
  const meter = createMeter({ model: route.model, prompt: () => dialect.promptParts(request), promptTokens: 1 })
  try {
    await readAll(opening, meter)
  } finally {
    lease.end()
  }
  return { route, usage: await meter.total() }
}

/** For an administrator: the provider's message, which clients may not see, without the keys. */
function describeFailure(
  error: unknown,
  channel: CatalogChannel | undefined,
  log: Log,
): Pick<ProbeResult, 'ok' | 'message' | 'status' | 'keyRejected'> {
  const failure = error instanceof UpstreamFailure && error.cause instanceof UpstreamFailure ? error.cause : error
  if (!(failure instanceof UpstreamFailure || failure instanceof ApiError)) {
    logEvent(log, 'channel.probe_failed', { err: error, channelId: channel?.id })
  }
  const { message } = describeError(failure, 'zh').error
  const safeMessage = channel ? withoutSecrets(message, channel, channel.keys) : message
  if (!(failure instanceof UpstreamFailure) || !channel) return { ok: false, message: safeMessage }
  const outcome = providerOf(channel.type).classify(failure)
  return { ok: false, message: safeMessage, status: failure.status, keyRejected: isAccountError({ outcome, failure }) }
}

async function readAll(
  opening: Awaited<ReturnType<typeof sendChat>>['opening'],
  meter: ReturnType<typeof createMeter>,
): Promise<void> {
  if (opening.kind === 'whole') {
    for (const event of opening.decoded) meter.add(event)
    return
  }
  const { held, events } = opening
  for (let frames: typeof held | undefined = held; frames; frames = await events.next()) {
    for (const event of frames.flatMap((frame) => frame.events)) {
      if (event.type === 'error') {
        events.abort()
        throw failureFromError(event.error, event.status)
      }
      meter.add(event)
      if (event.type === 'done') return events.finish()
    }
  }
}

const PROBE_TOKENS = 10

/** A short prompt with a low output limit. Reasoning models need a higher one. */
function probeBody(model: string, stream: boolean) {
  const messages = [{ role: 'user', content: 'hi' }]
  const { probeTokens = PROBE_TOKENS } = modelTraits(model)
  const { maxTokens: name = 'max_tokens' } = parameterRules(model)
  return { model, stream, messages, ...(probeTokens > 0 && { [name]: probeTokens }) }
}

/** A request and a response without a client, so that a probe takes the path of any request. */
function probeCaller(): [IncomingMessage, ServerResponse] {
  const request = new IncomingMessage(new Socket())
  request.method = 'POST'
  request.url = '/v1/chat/completions'
  return [request, new ServerResponse(request)]
}
