import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'

/** A file with what it takes to read it. A blank passphrase is none. */
export interface FileOrder {
  yaml: string
  passphrase: string
  prune: boolean
}

const bodyOf = ({ passphrase, ...file }: FileOrder) => ({ ...file, ...(passphrase !== '' && { passphrase }) })

export function useExportConfig() {
  return useMutation({
    mutationFn: (passphrase: string) => call(api.exportConfig, { body: passphrase === '' ? {} : { passphrase } }),
  })
}

export function usePlanConfig() {
  return useMutation({
    mutationFn: (order: FileOrder) => call(api.planConfig, { body: bodyOf(order) }),
    meta: { showsErrors: true },
  })
}

/** A file can change what any screen shows, so everything is read anew. */
export function useApplyConfig() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ version, ...order }: FileOrder & { version: number }) =>
      call(api.applyConfig, { body: { ...bodyOf(order), expect_version: version } }),
    onSuccess: () => client.invalidateQueries(),
    meta: { showsErrors: true },
  })
}

/** What is wrong in the file, by line; none when the refusal is about something else. */
export function problemsIn(error: unknown): readonly api.ConfigProblem[] {
  if (!(error instanceof ApiError) || error.code !== 'config_file_invalid') return []
  return (error.data as { problems?: api.ConfigProblem[] } | undefined)?.problems ?? []
}
