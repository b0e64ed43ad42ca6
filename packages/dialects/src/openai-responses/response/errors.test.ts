import { describe, expect, it } from 'vitest'
import { NO_TOKENS } from '@tidegate/contract'
import { openaiResponses } from '../index.ts'

describe('errors', () => {
  it('end a stream in the format of this protocol', () => {
    const frames = { message: 'It broke (request id: r)', code: 'stream_broke', type: 'gateway_error' }

    const [error, failed] = openaiResponses.errorFrame(frames, 502, 'r').split('\n\n')

    expect(failed).toBe(
      'event: response.failed\ndata: {"type":"response.failed","response":{"id":"resp_r","object":"response",' +
        '"status":"failed","output":[],"error":{"code":"stream_broke","message":"It broke (request id: r)"}},' +
        '"sequence_number":0}',
    )
    expect(error).toBe(
      'event: error\ndata: {"type":"error","code":"stream_broke","message":"It broke (request id: r)","param":null,"sequence_number":0}',
    )
    const [, heard] = openaiResponses.createDecoder({ newId: () => '' })({
      name: 'error',
      data: error!.slice(error!.indexOf('{')),
    })
    expect(heard).toMatchObject({ type: 'error', error: { code: 'stream_broke', message: 'It broke (request id: r)' } })
  })

  it('have all four fields that clients expect', () => {
    expect(openaiResponses.renderError({ message: 'no', code: 'x' })).toEqual({
      error: { message: 'no', type: 'upstream_error', param: null, code: 'x' },
    })
  })
})

describe('closeStream', () => {
  const end = { wantsUsage: true, sentUsage: false, usage: NO_TOKENS, start: undefined }

  it('sends the last event that was held back and creates none', () => {
    const terminal = new TextEncoder().encode('event: response.completed\n')

    expect(openaiResponses.closeStream({ ...end, terminal })).toBe(terminal)
    expect(openaiResponses.closeStream({ ...end, terminal: undefined })).toBe('')
  })
})
