import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export { optionsQuery, useSaveOptions, type Options, type SaveResult } from '../../api/options.ts'

/** The form that asks tells of a refusal itself, beside the field. */
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
