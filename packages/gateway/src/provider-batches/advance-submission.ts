import type { IncomingMessage } from 'node:http'
import { ApiError, logEvent } from '@tidegate/contract'
import { asText, DialectError, DIALECTS, type DialectId } from '@tidegate/dialects'
import { type BatchApi, providerOf, type UpstreamBatch, UpstreamFailure } from '@tidegate/providers'
import { lineRequestId } from '../batches/batch-format.ts'
import { LostLease, type SubmissionWork } from '../batches/prepare-batch.ts'
import { buildChatRequest } from '../chat/chat-body.ts'
import { keyIdsOf } from '../health/channel-keys.ts'
import { withoutSecrets } from '../http/upstream-error.ts'
import type { CatalogChannel, Ports, SubmittedBatch } from '../ports/index.ts'
import { BatchClient } from './batch-client.ts'
import { collectResults } from './collect-results.ts'
import { chatApiFor, dialectOf, LINES_AT_ONCE, outputLimitOf } from './plan-submission.ts'

/** Until the provider must have ended a batch: its window begins a little later than ours. */
const GRACE_MS = 60 * 60_000
const MIN_POLL_SECONDS = 5
const MAX_POLL_SECONDS = 300
/** A batch is polled again after this part of its age. */
const POLL_SHARE = 0.1
/** After as many failed submissions the workers run the lines. */
const MAX_SUBMISSIONS = 6
/** The clock of a provider may differ from ours. */
const CLOCK_SKEW_MS = 60_000
const UNSUPPORTED = new Set([403, 404, 405, 501])

interface SubmissionContext {
  readonly ports: Ports
  readonly batch: SubmittedBatch
  readonly keepLease: () => Promise<void>
  readonly channel: CatalogChannel
  readonly key: string
  readonly dialect: DialectId
  readonly api: BatchApi
  readonly client: BatchClient
}

/** Submits a batch to its provider, or polls it there, and releases it until the next poll. */
export async function advanceSubmission(ports: Ports, batch: SubmittedBatch, work: SubmissionWork): Promise<void> {
  const context = contextOf(ports, batch, work)
  const isLate = ports.now() > batch.deadline.getTime() + GRACE_MS
  if (isLate) return abandon(ports, batch, context)
  if (!context) return loseAccount(ports, batch)
  try {
    const upstreamId = batch.upstreamId ?? (await findOrSubmit(context))
    if (upstreamId !== undefined) await poll(context, upstreamId)
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    if (work.signal.aborted) throw new LostLease()
    await handleFailure(context, error)
  }
}

function contextOf(
  ports: Ports,
  batch: SubmittedBatch,
  { keepLease, signal }: SubmissionWork,
): SubmissionContext | undefined {
  const channel = ports.catalog().channels.get(batch.channelId)
  const key = channel?.keys[keyIdsOf(channel.keys).indexOf(batch.keyId)]
  const api = channel && providerOf(channel.type).batches
  const dialect = dialectOf(batch)
  if (!channel || key === undefined || !api || !dialect) return undefined
  const client = new BatchClient(ports, { channel, key, api, signal })
  return { ports, batch, keepLease, channel, key, dialect, api, client }
}

/** The channel or its key was removed. */
async function loseAccount({ batches, log }: Ports, batch: SubmittedBatch): Promise<void> {
  if (batch.submittedAt === undefined) return runHere({ batches, log }, batch, new Error('the channel was removed'))
  logEvent(log, 'batch.poll_failed', { err: new Error('the channel was removed'), batchId: batch.id })
  await batches!.schedulePoll(batch, { seconds: MAX_POLL_SECONDS, isFailed: true })
}

async function abandon({ batches, log }: Ports, batch: SubmittedBatch, context?: SubmissionContext): Promise<void> {
  logEvent(log, 'batch.abandoned', { batchId: batch.id, channelId: batch.channelId })
  if (batch.upstreamId !== undefined) await context?.client.cancel(batch.upstreamId).catch(() => {})
  await batches!.endSubmission(batch.id, 'expired')
}

