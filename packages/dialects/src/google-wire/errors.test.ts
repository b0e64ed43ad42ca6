import { describe, expect, it } from 'vitest'
import { errorFrame, readError, renderError } from './errors.ts'

describe('renderError', () => {
  it('has the format of Google, with our code in the details', () => {
    expect(renderError({ message: 'no (request id: r)', type: 'gateway_error', code: 'model_not_found' }, 404)).toEqual(
      {
        error: {
          code: 404,
          message: 'no (request id: r)',
          status: 'NOT_FOUND',
          details: [
            { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'model_not_found', domain: 'tidegate' },
          ],
        },
      },
    )
  })

  const names: [number, string][] = [
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
    [418, 'UNKNOWN'],
  ]
  it.each(names)('names the status %i', (status, name) => {
    expect(renderError({ message: 'no' }, status)).toEqual({ error: { code: status, message: 'no', status: name } })
  })

  it('keeps the details of a provider, such as the retry delay', () => {
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' }

    expect(renderError({ message: 'busy', code: 429, details: [retry] }, 429)).toMatchObject({
      error: { details: [retry] },
    })
  })
})

describe('errorFrame', () => {
  it('is an event, followed by the bare error that SDKs of Google raise', () => {
    const [event, bare, ...rest] = errorFrame({ message: 'lost' }, 503).split('\n\n')

    expect(readError(JSON.parse(event!.slice('data: '.length)))).toMatchObject({
      error: { message: 'lost' },
      status: 503,
    })
    expect(JSON.parse(bare!)).toEqual({ error: { code: 503, message: 'lost', status: 'UNAVAILABLE' } })
    expect(rest).toEqual([])
  })
})

describe('readError', () => {
  it('finds no error in a response', () => {
    expect(readError({ candidates: [] })).toBeUndefined()
    expect(readError({ error: null })).toBeUndefined()
    expect(readError('text')).toBeUndefined()
  })

  it('reads a string as the message', () => {
    expect(readError({ error: 'out of memory' })).toEqual({ error: { message: 'out of memory' } })
  })
})
