import { isUtf8 } from 'node:buffer'
import { JsonScanner, outputTokens, type UsageReport } from '@tidegate/contract'
import { DIALECTS, openaiChat, type RequestHead, type ScannedRequest } from '@tidegate/dialects'
import { completionTokens, promptTokens as tokensRead, type Usage } from '@tidegate/pricing'
import { FAILURES, type UpstreamExchange } from '@tidegate/providers'
import type { Admission, Entry, GatewayContext } from '../admit/admit.ts'
import { filterContent, filtersContent } from '../admit/content-filter.ts'
import { releaseCredit } from '../admit/credit.ts'
import { recordSuccess, type RequestRecord } from '../admit/observe-request.ts'
import { reserveCredit, type ReservedCredit } from '../admit/reserve-credit.ts'
import { describeAttempt } from '../dispatch/failed-attempt.ts'
import { UpstreamAbort } from '../dispatch/upstream-abort.ts'
import type { AttemptLease } from '../health/health.ts'
import { readConversationId } from '../health/session-affinity.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { readSmallBody } from '../http/read-body.ts'
import { forwardedList } from '../http/response-writer.ts'
import type { RequestOutcome } from '../ports/index.ts'
import { createBilledUsage } from '../settle/billed-usage.ts'
import { isPlausible } from '../settle/plausible-usage.ts'
import { settlementOf, settleRequest } from '../settle/settle-request.ts'
import type { ChatPlan, ChatPlans, FastRoute } from './chat-plan.ts'
import { decodeWhole } from './first-content.ts'
import { type BegunChat, newId, receiveChat, TIER_HEADER } from './send-chat.ts'

/** A request that was sent already, and what aborts it. */
export interface SentChat {
  readonly abort: UpstreamAbort
  readonly begun: BegunChat
}

interface ServedRequest {
  readonly incoming: ApiRequest
  /** Serves an admitted request on the general path, from the first attempt on. */
  serveAdmitted(admission: Admission<RequestHead>, sent?: SentChat): Promise<RequestOutcome>
}

const NO_CONVERSATION = {}

/**
 * Serves a plain chat from the cached plan of its caller and model: its body is scanned, not parsed, and forwarded as
 * bytes. Undefined, without effect, for any other request. Whatever goes wrong after the request was admitted is left to
 * the general path, which continues with the same reservation.
 */
export async function serveFast(
  context: GatewayContext,
  plans: ChatPlans,
  served: ServedRequest,
  entry: Entry<RequestHead>,
): Promise<RequestOutcome | undefined> {
  const { ports } = context
  const { incoming } = served
  const { caller, group, catalog, rateLimits, clock } = entry
  const { request } = incoming
  const reading = readConversationId(request.headers, NO_CONVERSATION) === undefined && readSmallBody(request)
  if (!reading) return undefined
  const body = await reading
  incoming.body = body
  const scanned = openaiChat.scanRequest(body)
  if (!scanned || (scanned.hasWideCharacters && !isUtf8(body))) return undefined
  const { promptTokens } = scanned
  const model = body.toString('latin1', scanned.modelStart + 1, scanned.modelEnd - 1)
  const plan = plans.find(caller, group, model)
  // The general path counts a prompt near its limit.
  if (!plan || promptTokens > (rateLimits?.tokenLimit ?? Infinity) / 2) return undefined
  const fast = plan.pick(ports.random)
  if (!fast?.sender.accepts(scanned)) return undefined
  const { channel, model: upstreamModel } = fast.route
  if (context.health.coolingDown(channel, upstreamModel, caller.userId) > 0) return undefined

  const head = new PlainHead(model, scanned)
  const { known } = incoming
  known.model = model
  known.request = head
  known.catalog = catalog
  known.promptTokens = promptTokens
  known.routing = plan
  if (filtersContent(catalog.settings, group)) {
    const { log } = ports
    const texts = textsOf(body, scanned)
    const filtering = filterContent(catalog.settings, group, texts, { log, requestId: incoming.requestId })
    if (filtering) await filtering
  }
  clock.done('prompt')
  if (rateLimits) {
    await rateLimits.acquireTokens(promptTokens)
    clock.done('limits')
  }
  clock.done('route')
  const reserving = reserveCredit(ports, incoming.requestId, caller, {
    request: head,
    promptTokens,
    candidates: plan.prices,
    settings: catalog.settings,
    at: new Date(incoming.startedAt),
    prompt: () => incoming.dialect.promptParts(parseHead(incoming)),
  })
  const reserved = reserving instanceof Promise ? await reserving : reserving
  clock.done('credit')
  const chat = new FastChat(context, served, entry, { plan, fast, head, scanned, reserved })
  try {
    return await chat.serve()
  } finally {
    if (reserved.reservation.isOpen) releaseCredit(ports, reserved.reservation, incoming)
  }
}

interface AdmittedChat {
  readonly plan: ChatPlan
  readonly fast: FastRoute
  readonly head: PlainHead
  readonly scanned: ScannedRequest
  readonly reserved: ReservedCredit
}

