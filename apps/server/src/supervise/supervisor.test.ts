import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FamilyMember } from '../environment.ts'
import { createLogger } from '../observability/logging.ts'
import type { ForkMember, ProcessExit } from './fork-member.ts'
import { readFamilyReadiness } from './family-readiness.ts'
import { createSupervisor, MemberExit } from './supervisor.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const member = (slot: string): FamilyMember => ({ slot, roles: ['gateway'], poolSize: 4, settleIntervalMs: 200 })
const LEAVE_MS = 1_000
const KILLED: ProcessExit = { code: null, signal: 'SIGKILL' }

/** Processes that start at once and leave when requested, unless a test says otherwise. */
function setUp(slots: readonly string[] = ['one', 'two']) {
  const started: { slot: string; isReplacement: boolean; end(exit: ProcessExit): void }[] = []
  const misconfigured: ProcessExit[] = []
  /** Exits of the next processes, before they are ready. */
  const failures: ProcessExit[] = []
  const fork: ForkMember = ({ slot, isReplacement = false }) => {
    const exited = Promise.withResolvers<ProcessExit>()
    const failure = failures.shift()
    if (failure) exited.resolve(failure)
    started.push({ slot, isReplacement, end: exited.resolve })
    return {
      pid: started.length,
      startedAt: Date.now(),
      ready: failure ? new Promise(() => {}) : Promise.resolve({ port: 80 }),
      exited: exited.promise,
      request: () => Promise.resolve({ problems: [], degraded: [] } as never),
      send: (topic) => {
        if (topic === 'stop') exited.resolve({ code: 0, signal: null })
        if (topic === 'leave') setTimeout(exited.resolve, LEAVE_MS, { code: 0, signal: null })
      },
      kill: () => exited.resolve(KILLED),
    }
  }
  const supervisor = createSupervisor({
    members: slots.map(member),
    fork,
    log: createLogger('silent'),
    drainMs: 30_000,
    handlersFor: () => ({}),
    onMisconfigured: (exit) => void misconfigured.push(exit),
  })
  const running = () => [...supervisor.running].map(({ pid }) => pid)
  return { supervisor, started, failures, misconfigured, running }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

describe('a start', () => {
  it('resolves with the port when all processes are ready', async () => {
    const { supervisor, started } = setUp(['one', 'two', 'three'])

    expect(await supervisor.start()).toBe(80)
    expect(started.map(({ slot }) => slot)).toEqual(['one', 'two', 'three'])
  })

  it('fails with the exit of a process, and starts no other when it is the first', async () => {
    const { supervisor, started, failures } = setUp()
    failures.push({ code: 1, signal: null })

    await expect(supervisor.start()).rejects.toThrow(MemberExit)
    expect(started).toHaveLength(1)
  })
})

describe('a process that crashes', () => {
  it('is started again, later each time, and the others stay', async () => {
    const { supervisor, started, running } = setUp()
    await supervisor.start()

    started[0]!.end(KILLED)
    await vi.advanceTimersByTimeAsync(199)
    expect(running()).toEqual([2])
    await vi.advanceTimersByTimeAsync(1)
    expect(running()).toEqual([2, 3])
    started[2]!.end(KILLED)
    await vi.advanceTimersByTimeAsync(399)

    expect(running()).toEqual([2])
    expect(supervisor.slots[0]!.restarts).toBe(1)
  })

  it('is reported by readiness when it crashed five times within a minute', async () => {
    const { supervisor, started } = setUp()
    await supervisor.start()
    for (let count = 0; count < 5; count += 1) {
      started.findLast(({ slot }) => slot === 'one')!.end(KILLED)
      await vi.advanceTimersByTimeAsync(4_000)
    }

    expect(await readFamilyReadiness(supervisor)).toEqual({
      isReady: true,
      problems: ['one: crashed five times within a minute'],
      degraded: [],
    })
  })

  it('is not started again when its configuration is invalid', async () => {
    const { supervisor, started, misconfigured } = setUp()
    await supervisor.start()

    started[0]!.end({ code: 78, signal: null })
    await vi.advanceTimersByTimeAsync(60_000)

    expect([misconfigured, started.length]).toEqual([[{ code: 78, signal: null }], 2])
  })
})

describe('a reload', () => {
  it('replaces one process after the other', async () => {
    const { supervisor, running } = setUp()
    await supervisor.start()

    const reloading = supervisor.reload()
    await vi.advanceTimersByTimeAsync(LEAVE_MS / 2)
    expect(running()).toEqual([1, 2, 3])
    await vi.advanceTimersByTimeAsync(LEAVE_MS)
    expect(running()).toEqual([2, 3, 4])
    await vi.advanceTimersByTimeAsync(LEAVE_MS)

    expect(await reloading).toBe(true)
    expect(running()).toEqual([3, 4])
  })

  it('says to new processes that others hold the credit leases, but not after a crash', async () => {
    const { supervisor, started } = setUp(['one'])
    await supervisor.start()
    const reloading = supervisor.reload()
    await vi.advanceTimersByTimeAsync(LEAVE_MS)
    await reloading

    started[1]!.end(KILLED)
    await vi.advanceTimersByTimeAsync(1_000)

    expect(started.map(({ isReplacement }) => isReplacement)).toEqual([false, true, false])
  })

  it('keeps the old processes when a new one is not ready', async () => {
    const { supervisor, failures, running } = setUp()
    await supervisor.start()
    failures.push({ code: 1, signal: null })

    expect(await supervisor.reload()).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(running()).toEqual([1, 2])
  })

  it('keeps the old process when a new one dies as soon as it is ready', async () => {
    const { supervisor, started, running } = setUp()
    await supervisor.start()

    const reloading = supervisor.reload()
    started[2]!.end(KILLED)

    expect(await reloading).toBe(false)
    expect(running()).toEqual([1, 2])
  })

  it('stops when a new process dies soon after it was ready, and starts that one again', async () => {
    const { supervisor, started, running } = setUp()
    await supervisor.start()

    const reloading = supervisor.reload()
    await settle()
    started[2]!.end(KILLED)
    await vi.advanceTimersByTimeAsync(LEAVE_MS)

    expect(await reloading).toBe(false)
    expect(running()).toEqual([2, 4])
  })
})

it('stops all processes, and starts none of those that crashed', async () => {
  const { supervisor, started, running } = setUp()
  await supervisor.start()
  started[0]!.end(KILLED)
  await settle()

  await supervisor.stop()
  await vi.advanceTimersByTimeAsync(60_000)

  expect([running(), started.length]).toEqual([[], 2])
})
