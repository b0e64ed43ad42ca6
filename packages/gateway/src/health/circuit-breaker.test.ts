import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCircuitBreaker, type CircuitBreaker, type Failure } from './circuit-breaker.ts'
import { testClock } from '../../test/support/clock.ts'

const key = { channelId: 1, keyId: 'k', model: 'gpt-4o' }
const failure = (outcome: Failure['outcome'], fields: Partial<Failure> = {}): Failure => ({
  outcome,
  status: 500,
  ...fields,
})
const server = failure('server')

function setUp() {
  const clock = testClock()
  const breaker = createCircuitBreaker(clock)
  let callers = 0
  /** Every failure is of another caller. */
  const fail = (times: number, what = server, where = key) => {
    for (let count = 0; count < times; count += 1) breaker.acquire(where, (callers += 1)).recordFailure(what)
  }
  const succeed = (times: number) => {
    for (let count = 0; count < times; count += 1) breaker.acquire(key, 0).recordSuccess()
  }
  return { clock, breaker, fail, succeed, wait: (callerId = 0) => breaker.waitFor(key, callerId) }
}

describe('a circuit', () => {
  it('opens for five seconds after five failures within a minute', () => {
    const { fail, wait } = setUp()

    fail(4)
    expect(wait()).toBe(0)
    fail(1)

    expect(wait()).toBe(5_000)
  })

  it('stays closed while most requests succeed', () => {
    const { fail, succeed, wait } = setUp()

    succeed(6)
    fail(5)
    expect(wait()).toBe(0)
    fail(1)

    expect(wait()).toBe(5_000)
  })

  it('is forgotten after ten thousand others, also when it is open', () => {
    const { breaker, fail, wait } = setUp()
    fail(5)
    const others = Array.from({ length: 10_000 }, (_, at) => ({ ...key, channelId: at + 2 }))

    for (const other of others.slice(1)) fail(1, server, other)
    expect([wait(), breaker.openCircuits()]).toEqual([5_000, 1])
    fail(1, server, others[0])

    expect([wait(), breaker.openCircuits()]).toEqual([0, 0])
  })

  it('stays closed when failures are far apart', () => {
    const { clock, fail, wait } = setUp()

    for (let count = 0; count < 50; count += 1) {
      fail(1)
      clock.pass(15_000)
    }

    expect(wait()).toBe(0)
  })

  it('does not affect another model, key or channel', () => {
    const { breaker, fail } = setUp()

    fail(5)

    const others = [
      { ...key, model: 'gpt-4' },
      { ...key, keyId: 'other' },
      { ...key, channelId: 2 },
    ]
    expect(others.map(breaker.waitFor)).toEqual([0, 0, 0])
    expect([breaker.hasOpenCircuit(1), breaker.hasOpenCircuit(2)]).toEqual([true, false])
  })

  it('is neither opened nor closed by client errors', () => {
    const { clock, breaker, fail, wait } = setUp()

    fail(50, failure('client', { status: 400 }))
    expect(wait()).toBe(0)
    fail(5)
    clock.pass(5_000)
    breaker.acquire(key, 0).recordFailure(failure('client', { status: 400 }))

    expect([wait(), breaker.hasOpenCircuit(1)]).toEqual([0, true])
  })
})

