import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReceivedRequest } from '@tidegate/testing'
import { smallModelOf } from '../../apps/console/src/features/tokens/connect/connection.ts'
import type { Client } from './client.ts'
import { isFailing, type ChannelType, type Feature, type Outcome } from './features.ts'
import { chainOf, type ProviderRequest, readRequest } from './read-request.ts'
import type { ProgramResult } from './run-program.ts'
import * as model from './scripted-model.ts'
import type { ConformanceSite } from './site.ts'

export interface CellResult {
  readonly outcome: Outcome
  readonly failures: readonly string[]
  /** Requests of this run at the provider. */
  readonly requests: number
  readonly milliseconds: number
  readonly run?: ProgramResult
}

export interface CellOptions {
  readonly site: ConformanceSite
  /** Where the clients are installed. */
  readonly clients: string
  /** Keeps the folders of the runs, with their output and requests. */
  readonly keep: boolean
}

/** A program that does not end by itself within this time hangs. */
const LIMIT_MS = 300_000
/** An error must not keep a client busy. */
const ERROR_LIMIT_MS = 120_000
const UNKNOWN_MODEL = 'tide-unknown-model'
/** What the user must learn from the output. */
const REASONS: Partial<Record<Feature, RegExp>> = {
  unknownModel: new RegExp(UNKNOWN_MODEL),
  invalidKey: /API token is not known/,
  noBalance: /balance|quota|credit/i,
}
/** One blue pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg=='

/** Runs one client on one channel, and checks what the client did. */
export async function runCell(
  client: Client,
  channel: ChannelType,
  feature: Feature,
  { site, clients, keep }: CellOptions,
): Promise<CellResult> {
  if (!client.features.includes(feature)) return notRun('client')
  if (channel.lacks.includes(feature)) return notRun('provider')
  const marker = `run-${randomBytes(5).toString('hex')}`
  const word = model.newWord()
  const root = join(clients, 'runs', `${client.id}-${channel.id}-${feature}-${marker}`)
  const [directory, home] = [join(root, 'work'), join(root, 'home')]
  const imagePath = join(directory, model.IMAGE_FILE)
  await Promise.all([directory, home].map((path) => mkdir(path, { recursive: true })))
  await writeFile(join(directory, model.NOTES_FILE), `The gauge shows ${word}.\n`)
  await writeFile(imagePath, Buffer.from(PNG, 'base64'))

  const provider = site.providerOf(channel)
  const isOurs = (request: ReceivedRequest) =>
    chainOf(request, provider.requests).some(({ rawBody }) => rawBody.includes(marker))
  const read = (request: ReceivedRequest) => readRequest(request, provider.requests)
  const modelName = modelOf(feature, channel)
  const tokens = site.models.find(({ name }) => name === modelName)?.context ?? 0
  const window = { tokens, error: channel.tooLong(tokens + 1000, tokens) }
  provider.when(isOurs, (request) => ({
    ...model.respond(feature, directory, read(request), window),
    usageOnFinish: !channel.strict,
  }))
  const run = await client.run({
    feature,
    channel,
    url: site.url,
    key: site.keyFor(feature),
    model: modelName,
    models: site.models,
    prompt: `Follow the plan of the tide (${marker}).`,
    directory,
    home,
    imagePath,
    clients,
    limitMs: isFailing(feature) ? ERROR_LIMIT_MS : LIMIT_MS,
  })
  const requests = provider.requests.filter(isOurs)
  const failures = [
    ...checkRun(feature, run, word, client, channel),
    ...checkRequests(feature, requests, requests.map(read)),
    ...checkModels(
      requests,
      channel,
      site.models.map(({ name }) => name),
    ),
    ...(await checkFiles(directory, model.expectedFiles(feature, word))),
  ]
  const hasFailed = failures.length > 0
  if (keep) await keepEvidence(root, requests)
  else await rm(root, { recursive: true, force: true, maxRetries: 5 })
  return {
    outcome: hasFailed ? 'fail' : 'pass',
    failures,
    requests: requests.length,
    milliseconds: run.milliseconds,
    run,
  }
}

function modelOf(feature: Feature, { model: usual, compactionModel }: ChannelType): string {
  return feature === 'unknownModel' ? UNKNOWN_MODEL : feature === 'compaction' ? compactionModel : usual
}

const notRun = (outcome: Outcome): CellResult => ({ outcome, failures: [], requests: 0, milliseconds: 0 })

