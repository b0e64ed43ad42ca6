import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'

export {
  HISTORY_PAGE_SIZE,
  historyQuery,
  optionsQuery,
  useSaveOptions,
  type Options,
  type SaveResult,
} from '../../api/options.ts'

/** The form shows an error at the field. */
export function useDiscoverOidc() {
  return useMutation({
    mutationFn: (well_known: string) => call(api.discoverOidc, { body: { well_known } }),
    meta: { showsErrors: true },
  })
}

export function useSendTestMail() {
  return useMutation({ mutationFn: (to: string) => call(api.sendTestMail, { body: { to } }) })
}

export function useCleanLogs() {
  return useMutation({
    mutationFn: (target_timestamp: number) => call(api.deleteLogs, { query: { target_timestamp } }),
  })
}

/** Options affect every page, so all queries are loaded again. */
export function useRestoreOption() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(api.restoreOption, { params: { id } }),
    onSuccess: () => client.invalidateQueries(),
    meta: { showsErrors: true },
  })
}

/** A configuration file to plan or apply. The passphrase is blank if the file has no encrypted secrets. */
export interface ConfigFile {
  yaml: string
  passphrase: string
  prune: boolean
}

const bodyOf = ({ passphrase, ...body }: ConfigFile) => ({ ...body, ...(passphrase !== '' && { passphrase }) })

export function useExportConfig() {
  return useMutation({
    mutationFn: (passphrase: string) => call(api.exportConfig, { body: passphrase === '' ? {} : { passphrase } }),
  })
}

export function usePlanConfig() {
  return useMutation({
    mutationFn: (file: ConfigFile) => call(api.planConfig, { body: bodyOf(file) }),
    meta: { showsErrors: true },
  })
}

export function useApplyConfig() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ version, ...file }: ConfigFile & { version: number }) =>
      call(api.applyConfig, { body: { ...bodyOf(file), expect_version: version } }),
    onSuccess: () => client.invalidateQueries(),
    meta: { showsErrors: true },
  })
}

/** The problems of an invalid file by line. Empty for other errors. */
export function problemsIn(error: unknown): readonly api.ConfigProblem[] {
  if (!(error instanceof ApiError) || error.code !== 'config_file_invalid') return []
  return (error.data as { problems?: api.ConfigProblem[] } | undefined)?.problems ?? []
}