/** One admitted plain chat. */
class FastChat {
  readonly #context: GatewayContext
  readonly #served: ServedRequest
  readonly #incoming: ApiRequest
  readonly #entry: Entry<RequestHead>
  readonly #chat: AdmittedChat

  constructor(context: GatewayContext, served: ServedRequest, entry: Entry<RequestHead>, chat: AdmittedChat) {
    this.#context = context
    this.#served = served
    this.#incoming = served.incoming
    this.#entry = entry
    this.#chat = chat
  }

  async serve(): Promise<RequestOutcome> {
    const { ports, health } = this.#context
    const { fast, head, scanned, reserved } = this.#chat
    const { route, sender } = fast
    const lease = reserved.outputLimit ? undefined : health.acquireKey(route)
    const prepared = lease && sender.requestFor(lease.key, head.stream)
    if (!lease || !prepared) {
      lease?.end()
      return this.#served.serveAdmitted(this.#admission(false))
    }
    const readMs = this.#entry.catalog.settings['billing.disconnect_read_seconds'] * 1000
    const abort = new UpstreamAbort(this.#incoming, readMs)
    const startedAt = ports.now()
    const { firstTokenMs, responseMs, idleMs } = sender.deadlines
    let exchange: UpstreamExchange
    try {
      exchange = ports.upstream.post(prepared, bodyFor(this.#incoming.body!, scanned, fast), {
        firstByteMs: head.stream ? firstTokenMs : responseMs,
        // A stream may be silent until its first content, also after its headers.
        idleMs: head.stream ? firstTokenMs : idleMs,
      })
    } catch (failure) {
      return this.#serveGeneral(abort, { lease, startedAt, receive: () => Promise.reject(failure) })
    }
    abort.markSent(route, exchange)
    if (head.stream) return this.#serveGeneral(abort, this.#receiveLater(exchange, { lease, startedAt, abort }))
    return this.#serveWhole(exchange, { lease, startedAt, abort })
  }

  async #serveWhole(exchange: UpstreamExchange, attempt: FastAttempt): Promise<RequestOutcome> {
    let body: Uint8Array | undefined
    try {
      body = await exchange.receiveWhole()
    } catch (failure) {
      attempt.abort.markFailed()
      const { lease, startedAt } = attempt
      return this.#serveGeneral(attempt.abort, { lease, startedAt, receive: () => Promise.reject(failure) })
    }
    const usage = body && scanUsage(body)
    const { promptTokens } = this.#chat.scanned
    const isBillable =
      usage &&
      outputTokens(usage) > 0 &&
      exchange.headers[TIER_HEADER] === undefined &&
      isPlausible(usage, { maxTokens: this.#chat.fast.sender.tokenCeiling, promptTokens })
    return isBillable
      ? this.#finish(exchange, body!, usage, attempt)
      : this.#serveGeneral(attempt.abort, this.#receiveLater(exchange, attempt, body))
  }

  /** Settles a complete response, and sends it. */
  async #finish(
    exchange: UpstreamExchange,
    body: Uint8Array,
    reported: UsageReport,
    { lease, startedAt, abort }: FastAttempt,
  ): Promise<RequestOutcome> {
    const { ports } = this.#context
    const incoming = this.#incoming
    const { caller, group, rateLimits, clock } = this.#entry
    const { plan, fast, head, reserved } = this.#chat
    const { route, sender } = fast
    try {
      const firstContentAt = ports.now()
      const milliseconds = firstContentAt - startedAt
      lease.report({ outcome: 'served', status: 200, milliseconds })
      ports.observe?.({
        kind: 'attempt',
        channelId: route.channel.id,
        model: route.model,
        outcome: 'served',
        status: 200,
        milliseconds,
      })
      abort.markResponded(sender)
      const attempt = {
        route,
        tried: [describeAttempt(route, sender.chatApi, milliseconds)],
        firstContentAt,
        opening: WHOLE,
      }
      const usage = billedUsage(reported, head, attempt, incoming.startedAt)
      const record: RequestRecord = {
        incoming,
        caller,
        group,
        request: head,
        attempt,
        decision: plan.decision,
        timing: clock.times,
      }
      await settleRequest(reserved.reservation, settlementOf(ports, record, usage))
      recordSuccess(ports, incoming, record, usage)
      // Before the response: a client that has it may send its next request at once.
      if (rateLimits) await rateLimits.commit(tokensRead(usage) + completionTokens(usage))
      if (incoming.writer.isClosed) return 'client-gone'
      incoming.writer.sendList(exchange.status, forwardedList(exchange.headers), body)
      return 'served'
    } finally {
      lease.end()
      abort.end()
    }
  }

  #serveGeneral(abort: UpstreamAbort, begun: BegunChat): Promise<RequestOutcome> {
    try {
      return this.#served.serveAdmitted(this.#admission(true), { abort, begun })
    } catch (error) {
      abort.end()
      begun.lease.end()
      throw error
    }
  }

