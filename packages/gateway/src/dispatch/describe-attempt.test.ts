import { UpstreamFailure, type ChatApi } from '@tidegate/providers'
import { expect, it } from 'vitest'
import type { Route } from '../route/route.ts'
import { aChannel } from '../../test/support/catalog.ts'
import { describeAttempt } from './failed-attempt.ts'

it("records the provider's error of a failed attempt, without the channel key", () => {
  const route = { channel: aChannel({ id: 3 }) } as Route
  const conversation = { dialect: 'openai-chat' } as ChatApi
  const error = { message: 'my-provider-key is out of credit', type: 'x', param: '', code: '' }
  const failure = new UpstreamFailure({ kind: 'status', status: 402, error })

  expect(describeAttempt(route, conversation, 12, { failure, key: 'my-provider-key' })).toEqual({
    channel: 3,
    dialect: 'openai-chat',
    milliseconds: 12,
    status: 402,
    reason: 'status: *** is out of credit',
  })
})
