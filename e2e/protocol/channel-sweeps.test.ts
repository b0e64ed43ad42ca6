import { api } from '@tidegate/contract'
import {
  addChannel,
  apiClient,
  fakeUpstream,
  type FakeUpstream,
  setUpSite,
  startServer,
  SUPER_ADMIN,
  withServices,
} from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Jobs begin with the process, and this machine may be busy. */
const SOON = { timeout: 30_000 }

let good: FakeUpstream
let bad: FakeUpstream
beforeAll(async () => {
  ;[good, bad] = await Promise.all([fakeUpstream(), fakeUpstream()])
  bad.always({ status: 401, body: { error: { message: 'no such key', type: 'invalid_request_error' } } })
})
afterAll(() => Promise.all([good.close(), bad.close()]))

it('tests all channels by itself when CHANNEL_TEST_FREQUENCY says how often, and takes out of use what fails', async () => {
  const services = await withServices()
  const before = await startServer({ env: services.env })
  const root = apiClient(before.url)
  await setUpSite(root)
  await root.call(api.updateOption, { body: { key: 'AutomaticDisableChannelEnabled', value: true } })
  const { id: goodId } = await addChannel(root, good)
  const { id: badId } = await addChannel(root, bad)
  await before.stop()
  expect([good.requests.length, bad.requests.length]).toEqual([0, 0])

  const server = await startServer({ env: { ...services.env, CHANNEL_TEST_FREQUENCY: '10' } })
  const client = apiClient(server.url)
  await client.login(SUPER_ADMIN.username, SUPER_ADMIN.password)

  const statusOf = async (id: number) => (await client.call(api.getChannel, { path: { id } })).status
  await expect.poll(() => statusOf(badId), SOON).toBe(api.CHANNEL_STATUS.autoDisabled)
  await expect.poll(() => good.requests.length, SOON).toBe(1)
  expect(await statusOf(goodId)).toBe(api.CHANNEL_STATUS.enabled)
  await expect.poll(async () => (await client.call(api.getTestProgress)).running, SOON).toBe(false)
  expect(await client.call(api.getTestProgress)).toMatchObject({ total: 2, done: 2, failed: 1, cancelled: false })
  await server.stop()
  await services.close()
})
