import { describe, expect, it } from 'vitest'
import { type ProbeResult, runTests } from './run-tests.ts'

const passed: ProbeResult = { ok: true, message: '', seconds: 0.5, model: '', retryable: false }
const failed = (retryable: boolean): ProbeResult => ({ ...passed, ok: false, message: 'no', retryable })

/** Returns the results of each model in order, and counts concurrent tests. */
function arrange(replies: Record<string, ProbeResult[]>, concurrency = 3) {
  const results: Record<string, ProbeResult> = {}
  const started: string[] = []
  const pauses: number[] = []
  const control = new AbortController()
  let running = 0
  let most = 0
  const run = {
    models: Object.keys(replies),
    concurrency,
    signal: control.signal,
    async probe(model: string) {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      return replies[model]!.shift()!
    },
    onStart: (model: string) => started.push(model),
    onResult: (model: string, result: ProbeResult) => {
      results[model] = result
    },
    wait: async (milliseconds: number) => {
      pauses.push(milliseconds)
    },
  }
  return { run, results, started, pauses, control, most: () => most }
}

describe('testing many models', () => {
  it('tests each model once within the concurrency limit', async () => {
    const models = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`m${index}`, [passed]]))
    const { run, results, most } = arrange(models, 2)

    expect(await runTests(run)).toBe('finished')

    expect(Object.keys(results).sort()).toEqual(Object.keys(models))
    expect(most()).toBe(2)
  })

  it('retries a retryable failure twice, after one and two seconds', async () => {
    const { run, results, pauses } = arrange({ flaky: [failed(true), failed(true), failed(true), passed] })

    await runTests(run)

    expect(results.flaky).toMatchObject({ ok: false })
    expect(pauses).toEqual([1000, 2000])
  })

  it('stops retrying after a success', async () => {
    const { run, results, pauses } = arrange({ flaky: [failed(true), passed] })

    await runTests(run)

    expect(results.flaky).toMatchObject({ ok: true })
    expect(pauses).toEqual([1000])
  })

  it('does not retry a final failure', async () => {
    const { run, pauses } = arrange({ dead: [failed(false)] })

    await runTests(run)

    expect(pauses).toEqual([])
  })

  it('stops when cancelled, without results for running and queued models', async () => {
    const { run, results, started, control } = arrange({ a: [passed], b: [passed], c: [passed] }, 1)
    const probe = async (model: string) => {
      if (model === 'b') control.abort()
      return passed
    }

    expect(await runTests({ ...run, probe })).toBe('cancelled')

    expect(Object.keys(results)).toEqual(['a'])
    expect(started).toEqual(['a', 'b'])
  })

  it('stops a retry delay when cancelled', async () => {
    const { run, control, results } = arrange({ slow: [failed(true), passed] })
    const { wait: _, ...withoutWait } = run
    const probe = async () => {
      queueMicrotask(() => control.abort())
      return failed(true)
    }

    expect(await runTests({ ...withoutWait, probe })).toBe('cancelled')

    expect(results).toEqual({})
  })

  it('throws errors of the console instead of reporting a failed model', async () => {
    const { run } = arrange({ a: [passed] })

    await expect(runTests({ ...run, probe: () => Promise.reject(new TypeError('bug')) })).rejects.toThrow('bug')
  })
})
