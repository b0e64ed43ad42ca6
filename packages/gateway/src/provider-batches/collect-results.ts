import { DIALECTS, type DialectId } from '@tidegate/dialects'
import { type BatchApi, type UpstreamResult, UpstreamFailure } from '@tidegate/providers'
import { lineRequestId } from '../batches/batch-format.ts'
import { tokensOf } from '../batches/line-outcome.ts'
import { linesOf } from '../batches/read-requests.ts'
import { accountOf } from '../chat/chat-body.ts'
import { chatContent, MAX_CHARACTERS } from '../chat/chat-content.ts'
import { decodeWhole } from '../chat/first-content.ts'
import { newId } from '../chat/send-chat.ts'
import { sealBytes } from '../chat/stream-writers.ts'
import { createMeter } from '../chat/usage-meter.ts'
import { withoutSecrets } from '../http/upstream-error.ts'
import type { CatalogChannel, PendingLine, Ports, SubmittedBatch, UpstreamLineResult } from '../ports/index.ts'
import type { Route } from '../route/route.ts'
import { createBilledUsage } from '../settle/billed-usage.ts'
import { flagChannel, tokenCeiling } from '../settle/plausible-usage.ts'
import { settlementOf } from '../settle/settle-request.ts'
import { measurePrompt } from '../tokens/estimate-tokens.ts'
import { LINES_AT_ONCE } from './plan-submission.ts'

const CHARACTERS_AT_ONCE = 2 * 1024 * 1024

interface CollectedBatch {
  readonly batch: SubmittedBatch
  readonly channel: CatalogChannel
  readonly dialect: DialectId
  readonly api: BatchApi
}

/** Charges and stores the results in a file of the provider. Returns how many belong to the batch. */
export async function collectResults(
  ports: Ports,
  collected: CollectedBatch,
  content: AsyncIterable<Uint8Array>,
  keepLease: () => Promise<void>,
): Promise<number> {
  const { batch, api } = collected
  const prefix = lineRequestId(batch.id, 0).slice(0, -1)
  let found = 0
  let waiting = new Map<number, UpstreamResult>()
  let characters = 0
  const flush = async () => {
    await keepLease()
    if (waiting.size > 0) await finish(ports, collected, waiting)
    waiting = new Map()
    characters = 0
  }
  for await (const text of linesOf(content)) {
    const result = api.readResult(text ?? '')
    const number = result?.name.startsWith(prefix) ? Number(result.name.slice(prefix.length)) : NaN
    if (!result || !Number.isInteger(number)) continue
    found += 1
    // The others end when all results are stored.
    if (result.state !== 'succeeded' && result.state !== 'errored') continue
    waiting.set(number, result)
    characters += text!.length
    if (waiting.size >= LINES_AT_ONCE || characters >= CHARACTERS_AT_ONCE) await flush()
  }
  await flush()
  return found
}

async function finish(
  ports: Ports,
  collected: CollectedBatch,
  results: ReadonlyMap<number, UpstreamResult>,
): Promise<void> {
  const { batch } = collected
  const pending = await ports.batches!.listPending(batch.id, { numbers: [...results.keys()] })
  const lines: UpstreamLineResult[] = []
  for (const line of pending) lines.push(await finishLine(ports, collected, line, results.get(line.number)!))
  if (lines.length > 0) await ports.batches!.finishUpstreamLines(batch, lines)
}

async function finishLine(
  ports: Ports,
  collected: CollectedBatch,
  line: PendingLine,
  { state, status, body = {} }: UpstreamResult,
): Promise<UpstreamLineResult> {
  const { batch, channel } = collected
  const text = JSON.stringify(body)
  const requestId = lineRequestId(batch.id, line.number)
  const failed = (failedStatus: number, shown: string): UpstreamLineResult => ({
    number: line.number,
    isSuccess: false,
    result: {
      status: failedStatus,
      requestId,
      body: withoutSecrets(shown, channel, channel.keys),
      inputTokens: 0,
      outputTokens: 0,
    },
  })
  if (state === 'errored') return failed(status, text)
  try {
    const priced = await priceLine(ports, collected, line, { status, text })
    const result = { status, requestId, body: priced.text, ...tokensOf(text) }
    return { number: line.number, isSuccess: true, result, settlement: priced.settlement }
  } catch (error) {
    // As for a single request, an empty response is an error, and costs nothing.
    if (!(error instanceof UpstreamFailure)) throw error
    return failed(error.status, JSON.stringify({ error: error.error }))
  }
}

async function priceLine(
  ports: Ports,
  { batch, channel, dialect: id }: CollectedBatch,
  line: PendingLine,
  { status, text }: { readonly status: number; readonly text: string },
) {
  const { terms, createdAt, clientAddress, tokenName } = batch
  const dialect = DIALECTS[id]
  const request = dialect.readRequest(line.body)
  const { model, price } = terms.models[request.model]!
  const prompt = () => dialect.promptParts(request)
  const promptTokens = await measurePrompt(request.model, prompt(), Infinity)
  const meter = createMeter({ model, prompt, promptTokens, maxTokens: tokenCeiling(model, request) })
  const bytes = Buffer.from(text)
  const opening = decodeWhole({ status, headers: {} }, bytes, dialect, { newId })
  if (opening.kind === 'whole') for (const event of opening.decoded) meter.add(event)
  meter.add({ type: 'done' })
  const route: Route = {
    channel,
    group: terms.group,
    model,
    mapped: model !== request.model,
    price,
    routed: request.model,
    again: false,
    pinned: false,
    callerId: batch.userId,
  }
  const now = ports.now()
  const attempt = {
    route,
    tried: [{ channel: channel.id, dialect: id, milliseconds: now - createdAt.getTime() }],
    firstContentAt: now,
    servedTier: 'batch',
    opening: { kind: 'whole' as const },
  }
  const usage = await meter.total()
  if (meter.implausible) flagChannel(ports, route, { reported: meter.implausible, counted: usage })
  const settlement = settlementOf(
    ports,
    {
      incoming: {
        startedAt: createdAt.getTime(),
        clientAddress,
        batchLine: { batchId: batch.id, number: line.number, tokenId: batch.tokenId },
      },
      caller: { username: terms.username, tokenName, userSetting: { acceptUnsetRatio: false, showIp: terms.showIp } },
      group: terms.group,
      request,
      attempt,
      decision: { candidates: 1, passedOver: [], passedOverCount: 0 },
      timing: {},
      implausible: meter.implausible,
    },
    createBilledUsage(request, attempt, createdAt)(usage),
  )
  if (ports.catalog().settings.LogChatContentEnabled) {
    const content = chatContent(dialect.decodeRequest(request), meter.text(MAX_CHARACTERS + 1))
    ports.recordContent?.({ requestId: lineRequestId(batch.id, line.number), userId: batch.userId, ...content })
  }
  const sealed = id === 'openai-responses' ? sealBytes(bytes, () => accountOf(channel)) : bytes
  return { settlement, text: Buffer.from(sealed).toString('utf8') }
}