  /** The response is read on the general path. `body` was received already. */
  #receiveLater(exchange: UpstreamExchange, { lease, startedAt, abort }: FastAttempt, body?: Uint8Array): BegunChat {
    const { chatApi, deadlines } = this.#chat.fast.sender
    const { stream } = this.#chat.head
    const incoming = this.#incoming
    return {
      lease,
      startedAt,
      receive: () =>
        body
          ? decodeReceived(exchange, body, chatApi, abort)
          : receiveChat({ incoming, abort, exchange, chatApi, deadlines, stream }),
    }
  }

  /** The same request for the general path. With its route if that was tried. */
  #admission(hasBegun: boolean): Admission<RequestHead> {
    const { router } = this.#context
    const { catalog, caller, group, rateLimits, clock } = this.#entry
    const { fast, scanned, reserved } = this.#chat
    const { reservation, outputLimit } = reserved
    const { promptTokens } = scanned
    const request = parseHead(this.#incoming)
    const options = { caller, group, model: request.model, dialect: request.dialect, promptTokens }
    const plan = router.plan(catalog, options, hasBegun ? fast.route : undefined)
    this.#incoming.known.routing = plan
    return {
      catalog,
      settings: catalog.settings,
      caller,
      group,
      request,
      promptTokens,
      plan,
      attempts: undefined,
      reservation,
      outputLimit,
      rateLimits,
      timing: clock.times,
      get isOpen() {
        return reservation.isOpen || rateLimits?.isOpen === true
      },
      // `serveFast` and `withAdmission` release what is left.
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
  }
}

interface FastAttempt {
  readonly lease: AttemptLease
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly abort: UpstreamAbort
}

const WHOLE = { kind: 'whole' } as const

/** The head of a plain request, which has no options that a price depends on. */
class PlainHead implements RequestHead {
  readonly dialect = 'openai-chat'
  readonly text = ''
  readonly body = {}
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly maxTokens: number

  constructor(model: string, { stream, includeUsage, maxTokens }: ScannedRequest) {
    this.model = model
    this.stream = stream
    this.includeUsage = includeUsage
    this.maxTokens = maxTokens
  }
}

/** The texts of the prompt. Only the content filter needs them. */
function textsOf(body: Buffer, { texts }: ScannedRequest): string[] {
  const found: string[] = []
  for (let at = 0; at < texts.length; at += 3) {
    const [start, end] = [texts[at]!, texts[at + 1]!]
    const isEncoded = texts[at + 2] === 1
    found.push(
      isEncoded
        ? (JSON.parse(body.toString('utf8', start - 1, end + 1)) as string)
        : body.toString('latin1', start, end),
    )
  }
  return found
}

/** The head with its text and body, for the general path. */
function parseHead({ dialect, body }: ApiRequest): RequestHead {
  return dialect.readRequest(body!.toString('utf8'))
}

const ASK_FOR_USAGE = Buffer.from(',"stream_options":{"include_usage":true}')

/** The client's bytes, with the model name of the provider, and a request for usage in a stream. */
function bodyFor(body: Buffer, scanned: ScannedRequest, { name, sender }: FastRoute): Buffer {
  const asks = sender.addsUsage(scanned)
  if (!name && !asks) return body
  const { modelStart, modelEnd, end } = scanned
  const pieces = name ? [body.subarray(0, modelStart), name, body.subarray(modelEnd, end)] : [body.subarray(0, end)]
  if (asks) pieces.push(ASK_FOR_USAGE)
  pieces.push(body.subarray(end))
  return Buffer.concat(pieces)
}

function billedUsage(
  reported: UsageReport,
  head: RequestHead,
  attempt: Pick<RequestRecord['attempt'], 'route'>,
  startedAt: number,
): Usage {
  const usage = { ...reported, estimated: false }
  return usage.terms ? createBilledUsage(head, attempt, new Date(startedAt))(usage) : usage
}

function scanUsage(body: Uint8Array): UsageReport | undefined {
  const bytes = asBuffer(body)
  return openaiChat.scanResponse(bytes, (start, end) => bytes.toString('latin1', start, end))
}

/** The connection yields buffers already. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

async function decodeReceived(
  exchange: UpstreamExchange,
  body: Uint8Array,
  chatApi: FastRoute['sender']['chatApi'],
  abort: UpstreamAbort,
): ReturnType<BegunChat['receive']> {
  try {
    const excess = new JsonScanner().push(body)
    if (excess) throw FAILURES.tooLarge(new Error(`the response is ${excess.replaceAll('_', ' ')}`))
    const opening = decodeWhole(exchange, asBuffer(body), DIALECTS[chatApi.dialect], { newId })
    const servedTier = exchange.headers[TIER_HEADER]
    return { opening, chatApi, adapted: {}, stripped: [], ...(typeof servedTier === 'string' && { servedTier }) }
  } catch (error) {
    abort.markFailed()
    throw error
  }
}