async function runHere(
  { batches, log }: Pick<Ports, 'batches' | 'log'>,
  batch: SubmittedBatch,
  error: unknown,
): Promise<void> {
  logEvent(log, 'batch.not_submitted', { err: error, batchId: batch.id, channelId: batch.channelId })
  await batches!.runHere(batch.id)
}

/** The id of the batch at the provider. Undefined if it is not to run there. */
async function findOrSubmit(context: SubmissionContext): Promise<string | undefined> {
  const { ports, batch } = context
  const queue = ports.batches!
  const found = batch.submittedAt && (await findSubmitted(context, batch.submittedAt))
  if (found) {
    if (!(await queue.recordSubmission(batch.id, { upstreamId: found.id }))) throw new LostLease()
    return found.id
  }
  if (batch.state === 'cancelling') {
    await queue.endSubmission(batch.id, 'canceled')
    return undefined
  }
  return submit(context)
}

/** A batch that was submitted by a process which died, or whose response was lost. */
async function findSubmitted(
  { ports, batch, client }: SubmissionContext,
  submittedAt: Date,
): Promise<UpstreamBatch | undefined> {
  const recent = await client.listSince(new Date(submittedAt.getTime() - CLOCK_SKEW_MS))
  const named = recent.find(({ ownId }) => ownId === batch.id)
  if (named) return named
  // Anthropic stores no id of ours. Its results name the batch, which is checked when they are read.
  const unnamed = recent.filter(({ ownId, total }) => ownId === '' && total === batch.total).toReversed()
  const known = new Set(await ports.batches!.findKnown(unnamed.map(({ id }) => id)))
  return unnamed.find(({ id }) => !known.has(id))
}

async function submit(context: SubmissionContext): Promise<string | undefined> {
  const { ports, batch, api, client } = context
  const queue = ports.batches!
  const record = async (changes: Parameters<typeof queue.recordSubmission>[1]) => {
    if (!(await queue.recordSubmission(batch.id, changes))) throw new LostLease()
  }
  const lines = await writeLines(context)
  try {
    let { upstreamFileId: fileId } = batch
    if (!api.create) await record({ isSubmitted: true })
    if (fileId === undefined) {
      const sent = await client.sendLines(lines)
      if (!sent) {
        await runHere(ports, batch, new Error('the requests are too long for the provider'))
        return undefined
      }
      if (!api.create) {
        const id = asText(sent.id)
        await record({ upstreamId: id })
        return id
      }
      fileId = asText(sent.id)
      await record({ upstreamFileId: fileId })
    }
    // From here on, the provider may have the batch even if its response is lost.
    await record({ isSubmitted: true })
    const { path, body } = api.create!
    const id = asText((await client.create(path, body({ fileId, endpoint: batch.endpoint, ownId: batch.id }))).id)
    await record({ upstreamId: id })
    return id
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof DialectError)) throw error
    // The channel was changed so that it cannot send a request any more.
    await runHere(ports, batch, error)
    return undefined
  }
}

/** Writes every line as the channel sends it. All at the same settings, because the lines are written twice. */
async function writeLines(context: SubmissionContext): Promise<() => AsyncGenerator<string, void>> {
  const { ports, batch, channel, key, dialect, api, keepLease } = context
  const { settings } = ports.catalog()
  const write = async (number: number, body: string) => {
    const request = DIALECTS[dialect].readRequest(body)
    const { model, price } = batch.terms.models[request.model]!
    const chatApi = chatApiFor({ channel, model }, dialect)
    if (!chatApi) throw new ApiError('model_endpoint_unsupported', { model: request.model })
    const { upstream, adapted } = await buildChatRequest(ports, {
      incoming: { request: NO_CLIENT, startedAt: batch.createdAt.getTime() },
      request,
      route: { channel, model, price },
      chatApi,
      stream: false,
      key,
      settings,
      outputLimit: outputLimitOf(settings),
      canonical: () => {
        throw new Error('the request is not converted')
      },
    })
    // Headers belong to one request, and a batch has one set of them.
    if (adapted.headers && Object.keys(adapted.headers).length > 0)
      throw new ApiError('model_endpoint_unsupported', { model: request.model })
    const text = String(upstream.body)
    return api.writeLine({ name: lineRequestId(batch.id, number), endpoint: batch.endpoint, body: text })
  }
  return async function* () {
    for (let after = 0; ;) {
      await keepLease()
      const lines = await ports.batches!.listPending(batch.id, { after, limit: LINES_AT_ONCE })
      if (lines.length === 0) return
      for (const { number, body } of lines) yield await write(number, body)
      after = lines.at(-1)!.number
    }
  }
}

