import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call, callForText } from '../../../lib/call.ts'
import type { StatementSource } from '../../../lib/statement/statement-query.ts'

export const statementOf = (id: number): StatementSource => ({
  key: ['user-statement', id],
  read: (query, signal) => call(api.listStatement, { params: { id }, query, signal }),
  readFile: (kind) => callForText(api.exportStatement, { params: { id }, query: { kind } }),
  fileName: `statement-${id}`,
})

export const usernameQuery = (id: number) =>
  queryOptions({
    queryKey: ['username', id],
    queryFn: async ({ signal }) => (await call(api.getUser, { params: { id }, signal })).username,
    staleTime: 60_000,
  })
