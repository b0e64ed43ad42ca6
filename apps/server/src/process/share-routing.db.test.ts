import type { StateChange } from '@tidegate/gateway'
import { connectRedis, type RedisHandle } from '@tidegate/storage'
import { throwAwayRedis } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SharedRouting, shareRouting } from './share-routing.ts'

const site = throwAwayRedis()
const log = { info() {}, warn() {}, error() {}, debug() {} } as never
let redis: RedisHandle
const open: SharedRouting[] = []

beforeAll(async () => {
  redis = await connectRedis(site.url, site.prefix, { commandTimeoutMs: 5_000 })
})
afterAll(async () => {
  for (const gateway of open) gateway.stop()
  await redis.close()
  await site.close()
})

/** Starts a gateway on another machine. Resolves when it listens. */
async function startGateway(from: string) {
  const circuits = new Map<string, unknown>()
  const gateway = shareRouting({ redis, from, log })
  gateway.subscribe('circuit', (id, value) => void circuits.set(id, value))
  open.push(gateway)
  await gateway.listening
  return { ...gateway, circuits }
}

const circuit = (id: string, change: Partial<StateChange> = {}): StateChange => ({
  topic: 'circuit',
  id,
  value: 'open',
  expiresAt: Date.now() + 60_000,
  ...change,
})

describe('routing state of gateways that share Redis', () => {
  it('reaches a gateway that starts later', async () => {
    const first = await startGateway('first')
    const second = await startGateway('second')
    first.publish(circuit('opened'))
    first.publish(circuit('closed'))
    first.publish(circuit('closed', { value: null, expiresAt: 0 }))
    first.publish(circuit('expired', { expiresAt: Date.now() - 1 }))
    await expect.poll(() => [...second.circuits.keys()]).toContain('expired')

    const late = await startGateway('late')

    await expect.poll(() => late.circuits).toEqual(new Map([['opened', 'open']]))
  })

  it('is sent by the gateway that changed it last', async () => {
    const first = await startGateway('opens')
    const second = await startGateway('closes')
    first.publish(circuit('moved'))
    await expect.poll(() => second.circuits.get('moved')).toBe('open')
    second.publish(circuit('moved', { value: null, expiresAt: 0 }))
    await expect.poll(() => first.circuits.get('moved')).toBe(null)
    second.publish(circuit('last'))

    const late = await startGateway('late')

    await expect.poll(() => late.circuits.get('last')).toBe('open')
    expect(late.circuits.has('moved')).toBe(false)
  })
})
