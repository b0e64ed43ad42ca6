import { createUpstreamClient, providerOf, readBody, type TaskKind, type UpstreamClient } from '@tidegate/providers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'
import { MemoryTasks } from '../support/tasks.ts'
import { addressOf, CASES, expectKeyInPlace, type ProviderCase } from './case.ts'
import type { TaskRow } from './row.ts'
import { startProvider, type FakeProvider } from './provider.ts'
import { json, type Reply } from './wire-formats.ts'

/** Of a tenth of a dollar. */
const PRICE = 50_000

let provider: FakeProvider
let upstream: UpstreamClient
let gateway: TestGateway | undefined
beforeAll(async () => {
  provider = await startProvider()
  upstream = createUpstreamClient({ allowPrivateAddresses: true })
})
afterAll(async () => {
  await upstream.close()
  provider.close()
})
afterEach(async () => {
  await gateway?.close()
  gateway = undefined
  provider.reset()
})

interface TaskCase extends ProviderCase {
  readonly kind: TaskKind
  readonly task: TaskRow
}

const TASK_CASES: readonly TaskCase[] = CASES.flatMap((providerCase) =>
  Object.entries(providerCase.row.tasks ?? {}).map(([kind, task]) => ({
    ...providerCase,
    kind: kind as TaskKind,
    task,
    name: `${providerCase.name}: ${kind}`,
  })),
)

/** Submits the task as a client does; the provider responds as given. */
async function submit({ type, row, task }: TaskCase, reply: Reply) {
  provider.respond = () => reply
  const tasks = new MemoryTasks()
  const channel = aChannel({
    type,
    keys: [row.key(provider.url)],
    baseUrl: addressOf(row, provider.url),
    models: [task.model],
  })
  gateway = await startGateway({
    channels: [channel],
    tasks,
    settings: { RetryTimes: 0, ModelPrice: { [task.model]: 0.1 } },
  })
  const response = await gateway.send({
    method: 'POST',
    path: task.submission.path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(task.submission.body),
  })
  return { response, tasks, credit: gateway.credit, events: gateway.events }
}

describe.each(TASK_CASES)('$name', (taskCase) => {
  const { kind, task, row, type } = taskCase

  it('is submitted at its path with the key, accepted, and billed once', async () => {
    const { response, tasks, credit } = await submit(taskCase, json(task.reply))

    expect(response.status).toBe(200)
    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]).toMatchObject({ method: 'POST', url: `/relay${task.path}` })
    expect(provider.requests[0]?.body.prompt).toBe(task.submission.body.prompt)
    expectKeyInPlace(taskCase, provider.requests[0]!, provider.url)
    expect(tasks.entries).toMatchObject([
      { draft: { task: kind }, accepted: { channelId: 1, upstreamId: task.upstreamId } },
    ])
    expect(credit.settled.map(({ receipt }) => receipt.quota)).toEqual([task.times * PRICE])
    expect(credit.mistakes).toEqual([])
  })

  it.each([
    ['key', 'auth'],
    ['rate', 'rate'],
    ['request', 'client'],
    ['server', 'server'],
  ] as const)('fails on an error of its %s with class %s, and costs nothing', async (why, fault) => {
    const { response, credit, events } = await submit(taskCase, task.failing[why])

    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(events.filter((event) => event.kind === 'attempt')).toMatchObject([{ channelId: 1, outcome: fault }])
    expect(credit.states()).toEqual(['released'])
  })

  it('is polled, and the report is read', async () => {
    const { method, path, body, reply, report } = task.poll
    const definition = providerOf(type)
    const { pollRequest, readPoll } = definition.tasks![kind]!
    const target = { baseUrl: addressOf(row, provider.url), key: row.key(provider.url), model: task.model }
    provider.respond = () => json(reply)

    const inquiry = pollRequest(target, [task.upstreamId])
    const headers = { 'content-type': 'application/json', ...definition.authorize(target) }
    const response = await upstream.open({ ...inquiry, headers })
    const result = JSON.parse((await readBody(response)).toString('utf8')) as unknown

    expect(provider.requests[0]).toMatchObject({ method, url: `/relay${path}`, body: body ?? {} })
    expectKeyInPlace(taskCase, provider.requests[0]!, provider.url)
    expect(readPoll(result)).toEqual([expect.objectContaining(report)])
  })
})
