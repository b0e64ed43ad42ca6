import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, startServer } from '@tidegate/testing'
import { expect, it } from 'vitest'
import { sharedSite } from './shared-site.ts'

const site = sharedSite()

it('tests all channels periodically when CHANNEL_TEST_FREQUENCY is set, and disables those that fail', async () => {
  const [good, bad] = await Promise.all([fakeUpstream(), fakeUpstream()])
  bad.always({ status: 401, body: { error: { message: 'no such key', type: 'invalid_request_error' } } })
  await site.setOption('AutomaticDisableChannelEnabled', true)
  const { id: goodId } = await addChannel(site.admin, good)
  const { id: badId } = await addChannel(site.admin, bad)
  const env = { ...site.env, CHANNEL_TEST_FREQUENCY: '10' }

  await site.db.deleteFrom('channel_sweep').execute() // a recent sweep, of another file, would delay the next
  const worker = await startServer({ env, args: ['--role', 'worker'] })

  const statusOf = async (id: number) => (await site.admin.call(api.getChannel, { path: { id } })).status
  await expect.poll(() => statusOf(badId)).toBe(api.CHANNEL_STATUS.autoDisabled)
  await expect.poll(() => good.requests.length).toBe(1)
  expect(await statusOf(goodId)).toBe(api.CHANNEL_STATUS.enabled)
  await expect.poll(async () => (await site.admin.call(api.getTestProgress)).running).toBe(false)
  expect(await site.admin.call(api.getTestProgress)).toMatchObject({ total: 2, done: 2, failed: 1, cancelled: false })
  await worker.stop()
  await Promise.all([good.close(), bad.close()])
})
