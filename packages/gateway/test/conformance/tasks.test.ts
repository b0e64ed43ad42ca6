import { createUpstreamClient, providerOf, readBody, type TaskKind, type UpstreamClient } from '@tidegate/providers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'
import { MemoryTasks } from '../support/tasks.ts'
import { addressOf, CASES, expectKeyInPlace, type VendorCase } from './case.ts'
import type { TaskRow } from './row.ts'
import { startVendor, type FakeVendor } from './provider.ts'
import { json, type Reply } from './wire-formats.ts'

/** Of a tenth of a dollar. */
const PRICE = 50_000

let vendor: FakeVendor
let upstream: UpstreamClient
let gateway: TestGateway | undefined
beforeAll(async () => {
  vendor = await startVendor()
  upstream = createUpstreamClient({ allowPrivateAddresses: true })
})
afterAll(async () => {
  await upstream.close()
  vendor.close()
})
afterEach(async () => {
  await gateway?.close()
  gateway = undefined
  vendor.reset()
})

interface TaskCase extends VendorCase {
  readonly kind: TaskKind
  readonly task: TaskRow
}

const ORDERS: readonly TaskCase[] = CASES.flatMap((vendorCase) =>
  Object.entries(vendorCase.row.tasks ?? {}).map(([kind, task]) => ({
    ...vendorCase,
    kind: kind as TaskKind,
    task,
    name: `${vendorCase.name}: ${kind}`,
  })),
)

/** Orders it as a client does; the vendor says what it is told to. */
async function order({ type, row, task }: TaskCase, writer: Reply) {
  vendor.answer = () => writer
  const tasks = new MemoryTasks()
  const channel = aChannel({
    type,
    keys: [row.key(vendor.url)],
    baseUrl: addressOf(row, vendor.url),
    models: [task.model],
  })
  gateway = await startGateway({
    channels: [channel],
    tasks,
    settings: { RetryTimes: 0, ModelPrice: { [task.model]: 0.1 } },
  })
  const answer = await gateway.send({
    method: 'POST',
    path: task.call.path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(task.call.body),
  })
  return { answer, tasks, books: gateway.credit, events: gateway.events }
}

describe.each(ORDERS)('$name', (taskCase) => {
  const { kind, task, row, type } = taskCase

  it('is ordered at its place with the key, taken, and paid for once', async () => {
    const { answer, tasks, books } = await order(taskCase, json(task.reply))

    expect(answer.status).toBe(200)
    expect(vendor.requests).toHaveLength(1)
    expect(vendor.requests[0]).toMatchObject({ method: 'POST', url: `/relay${task.path}` })
    expect(vendor.requests[0]?.body.prompt).toBe(task.call.body.prompt)
    expectKeyInPlace(taskCase, vendor.requests[0]!, vendor.url)
    expect(tasks.kept).toMatchObject([{ draft: { task: kind }, taken: { channelId: 1, vendorId: task.vendorId } }])
    expect(books.settled.map(({ receipt }) => receipt.quota)).toEqual([task.times * PRICE])
    expect(books.mistakes).toEqual([])
  })

  it.each([
    ['key', 'auth'],
    ['rate', 'rate'],
    ['request', 'client'],
    ['server', 'server'],
  ] as const)('that fails by its %s fails as one of class %s, and costs nothing', async (why, fault) => {
    const { answer, books, events } = await order(taskCase, task.failing[why])

    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(events.filter((event) => event.kind === 'attempt')).toMatchObject([{ channelId: 1, outcome: fault }])
    expect(books.states()).toEqual(['released'])
  })

  it('is asked after, and what is told of it is understood', async () => {
    const { method, path, body, reply, report } = task.look
    const provider = providerOf(type)
    const { inquire, readInquiry } = provider.tasks![kind]!
    const target = { baseUrl: addressOf(row, vendor.url), key: row.key(vendor.url), model: task.model }
    vendor.answer = () => json(reply)

    const inquiry = inquire(target, [task.vendorId])
    const headers = { 'content-type': 'application/json', ...provider.authorize(target) }
    const response = await upstream.open({ ...inquiry, headers })
    const answer = JSON.parse((await readBody(response)).toString('utf8')) as unknown

    expect(vendor.requests[0]).toMatchObject({ method, url: `/relay${path}`, body: body ?? {} })
    expectKeyInPlace(taskCase, vendor.requests[0]!, vendor.url)
    expect(readInquiry(answer)).toEqual([expect.objectContaining(report)])
  })
})
