import { once } from 'node:events'
import type { OperationId } from '@tidegate/providers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { KEY, type TestGateway } from '../support/gateway.ts'
import { CASES, expectKeyInPlace, gatewayTo, MODEL, type ProviderCase } from './case.ts'
import { OPERATION_EXAMPLES, requestFor } from './operations.ts'
import type { OperationRow } from './row.ts'
import { startProvider, type FakeProvider } from './provider.ts'

let provider: FakeProvider
let gateway: TestGateway
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
afterEach(async () => {
  await gateway.close()
  provider.reset()
})

interface OperationCase<Id extends OperationId = OperationId> extends ProviderCase {
  readonly id: Id
  readonly operation: OperationRow
}

const ALL: readonly OperationCase[] = CASES.flatMap((providerCase) =>
  Object.entries(providerCase.row.operations).map(([id, operation]) => ({
    ...providerCase,
    id: id as OperationId,
    operation,
    name: `${providerCase.name}: ${id}`,
  })),
)
const isSingle = (one: OperationCase): one is OperationCase<keyof typeof OPERATION_EXAMPLES> => one.id !== 'realtime'
const SINGLE = ALL.filter(isSingle)
const REALTIME_CASES = ALL.filter(({ id }) => id === 'realtime')

/** A field that no body has. */
const NOTHING = ''

const modelOf = ({ operation, row }: OperationCase) => operation.model ?? row.chats[0]?.model ?? 'm-1'

async function sendRequest(operationCase: OperationCase<keyof typeof OPERATION_EXAMPLES>) {
  const { id, operation } = operationCase
  const example = OPERATION_EXAMPLES[id]
  provider.respond = operation.response ?? (() => example.response)
  gateway = await gatewayTo(provider, operationCase, { model: modelOf(operationCase) })
  const { headers, body } = requestFor(example, MODEL)
  const response = await fetch(`${gateway.url}/v1${example.path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${KEY}` },
    body,
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { example, response, bytes, request: provider.requests[0]! }
}

describe.each(SINGLE)('$name', (operationCase) => {
  const { operation } = operationCase

  it("is called at its path in the provider's format, returned in OpenAI's, and billed", async () => {
    const { example, response, bytes, request } = await sendRequest(operationCase)

    expect(response.status).toBe(200)
    expect(request.url).toBe(`/relay${operation.path}`)
    expect(request.headers).toMatchObject(operation.headers ?? {})
    expect(request.body).toMatchObject(operation.body ?? {})
    expect(Object.keys(request.body)).not.toEqual(expect.arrayContaining([...(operation.unsupported ?? [NOTHING])]))
    for (const each of provider.requests) expectKeyInPlace(operationCase, each, provider.url)
    expect(operation.namedInPath ? modelOf(operationCase) : request.text).toContain(modelOf(operationCase))
    expect(request.text).not.toContain(MODEL)
    const isJson = response.headers.get('content-type')?.includes('json')
    example.check({ json: isJson ? (JSON.parse(bytes.toString()) as unknown) : undefined, bytes })
    expect(gateway.credit.settled).toHaveLength(1)
    expect(gateway.credit.settled[0]?.receipt.quota).toBeGreaterThan(0)
    expect(gateway.credit.mistakes).toEqual([])
  })
})

describe.each(REALTIME_CASES)('$name', (operationCase) => {
  it('is connected at its path, and billed by the reported usage', async () => {
    provider.handleSocket = (socket) => {
      socket.on('message', () =>
        socket.send(
          JSON.stringify({ type: 'response.done', response: { usage: { input_tokens: 30, output_tokens: 50 } } }),
        ),
      )
    }
    gateway = await gatewayTo(provider, operationCase, { model: modelOf(operationCase) })
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`, ['realtime'], {
      headers: { authorization: `Bearer ${KEY}` },
    })
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'response.create' }))
    await once(socket, 'message')
    socket.close(1000)
    await expect.poll(() => gateway.credit.states()).toEqual(['settled'])

    expect(provider.requests[0]?.url).toBe(`/relay${operationCase.operation.path}`)
    expectKeyInPlace(operationCase, provider.requests[0]!, provider.url)
    expect(gateway.credit.settled[0]?.usage).toMatchObject({ input: 30, output: 50, estimated: false })
  })
})
