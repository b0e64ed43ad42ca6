import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../lib/call-error.ts'
import { toast } from '../../../lib/toast.ts'
import { probeModel, type ProbeResult } from './probe-model.ts'
import { runTests } from './run-tests.ts'
import { keepTests, recallTests, type KeptResult } from './test-memory.ts'

export interface TestOptions {
  concurrency: number
  stream: boolean
}

export interface Progress {
  done: number
  total: number
}

/** Tests of the models of one channel: what is known, what is running, and how far it is. */
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
