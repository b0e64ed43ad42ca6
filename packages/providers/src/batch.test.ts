import { describe, expect, it } from 'vitest'
import { anthropicBatches, openaiBatches } from './batch.ts'

const openai = openaiBatches('https://api.openai.com')
const anthropic = anthropicBatches('https://api.anthropic.com')

describe('batches of OpenAI', () => {
  it.each([
    ['validating', 'running'],
    ['in_progress', 'running'],
    ['finalizing', 'running'],
    ['cancelling', 'cancelling'],
    ['completed', 'ended'],
    ['expired', 'ended'],
    ['cancelled', 'ended'],
    ['failed', 'failed'],
  ])('are %s as %s', (status, state) => {
    expect(openai.read({ id: 'batch_1', status }).state).toBe(state)
  })

  it('name the files of their results, their errors and our id', () => {
    const batch = openai.read({
      id: 'batch_1',
      status: 'cancelled',
      output_file_id: 'file-1',
      error_file_id: null,
      errors: { data: [{ code: 'invalid_url', message: 'no', line: 3 }] },
      metadata: { gateway_batch: 'batch_ours' },
    })

    expect(batch).toMatchObject({ outcome: 'canceled', results: ['/v1/files/file-1/content'], ownId: 'batch_ours' })
    expect(batch.errors).toEqual([{ code: 'invalid_url', message: 'no', line: 3 }])
  })

  it.each([
    [
      { response: { status_code: 200, body: { id: 'x' } }, error: null },
      { state: 'succeeded', body: { id: 'x' } },
    ],
    [
      { response: { status_code: 429, body: { error: {} } }, error: null },
      { state: 'errored', status: 429 },
    ],
    [{ response: null, error: { code: 'batch_expired' } }, { state: 'expired' }],
    [
      { response: null, error: { code: 'server_error' } },
      { state: 'errored', status: 500 },
    ],
  ])('have the result %j', (line, result) => {
    expect(openai.readResult(JSON.stringify({ custom_id: 'a', ...line }))).toMatchObject({ name: 'a', ...result })
  })
})

describe('batches of Anthropic', () => {
  it('are counted while they run, and have results when they have ended', () => {
    const request_counts = { processing: 4, succeeded: 0, errored: 0, canceled: 0, expired: 0 }
    const running = anthropic.read({ id: 'msgbatch_1', processing_status: 'in_progress', request_counts })
    const ended = anthropic.read({ id: 'msgbatch_1', processing_status: 'ended', request_counts: { canceled: 1 } })

    expect(running).toMatchObject({ state: 'running', total: 4, results: [] })
    expect(ended).toMatchObject({ state: 'ended', outcome: 'canceled' })
    expect(ended.results).toEqual(['/v1/messages/batches/msgbatch_1/results'])
  })

  it.each([
    [
      { type: 'succeeded', message: { id: 'm' } },
      { state: 'succeeded', status: 200, body: { id: 'm' } },
    ],
    [
      { type: 'errored', error: { error: { type: 'overloaded_error' } } },
      { state: 'errored', status: 529 },
    ],
    [{ type: 'canceled' }, { state: 'canceled' }],
    [{ type: 'expired' }, { state: 'expired' }],
  ])('have the result %j', (result, read) => {
    expect(anthropic.readResult(JSON.stringify({ custom_id: 'a', result }))).toMatchObject({ name: 'a', ...read })
  })
})
