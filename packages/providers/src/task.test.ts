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
  submission: UpstreamTaskRequest
}

it.each<Example>([
  {
    type: 2,
    kind: 'drawing',
    submission: { action: 'IMAGINE', path: '/mj/submit/imagine', body: { prompt: 'a gate' } },
  },
  { type: 36, kind: 'music', submission: { action: 'MUSIC', path: '/suno/submit/music', body: { mv: 'chirp-v3-0' } } },
  { type: 1, kind: 'video', submission: { action: 'GENERATE', path: '/v1/videos', body: { prompt: 'a tide' } } },
])('submits, polls and finishes a $kind, whatever its id is', async ({ type, kind, submission }) => {
  const provider = providerOf(type)
  const tasks = provider.tasks![kind]!
  const target = { baseUrl: fake.url, key: fake.key, model: 'm' }
  const call = async (url: string, method: string, body?: string) => {
    const headers = { 'content-type': 'application/json', ...provider.authorize(target) }
    return (await fetch(url, { method, headers, body })).json()
  }
  const follow = async (upstreamId: string) => {
    const { url, method, body } = tasks.pollRequest(target, [upstreamId])
    return tasks.readPoll(await call(url, method, body))
  }
  fake.nextSubmission({ id: 'a/../b?c#d %' })

  const response = await call(tasks.submitUrl(target, submission), 'POST', JSON.stringify(submission.body))
  const { upstreamId } = tasks.readSubmission(response as JsonObject, submission)
  fake.advance(upstreamId, { status: 'IN_PROGRESS', progress: 35 })
  const halfway = await follow(upstreamId)
  fake.advance(upstreamId, { status: 'FAILURE', failReason: 'too dark' })
  const over = await follow(upstreamId)

  expect(upstreamId).toBe('a/../b?c#d %')
  expect(halfway).toMatchObject([{ upstreamId, status: 'IN_PROGRESS', progress: 35 }])
  expect(over).toMatchObject([{ upstreamId, status: 'FAILURE', failReason: 'too dark' }])
  expect(fake.polls.map(({ ids }) => ids)).toEqual([[upstreamId], [upstreamId]])
})