describe('the failures of one caller', () => {
  const failAs = (breaker: CircuitBreaker, callerId: number, what: Failure, times = 5) => {
    for (let count = 0; count < times; count += 1) breaker.acquire(key, callerId).recordFailure(what)
  }

  it('do not open the circuit until another caller fails too', () => {
    const { breaker, wait } = setUp()

    failAs(breaker, 7, server, 50)
    expect(wait()).toBe(0)
    failAs(breaker, 8, server, 1)

    expect(wait()).toBe(5_000)
  })

  it('do not open the circuit when the other caller failed more than a minute ago', () => {
    const { breaker, clock, wait } = setUp()

    failAs(breaker, 8, server, 1)
    clock.pass(60_000)
    failAs(breaker, 7, server)

    expect(wait()).toBe(0)
  })

  it.each([
    ['a response that takes too long', failure('server', { kind: 'timeout' })],
    ['a 403, which may be about a file', failure('auth', { kind: 'status', status: 403 })],
    ['a connection that is closed while a body is sent', failure('server', { kind: 'reset' })],
    ['a 429 without a time', failure('rate', { kind: 'status', status: 429 })],
    ['a 429 with a time', failure('rate', { kind: 'status', status: 429, retryAfterSeconds: 60 })],
  ])('do not open the circuit after %s', (_name, what) => {
    const { breaker, wait } = setUp()

    failAs(breaker, 7, what)

    expect(wait()).toBe(0)
  })

  it.each([
    ['a refused connection', failure('server', { kind: 'connect' }), 5],
    ['a rejected key', failure('auth', { kind: 'status', status: 401 }), 1],
    ['an empty account', failure('credit', { kind: 'status', status: 402 }), 1],
  ])('open the circuit after %s, which a request cannot cause', (_name, what, times) => {
    const { breaker, wait } = setUp()

    failAs(breaker, 7, what, times)

    expect(wait()).toBeGreaterThan(0)
  })
})

describe('after the cooldown', () => {
  it('one request probes the circuit, and its success closes it for all', () => {
    const { clock, breaker, fail, wait } = setUp()
    fail(5)
    clock.pass(5_000)

    expect(wait()).toBe(0)
    const trial = breaker.acquire(key, 0)
    expect(wait()).toBeGreaterThan(0)
    trial.recordSuccess()

    expect([wait(), breaker.hasOpenCircuit(1)]).toEqual([0, false])
    fail(4)
    expect(wait()).toBe(0)
  })

  it('a failed probe doubles the cooldown, up to a minute', () => {
    const { clock, fail, wait } = setUp()
    fail(5)

    const waits = Array.from({ length: 6 }, () => {
      const before = wait()
      clock.pass(before)
      fail(1)
      return before / 1000
    })

    expect(waits).toEqual([5, 10, 20, 40, 60, 60])
  })

  it('a released probe is available to the next request', () => {
    const { clock, breaker, fail, wait } = setUp()
    fail(5)
    clock.pass(5_000)

    breaker.acquire(key, 0).release()

    expect(wait()).toBe(0)
  })

  it('a probe that never ends does not block the circuit forever', () => {
    const { clock, breaker, fail, wait } = setUp()
    fail(5)
    clock.pass(5_000)

    breaker.acquire(key, 0)
    clock.pass(16 * 60_000)

    expect(wait()).toBe(0)
  })

  it('the circuit is usable even when the clock was set back', () => {
    const { clock, fail, wait } = setUp()
    fail(5)

    clock.pass(-3_600_000)

    expect(wait()).toBe(0)
  })

  it('requests that began before the circuit opened do not change it', () => {
    const { breaker, clock, fail, wait } = setUp()
    const [early, late, later] = [breaker.acquire(key, 0), breaker.acquire(key, 0), breaker.acquire(key, 0)]
    fail(5)

    early.recordSuccess()
    late.recordFailure(server)
    expect(wait()).toBe(5_000)
    clock.pass(5_000)
    later.recordFailure(server)

    expect(wait()).toBe(0)
  })

  it('never allows two probes at once', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('call' as const) }),
      fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 70_000 }) }),
      fc.record({
        kind: fc.constantFrom('succeeded' as const, 'server' as const, 'client' as const, 'released' as const),
        which: fc.nat(),
      }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (events) => {
        const { breaker, clock, fail } = setUp()
        fail(5)
        let open: ReturnType<CircuitBreaker['acquire']>[] = []
        for (const what of events) {
          if (what.kind === 'pass') clock.pass(what.ms)
          else if (what.kind === 'call') {
            const wasOpen = breaker.hasOpenCircuit(1)
            if (breaker.waitFor(key, 0) > 0) continue
            if (wasOpen) open = [] // a new probe: earlier ones are over
            open.push(breaker.acquire(key, 0))
            if (wasOpen) expect(breaker.waitFor(key, 0)).toBeGreaterThan(0)
          } else if (open.length > 0) {
            const [passage] = open.splice(what.which % open.length, 1)
            if (what.kind === 'succeeded') passage!.recordSuccess()
            else if (what.kind === 'released') passage!.release()
            else passage!.recordFailure(failure(what.kind))
          }
        }
        clock.pass(16 * 60_000)
        expect(breaker.waitFor(key, 0)).toBe(0) // it recovers by itself
      }),
    )
  })
})

