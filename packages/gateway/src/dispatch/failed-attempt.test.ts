import { readSettings } from '@tidegate/contract'
import { UpstreamFailure } from '@tidegate/providers'
import { describe, expect, it } from 'vitest'
import type { ErrorLogRow } from '../ports/index.ts'
import type { Route } from '../route/route.ts'
import { aCaller, aChannel } from '../../test/support/catalog.ts'
import { createHealth } from '../health/health.ts'
import { testClock } from '../../test/support/clock.ts'
import { createFailureHandler } from './failed-attempt.ts'

const KEY = 'a-key-of-the-provider'
const channel = aChannel({ id: 7, name: 'the-good-channel', keys: [KEY] })
const failure = new UpstreamFailure({
  kind: 'status',
  status: 401,
  error: { message: `${KEY} is not known`, type: `refused ${KEY}`, code: `no ${KEY}` },
})

/** What was disabled and recorded after the failure. */
function after(options: readonly [string, string][]) {
  const disabled: { channelId: number; key: string; reason: string }[] = []
  const rows: ErrorLogRow[] = []
  const clock = testClock()
  const ports = {
    disable: (request: (typeof disabled)[number]) => void disabled.push(request),
    recordError: (row: ErrorLogRow) => void rows.push(row),
    now: clock.now,
  }
  const settings = readSettings(new Map(options))
  const incoming = { requestId: 'req-1', clientAddress: '::1', startedAt: clock.now(), known: {} }
  const watched = { incoming, caller: aCaller(), group: 'default', request: { model: 'gpt-4o', stream: false } }
  const failed = createFailureHandler({ ports, health: createHealth(clock), settings }, watched)
  const tried = [{ channel: 7, dialect: 'openai-chat', milliseconds: 5, status: 401, reason: 'status: rejected' }]
  failed({ channel } as Route, { key: KEY, report() {}, end() {} }, failure, tried)?.(true)
  return { disabled, rows }
}

describe('a failed attempt', () => {
  it('is recorded with the message that the client gets, and with the original for administrators', () => {
    const { rows } = after([
      ['LogErrorEnabled', 'true'],
      ['global.hide_upstream_error_enabled', 'true'],
    ])

    expect(rows).toMatchObject([
      {
        requestId: 'req-1',
        content: expect.stringContaining('rejected the account'),
        other: { status_code: 401, channel_id: 7, admin_info: { message: '*** is not known' } },
      },
    ])
  })

  it('does not record the channel key, wherever the provider repeats it', () => {
    expect(JSON.stringify(after([['LogErrorEnabled', 'true']]).rows)).not.toContain(KEY)
  })

  it('disables the key where that is enabled, and is not recorded where error logs are off', () => {
    const silent: [string, string] = ['LogErrorEnabled', 'false']
    expect(after([['AutomaticDisableChannelEnabled', 'true'], silent])).toEqual({
      disabled: [{ channelId: 7, key: KEY, reason: 'status 401: *** is not known' }],
      rows: [],
    })
    expect(after([silent])).toEqual({ disabled: [], rows: [] })
  })
})
