import type { UsageLog } from '@tidegate/contract/api'
import { describe, expect, it } from 'vitest'
import { readDetails } from './log-details.ts'
import { receiptOf } from './receipt.ts'

function aLog(other: object, changes: Partial<UsageLog> = {}): UsageLog {
  return {
    id: 1,
    created_at: 1_700_000_000,
    type: 2,
    content: '',
    user_id: 1,
    username: 'mira',
    token_id: 1,
    token_name: 'laptop',
    model_name: 'gpt-4o',
    quota: 3625,
    prompt_tokens: 1000,
    completion_tokens: 500,
    use_time: 2,
    is_stream: true,
    channel: 0,
    channel_name: '',
    group: 'default',
    client_ip: '',
    request_id: '',
    other: JSON.stringify(other),
    ...changes,
  }
}

const receipt = (log: UsageLog) => receiptOf(log, readDetails(log))

describe('the receipt of a call', () => {
  it('takes cached tokens out of the prompt, so that every token is counted once', () => {
    const log = aLog({ model_ratio: 1.25, completion_ratio: 4, group_ratio: 1, cache_tokens: 200, cache_ratio: 0.5 })

    expect(receipt(log)).toMatchObject({
      kind: 'per-token',
      buckets: [
        { name: 'prompt', tokens: 800, ratio: 1 },
        { name: 'cached', tokens: 200, ratio: 0.5 },
        { name: 'completion', tokens: 500, ratio: 4 },
      ],
      sum: 2900,
      modelRatio: 1.25,
    })
  })

  it('leaves the prompt alone where the vendor counts the cache apart', () => {
    const other = {
      claude: true,
      model_ratio: 1.5,
      completion_ratio: 5,
      group_ratio: 1,
      cache_tokens: 1000,
      cache_ratio: 0.1,
      cache_creation_tokens: 400,
      cache_creation_ratio: 1.25,
    }

    expect(receipt(aLog(other, { prompt_tokens: 100, completion_tokens: 50, quota: 1425 }))).toMatchObject({
      sum: 100 + 100 + 500 + 250,
    })
  })

  it('is a price per call when the model has one', () => {
    expect(receipt(aLog({ model_price: 0.02, group_ratio: 2 }))).toEqual({
      kind: 'per-call',
      price: 0.02,
      groupRatio: 2,
    })
  })

  it('uses the own ratio of the user in place of the group ratio', () => {
    expect(receipt(aLog({ model_price: 1, group_ratio: 2, user_group_ratio: 0.5 }))).toMatchObject({ groupRatio: 0.5 })
  })

  it('says when the minimum of one was charged', () => {
    const other = { model_ratio: 0.01, completion_ratio: 1, group_ratio: 1, model_price: -1 }

    expect(receipt(aLog(other, { prompt_tokens: 3, completion_tokens: 1, quota: 1 }))).toMatchObject({
      isMinimum: true,
    })
  })

  it('is absent rather than wrong when factors are missing or audio is priced apart', () => {
    expect(receipt(aLog({}))).toBeNull()
    expect(receipt(aLog({}, { other: 'not json' }))).toBeNull()
    expect(receipt(aLog({ audio: true, model_ratio: 1, group_ratio: 1 }))).toBeNull()
  })
})
