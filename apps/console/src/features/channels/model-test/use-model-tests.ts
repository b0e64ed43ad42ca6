import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { stored } from '../../../lib/stored.ts'
import { toast } from '../../../lib/toast.ts'
import { probeModel, type ProbeResult, runTests } from './run-tests.ts'

export interface TestOptions {
  concurrency: number
  stream: boolean
}

export interface Progress {
  done: number
  total: number
}

/** Tests of the models of one channel: results, running tests and progress. */
export function useModelTests(channelId: number) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const [results, setResults] = useState(() => recallTests(channelId))
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set())
  const [progress, setProgress] = useState<Progress | null>(null)
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])

  const take = (model: string, result: ProbeResult) => {
    const { ok, message, seconds, retryable } = result
    const kept: KeptResult = { ok, message, seconds, retryable, at: Date.now() }
    keepTests(channelId, { [model]: kept })
    setResults((before) => ({ ...before, [model]: kept }))
    setRunning((before) => without(before, model))
  }

  async function run(models: readonly string[], { concurrency, stream }: TestOptions): Promise<void> {
    if (models.length === 0) return toast.error(t('test.noModels'))
    const current = new AbortController()
    control.current = current
    setProgress({ done: 0, total: models.length })
    try {
      const end = await runTests({
        models,
        concurrency,
        signal: current.signal,
        probe: (model, signal) => probeModel({ channelId, model, stream, signal }),
        onStart: (model) => setRunning((before) => new Set(before).add(model)),
        onResult(model, result) {
          take(model, result)
          setProgress((before) => before && { ...before, done: before.done + 1 })
        },
      })
      if (end === 'cancelled') toast.info(t('test.cancelled'))
      else if (models.length > 1) toast.success(t('test.finished', { count: models.length }))
    } catch (error) {
      toast.error(errorText(error))
    } finally {
      control.current = null
      setRunning(new Set())
      setProgress(null)
      void client.invalidateQueries({ queryKey: ['channels'] }) // response times
    }
  }
  return {
    results,
    running,
    /** Null while nothing runs. */
    progress,
    run: (models: readonly string[], options: TestOptions) => void run(models, options),
    cancel: () => control.current?.abort(),
    forget(models: readonly string[]) {
      keepTests(channelId, Object.fromEntries(models.map((model) => [model, null])))
      setResults(recallTests(channelId))
    },
  }
}

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return new Set([...names].filter((other) => other !== name))
}

/** The last test result of a model. */
export interface KeptResult extends Pick<ProbeResult, 'ok' | 'message' | 'seconds' | 'retryable'> {
  /** Unix milliseconds. */
  at: number
}

const KEPT_FOR_MS = 24 * 60 * 60 * 1000

/** Results of a channel that are not older than a day, by model. */
export function recallTests(channelId: number, now = Date.now()): Record<string, KeptResult> {
  return readAll(now)[channelId] ?? {}
}

/** Stores results of a channel; null removes one. Also removes results older than a day. */
export function keepTests(channelId: number, results: Record<string, KeptResult | null>, now = Date.now()): void {
  const all = readAll(now)
  const merged = { ...all[channelId], ...results }
  const kept = Object.entries(merged).filter((entry): entry is [string, KeptResult] => entry[1] !== null)
  stored.channelTests.set({ ...all, [channelId]: Object.fromEntries(kept) })
}

function readAll(now: number): Record<string, Record<string, KeptResult>> {
  const fresh = Object.entries(stored.channelTests.get() ?? {}).map(([id, results]) => {
    const entries = Object.entries((results ?? {}) as Record<string, unknown>)
    return [id, Object.fromEntries(entries.filter(([, result]) => isKept(result) && now - result.at < KEPT_FOR_MS))]
  })
  return Object.fromEntries(fresh.filter(([, results]) => Object.keys(results as object).length > 0)) as Record<
    string,
    Record<string, KeptResult>
  >
}

function isKept(value: unknown): value is KeptResult {
  if (typeof value !== 'object' || value === null) return false
  const { ok, message, seconds, at } = value as Partial<KeptResult>
  return typeof ok === 'boolean' && typeof message === 'string' && typeof seconds === 'number' && typeof at === 'number'
}