describe('a provider that sends Retry-After', () => {
  it('is not called for that long after a second caller reads it, for that model', () => {
    const { breaker, fail, wait } = setUp()

    fail(2, failure('rate', { status: 429, retryAfterSeconds: 30 }))

    expect([wait(), breaker.waitFor({ ...key, model: 'gpt-4' }, 0)]).toEqual([30_000, 0])
  })

  it('is not called for the caller that received it, and stays available to others', () => {
    const { breaker, clock, wait } = setUp()

    breaker.acquire(key, 7).recordFailure(failure('rate', { status: 429, retryAfterSeconds: 30 }))

    expect([wait(7), wait(8), breaker.waitFor({ ...key, model: 'gpt-4' }, 7)]).toEqual([30_000, 0, 0])
    clock.pass(30_000)
    expect([wait(7), breaker.hasOpenCircuit(1)]).toEqual([0, false])
  })

  it('is ignored beyond ten minutes', () => {
    const { fail, wait } = setUp()

    fail(2, failure('rate', { status: 429, retryAfterSeconds: 86_400 }))

    expect(wait()).toBe(600_000)
  })

  it('counts failures as usual if the header is missing', () => {
    const { fail, wait } = setUp()
    const busy = failure('rate', { status: 429 })

    fail(4, busy)
    expect(wait()).toBe(0)
    fail(1, { ...busy, retryAfterSeconds: 0 })

    expect(wait()).toBe(5_000)
  })
})

describe('a key that the provider rejects', () => {
  it.each(['auth', 'credit'] as const)(
    'opens the circuit at once for all models after %s, longer each time',
    (outcome) => {
      const { breaker, clock, fail, wait } = setUp()
      const rejected = failure(outcome, { status: 401 })

      fail(1, rejected)
      expect(breaker.waitFor({ ...key, model: 'another' }, 0)).toBe(60_000)
      const waits = Array.from({ length: 5 }, () => {
        const before = wait()
        clock.pass(before)
        fail(1, rejected)
        return before / 1000
      })

      expect(waits).toEqual([60, 120, 240, 480, 600])
    },
  )

  it('stays available for other models if it is rejected for one', () => {
    const { breaker, fail, wait } = setUp()

    fail(2, failure('auth', { status: 403 }))

    expect([wait(), breaker.waitFor({ ...key, model: 'another' }, 0)]).toEqual([60_000, 0])
  })

  it('is available again when it works for any model', () => {
    const { breaker, clock, fail } = setUp()
    fail(1, failure('auth', { status: 401 }))
    clock.pass(60_000)

    breaker.acquire({ ...key, model: 'another' }, 1).recordSuccess()

    expect(breaker.hasOpenCircuit(1)).toBe(false)
  })
})

it('holds at most ten thousand circuits', () => {
  const { breaker, fail } = setUp()

  for (let channelId = 1; channelId <= 10_001; channelId += 1) {
    fail(2, failure('rate', { status: 429, retryAfterSeconds: 60 }), { ...key, channelId })
  }

  const waits = [1, 2, 10_001].map((channelId) => breaker.waitFor({ ...key, channelId }, 0) > 0)
  expect(waits).toEqual([false, true, true])
})
