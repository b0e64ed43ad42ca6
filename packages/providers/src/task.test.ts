import { fakeTaskProvider, type FakeTaskProvider } from '@tidegate/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JsonObject } from '@tidegate/dialects'
import { providerOf } from './registry.ts'
import type { TaskKind, UpstreamTaskRequest } from './task.ts'

let fake: FakeTaskProvider
beforeEach(async () => {
  fake = await fakeTaskProvider()
})
afterEach(() => fake.close())

interface Example {
  type: number
  kind: TaskKind
  order: UpstreamTaskRequest
}

it.each<Example>([
  { type: 2, kind: 'drawing', order: { action: 'IMAGINE', path: '/mj/submit/imagine', body: { prompt: 'a gate' } } },
  { type: 36, kind: 'music', order: { action: 'MUSIC', path: '/suno/submit/music', body: { mv: 'chirp-v3-0' } } },
  { type: 1, kind: 'video', order: { action: 'GENERATE', path: '/v1/videos', body: { prompt: 'a tide' } } },
])('submits, polls and finishes a $kind, whatever its id is', async ({ type, kind, order }) => {
  const provider = providerOf(type)
  const vendor = provider.tasks![kind]!
  const target = { baseUrl: fake.url, key: fake.key, model: 'm' }
  const call = async (url: string, method: string, body?: string) => {
    const headers = { 'content-type': 'application/json', ...provider.authorize(target) }
    return (await fetch(url, { method, headers, body })).json()
  }
  const follow = async (vendorId: string) => {
    const { url, method, body } = vendor.inquire(target, [vendorId])
    return vendor.readInquiry(await call(url, method, body))
  }
  fake.nextOrder({ id: 'a/../b?c#d %' })

  const answer = await call(vendor.submitUrl(target, order), 'POST', JSON.stringify(order.body))
  const { vendorId } = vendor.readSubmission(answer as JsonObject, order)
  fake.advance(vendorId, { status: 'IN_PROGRESS', progress: 35 })
  const halfway = await follow(vendorId)
  fake.advance(vendorId, { status: 'FAILURE', failReason: 'too dark' })
  const over = await follow(vendorId)

  expect(vendorId).toBe('a/../b?c#d %')
  expect(halfway).toMatchObject([{ vendorId, status: 'IN_PROGRESS', progress: 35 }])
  expect(over).toMatchObject([{ vendorId, status: 'FAILURE', failReason: 'too dark' }])
  expect(fake.inquiries.map(({ ids }) => ids)).toEqual([[vendorId], [vendorId]])
})
