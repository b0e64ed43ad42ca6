import { describe, expect, it } from 'vitest'
import { NO_TOKENS } from '@tidegate/contract'
import { anthropicMessages } from '../index.ts'

const { renderError, errorFrame, pingFrame, closeStream } = anthropicMessages
const typeFor = (status: number, type?: string) =>
  (renderError({ message: 'no', type }, status, 'r').error as { type: string }).type

describe('renderError', () => {
  it('writes the error format of the protocol with our code', () => {
    expect(renderError({ message: 'no', type: 'gateway_error', code: 'no_channel', param: 'x' }, 503, 'r1')).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'no', code: 'no_channel' },
      request_id: 'r1',
    })
  })

  const types: [number, string][] = [
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [529, 'overloaded_error'],
  ]
  it.each(types)('writes status %i as %s', (status, type) => {
    expect(typeFor(status)).toBe(type)
  })

  it("keeps the provider's error type if the protocol has it", () => {
    expect(typeFor(500, 'overloaded_error')).toBe('overloaded_error')
    expect(typeFor(500, 'server_error')).toBe('api_error')
  })
})

describe('frames of the gateway', () => {
  it('name their event', () => {
    expect(pingFrame).toBe('event: ping\ndata: {"type":"ping"}\n\n')
    expect(errorFrame({ message: 'no' }, 500, 'r')).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"no"},"request_id":"r"}\n\n',
    )
  })

  it("close a stream with the provider's end marker or a new one", () => {
    const end = { wantsUsage: true, sentUsage: true, usage: NO_TOKENS, start: undefined }
    const terminal = new Uint8Array([1])

    expect(closeStream({ ...end, terminal })).toBe(terminal)
    expect(closeStream({ ...end, terminal: undefined })).toBe('event: message_stop\ndata: {"type":"message_stop"}\n\n')
  })
})