/** What the client shows. */
function checkRun(feature: Feature, run: ProgramResult, word: string, client: Client, channel: ChannelType): string[] {
  const { output, errors, code, timedOut } = run
  if (timedOut) return ['did not end by itself']
  const reason = REASONS[feature]
  if (reason !== undefined) {
    return reason.test(output + errors) ? [] : [`does not show ${reason.source}`]
  }
  if (feature === 'countTokens') return /tokens: [1-9]\d*/.test(output) ? [] : ['shows no token count']
  if (feature === 'modelList') return output.includes(channel.model) ? [] : ['does not list the model']
  const expected = [
    feature === 'stream'
      ? model.LONG_TEXT
      : feature === 'compaction' || model.turnsOf(feature) > 0
        ? model.finalText(word)
        : model.PLAIN_TEXT,
    ...(feature === 'thinking' && client.showsThoughts(channel.id) ? [model.THOUGHT] : []),
  ]
  return [
    ...(code === 0 ? [] : [`exit code ${code}`]),
    ...expected
      .filter((text) => !client.shownText(output).includes(text))
      .map((text) => `does not show: ${text.slice(0, 80)}`),
  ]
}

/** What reached the provider. */
function checkRequests(
  feature: Feature,
  received: readonly ReceivedRequest[],
  requests: readonly ProviderRequest[],
): string[] {
  const rejected = received.flatMap(({ sent }) => sent.rejection ?? [])
  const turns = Math.max(0, ...requests.map(({ results }) => results.length))
  const expectedTurns = feature === 'tools' ? 2 : model.turnsOf(feature)
  return [
    ...rejected.map((reason) => `the provider rejected a request: ${reason}`),
    ...(isFailing(feature) && requests.length > 0 ? ['the request reached a provider'] : []),
    ...(feature === 'affinity' ? checkAccounts(received) : []),
    ...(turns < expectedTurns ? [`${turns} of ${expectedTurns} tool results reached the provider`] : []),
    ...(feature === 'compaction' && !requests.some(model.isCompaction) ? ['the client did not compact'] : []),
    ...(feature === 'stream' && !requests.some(({ streams }) => streams) ? ['no request was streamed'] : []),
    ...(feature === 'image' && !requests.some(({ hasImage }) => hasImage) ? ['no image reached the provider'] : []),
  ]
}

/** Titles, summaries and other side requests use the small model of the configuration, and no other. */
function checkModels(received: readonly ReceivedRequest[], channel: ChannelType, offered: readonly string[]): string[] {
  const { model, compactionModel } = channel
  const chosen = [model, compactionModel].flatMap((name) => [name, smallModelOf(offered, name)])
  const others = received.map(modelIn).filter((name) => !chosen.some((each) => name.includes(each)))
  return [...new Set(others)].map((name) => `the client used ${name}`)
}

/** The provider's cache belongs to an account and a model. */
function checkAccounts(received: readonly ReceivedRequest[]): string[] {
  const names = ['x-api-key', 'x-goog-api-key', 'authorization']
  const accountOf = ({ headers }: ReceivedRequest) => names.map((name) => headers[name]).find(Boolean)
  const accounts = new Set(received.map((request) => `${modelIn(request)} ${String(accountOf(request))}`))
  const models = new Set(received.map(modelIn))
  return accounts.size === models.size ? [] : [`the session used ${accounts.size} accounts for ${models.size} models`]
}

function modelIn({ path, body }: ReceivedRequest): string {
  const { model } = (body ?? {}) as { model?: string }
  return model ?? decodeURIComponent(/\/models\/([^:]+)/.exec(path)?.[1] ?? '')
}

async function checkFiles(directory: string, expected: Readonly<Record<string, string>>): Promise<string[]> {
  const checks = Object.entries(expected).map(async ([name, content]) => {
    const found = await readFile(join(directory, name), 'utf8').catch(() => undefined)
    return found?.trimEnd() === content.trimEnd() ? [] : [`${name} has ${JSON.stringify(found)}`]
  })
  return (await Promise.all(checks)).flat()
}

async function keepEvidence(root: string, requests: readonly ReceivedRequest[]): Promise<void> {
  const sent = requests.map(({ path, headers, body, sent }) => ({ path, headers, body, sent }))
  await writeFile(join(root, 'requests.json'), JSON.stringify(sent, null, 1))
}
