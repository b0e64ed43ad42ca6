import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toast } from '../../../lib/toast.ts'

/** Passes over all channels that the server makes in the background. */
const SWEEPS = {
  tests: { start: api.testAllChannels, progress: api.getTestProgress, cancel: api.cancelTests },
  balances: { start: api.refreshAllBalances, progress: api.getBalanceProgress, cancel: api.cancelBalances },
} as const
export type SweepKind = keyof typeof SWEEPS

/** Often enough to be watched, and rare enough to leave room under the limit of calls for everything else. */
const LOOK_EVERY_MS = 2500

const progressQuery = (kind: SweepKind) =>
  queryOptions({
    queryKey: ['sweep', kind],
    queryFn: ({ signal }) => call(SWEEPS[kind].progress, { signal }),
    refetchInterval: ({ state }) => (state.data?.running ? LOOK_EVERY_MS : false),
    staleTime: 0,
    retry: false,
  })

/** A sweep as this page sees it. One that somebody else started shows as well. */
export function useSweep(kind: SweepKind) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const progress = useQuery(progressQuery(kind)).data
  const look = () => client.invalidateQueries({ queryKey: ['sweep', kind] })
  const start = useMutation({
    mutationFn: () => call(SWEEPS[kind].start),
    onSuccess: () => {
      toast.success(t(`sweep.${kind}.started`))
      return look()
    },
  })
  const cancel = useMutation({ mutationFn: () => call(SWEEPS[kind].cancel), onSettled: look })

  const isRunning = progress?.running ?? false
  const wasRunning = useRef(isRunning)
  useEffect(() => {
    if (wasRunning.current && !isRunning && progress) {
      const words = { done: progress.done, total: progress.total, failed: progress.failed }
      if (progress.cancelled) toast.info(t(`sweep.${kind}.cancelled`, words))
      else toast.success(t(`sweep.${kind}.finished`, words))
      void client.invalidateQueries({ queryKey: ['channels'] })
    }
    wasRunning.current = isRunning
  }, [isRunning, progress, client, kind, t])

  return { progress, isRunning, start, cancel }
}
