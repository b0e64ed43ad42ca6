import { api } from '@tidegate/contract'
import { hereAndNow, type RunningServer } from '@tidegate/testing'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, callMany } from './call.ts'
import { asked, type Vendor } from './site.ts'
import { site, useSite } from './this-site.ts'

useSite()

/** A change must act on every node by then: two seconds, and more only where the machine takes more for everything. */
const inTime = () => ({ timeout: hereAndNow(2_000), interval: 20 })
const AFTERWARDS = 20

/** Changes are made on one node, calls on another. */
describe('on another node', () => {
  let other: RunningServer
  let preferred: Vendor
  let spare: Vendor
  const onOther = () => ({ url: other.url, key: site.key })
  beforeAll(async () => {
    preferred = await site.addVendor({ models: 'm-node', priority: 9 })
    spare = await site.addVendor({ models: 'm-node', priority: 1 })
    other = await site.startNode()
  })
  beforeEach(() => [preferred, spare].forEach((vendor) => vendor.reset()))

  async function servedBy(): Promise<Vendor | undefined> {
    const before = asked(preferred, spare)
    await call(onOther(), { model: 'm-node' })
    return [preferred, spare].find((vendor, at) => vendor.requests.length > before[at]!)
  }

  async function change(changes: { id: number; status?: number; priority?: number }): Promise<void> {
    await site.admin.call(api.updateChannel, { body: changes })
  }

  it('a channel that is disabled is used no more within two seconds, and again once it is enabled', async () => {
    expect(await servedBy()).toBe(preferred)

    await change({ id: preferred.channel.id, status: 2 })
    await expect.poll(servedBy, inTime()).toBe(spare)
    const before = preferred.requests.length
    await callMany(onOther(), AFTERWARDS, { model: 'm-node' })
    expect(preferred.requests.length).toBe(before)

    await change({ id: preferred.channel.id, status: 1 })
    await expect.poll(servedBy, inTime()).toBe(preferred)
  })

  it('another priority acts within two seconds', async () => {
    await change({ id: spare.channel.id, priority: 99 })
    await expect.poll(servedBy, inTime()).toBe(spare)

    await change({ id: spare.channel.id, priority: 1 })
    await expect.poll(servedBy, inTime()).toBe(preferred)
  })

  it('a channel that is disabled by itself is used no more within two seconds', async () => {
    await site.setOptions({ AutomaticDisableChannelEnabled: true })
    preferred.next({ status: 401 })

    await call(site, { model: 'm-node' })

    await expect.poll(servedBy, inTime()).toBe(spare)
    const before = preferred.requests.length
    await callMany(onOther(), AFTERWARDS, { model: 'm-node' })
    expect(preferred.requests.length).toBe(before)
    await change({ id: preferred.channel.id, status: 1 })
  })

  it('a virtual model can be asked for within two seconds', async () => {
    const status = async () => (await call(onOther(), { model: 'tide-virtual' })).status
    expect(await status()).toBe(503)

    const mapping = { 'tide-virtual': [{ model: 'm-node', priorities: 1 }] }
    await site.admin.call(api.updateModelMapping, { body: { mapping } })

    await expect.poll(status, inTime()).toBe(200)
  })

  it('retries that are turned on act within two seconds', async () => {
    preferred.always({ status: 404 })
    const status = async () => (await call(onOther(), { model: 'm-node' })).status
    await expect.poll(status, inTime()).toBe(404)

    await site.setOptions({ RetryTimes: 1 })

    await expect.poll(status, inTime()).toBe(200)
  })
})
