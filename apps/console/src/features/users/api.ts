import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callForText } from '../../api/client.ts'
import type { StatementSource } from '../../components/statement/statement-query.ts'
import type { FilterValues } from '../../ui/filters/define-filters.ts'
import type { SortOrder } from '../../ui/table/sorting.tsx'
import type { userFilters } from './filters.ts'

/** Key of all queries that list users. */
export const USERS = ['users'] as const

interface UserPage {
  rows: api.ListedUser[]
  total: number
}

/** `page` is 1-based here and in the search, and 0-based in the plain list. */
export const usersQuery = (
  filters: FilterValues<typeof userFilters>,
  order: SortOrder<api.UserSort> | null,
  { page, size }: { page: number; size: number },
) =>
  queryOptions({
    queryKey: [...USERS, filters, order, page, size],
    queryFn: async ({ signal }): Promise<UserPage> => {
      const query = { page_size: size, ...(order && { sort: order.by, direction: order.direction }) }
      const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
      const { items: rows, total } =
        Object.keys(chosen).length === 0
          ? await call(api.listUsers, { query: { ...query, p: page - 1 }, signal })
          : await call(api.searchUsers, { query: { ...query, ...chosen, p: page }, signal })
      return { rows, total }
    },
    placeholderData: keepPreviousData,
  })

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['user', id],
    queryFn: ({ signal }) => call(api.getUser, { params: { id }, signal }),
  })

export const createUser = (body: api.BodyInput<typeof api.createUser>) => call(api.createUser, { body })

interface UserChange {
  /** Null if only the settings areas change. */
  edit: api.BodyInput<typeof api.updateUser> | null
  /** The settings areas to grant, if they change. */
  areas: api.SettingsArea[] | null
}

export async function updateUser(id: number, { edit, areas }: UserChange): Promise<void> {
  // Areas first, because they can be sent again. A repeated update would change the balance twice.
  if (areas) await call(api.setSettingsAreas, { body: { id, areas } })
  if (edit) await call(api.updateUser, { body: edit })
}

/** Only the difference to the balance that was read is applied, so that spending in the meantime counts. */
export const topUpUser = ({ id, username, quota }: api.User, amount: number) =>
  call(api.updateUser, { body: { id, username, quota: quota + amount, quota_seen: quota } })

interface Action {
  user: api.ListedUser
  action: api.ManageAction
}

/**
 * Acts on a user. The row shows the expected status immediately; the server's reply then replaces it, or the previous
 * status returns after an error.
 */
export function useManageUser() {
  const client = useQueryClient()
  const setRow = ({ id }: api.ListedUser, change: (row: api.ListedUser) => Partial<api.ListedUser>) =>
    client.setQueriesData<UserPage>(
      { queryKey: USERS },
      (page) => page && { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, ...change(row) } : row)) },
    )
  return useMutation({
    mutationFn: ({ user: { id }, action }: Action) => call(api.manageUser, { body: { id, action } }),
    onMutate: ({ user, action }) => {
      const status = EXPECTED_STATUS[action]
      if (status !== undefined) setRow(user, () => ({ status }))
    },
    onSuccess: ({ role, status }, { user, action }) =>
      setRow(user, (row) => ({ role, status, DeletedAt: deletedAt(row, action) })),
    onError: (_error, { user }) => setRow(user, () => ({ status: user.status })),
  }).mutateAsync
}

const EXPECTED_STATUS: Partial<Record<api.ManageAction, number>> = {
  enable: api.USER_STATUS.active,
  disable: api.USER_STATUS.banned,
}

function deletedAt(row: api.ListedUser, action: api.ManageAction): string | null {
  if (action === 'delete') return new Date().toISOString()
  return action === 'restore' ? null : row.DeletedAt
}

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