const NO_CLIENT = { headers: {}, url: '' } as IncomingMessage

async function poll(context: SubmissionContext, upstreamId: string): Promise<void> {
  const { ports, batch, client, keepLease } = context
  const queue = ports.batches!
  const upstream = await client.show(upstreamId)
  switch (upstream.state) {
    case 'running':
    case 'cancelling':
      // A cancellation that the provider rejects means that the batch ends by itself.
      if (batch.state === 'cancelling' && upstream.state === 'running') await client.cancel(upstreamId)
      return queue.schedulePoll(batch, { seconds: pollSeconds(batch, ports.now()), isFailed: false })
    case 'failed':
      return failAtProvider(context, upstream)
    case 'ended': {
      let found = 0
      for (const path of upstream.results) {
        found += await collectResults(ports, context, client.read(path), keepLease)
      }
      const hasOthers = upstream.results.length > 0 && found === 0
      // It was taken for ours because of its size and its time.
      if (hasOthers && batch.submittedAt !== undefined) {
        await queue.recordSubmission(batch.id, { upstreamId: null, isSubmitted: false })
        return queue.schedulePoll(batch, { seconds: 0, isFailed: false })
      }
      return queue.endSubmission(batch.id, batch.state === 'cancelling' ? 'canceled' : upstream.outcome)
    }
  }
}

/** Invalid lines fail the batch. Anything else is about the account or the limits of the provider. */
async function failAtProvider({ ports, batch, channel }: SubmissionContext, { errors }: UpstreamBatch): Promise<void> {
  const ofLines = errors.filter(({ line }) => line !== null)
  if (ofLines.length === 0)
    return runHere(ports, batch, new Error(errors[0]?.message ?? 'the provider rejected the batch'))
  const shown = ofLines.map(({ code, message, line }) => ({
    code: code || 'invalid_request',
    message: withoutSecrets(message, channel, channel.keys),
    line,
    param: null,
  }))
  await ports.batches!.fail(batch.id, shown)
}

function pollSeconds({ createdAt }: SubmittedBatch, now: number): number {
  const age = (now - createdAt.getTime()) / 1000
  return Math.round(Math.min(MAX_POLL_SECONDS, Math.max(MIN_POLL_SECONDS, age * POLL_SHARE)))
}

/** Tries again later, unless the provider will never run the batch. */
async function handleFailure(context: SubmissionContext, failure: UpstreamFailure): Promise<void> {
  const { ports, batch, channel } = context
  const queue = ports.batches!
  if (batch.upstreamId === undefined) {
    const isRejected = failure.kind === 'status' && failure.status < 500
    if (isRejected) await queue.recordSubmission(batch.id, { isSubmitted: false })
    const outcome = providerOf(channel.type).classify(failure)
    const isOfAccount = outcome === 'auth' || outcome === 'credit' || UNSUPPORTED.has(failure.status)
    if ((isRejected && isOfAccount) || batch.failedPolls + 1 >= MAX_SUBMISSIONS) return runHere(ports, batch, failure)
    if (isRejected && outcome === 'client') {
      const message = withoutSecrets(failure.error.message, channel, channel.keys)
      const code = asText(failure.error.code) || 'invalid_request'
      return queue.fail(batch.id, [{ code, message, line: null, param: null }])
    }
  }
  logEvent(ports.log, 'batch.poll_failed', { err: failure, batchId: batch.id, channelId: channel.id })
  const seconds = failure.retryAfterSeconds ?? MIN_POLL_SECONDS * 2 ** batch.failedPolls
  await queue.schedulePoll(batch, { seconds: Math.min(MAX_POLL_SECONDS, seconds), isFailed: true })
}
