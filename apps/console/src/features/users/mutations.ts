import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { afterAction } from './after-action.ts'

type UserPage = api.Page<api.ListedUser>

export function useManageUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { id: number; action: api.ManageAction }) => call(api.manageUser, { body }),
    onSuccess: (standing, { id, action }) => {
      client.setQueriesData<UserPage>({ queryKey: ['users'] }, (page) => {
        if (!page) return page
        return {
          ...page,
          items: page.items.map((user) => (user.id === id ? afterAction(user, action, standing) : user)),
        }
      })
    },
  })
}

export const useCreateUser = () =>
  useListChange((body: api.BodyInput<typeof api.createUser>) => call(api.createUser, { body }))

interface UserChange {
  edit: api.BodyInput<typeof api.updateUser>
  /** The settings areas to grant; undefined when they stay. */
  areas: api.SettingsArea[] | undefined
}

export const useUpdateUser = () =>
  useListChange(async ({ edit, areas }: UserChange) => {
    // Areas first: they can be sent again. A repeated update would change the balance twice.
    if (areas) await call(api.setSettingsAreas, { body: { id: edit.id, areas } })
    await call(api.updateUser, { body: edit })
  })

/** The list is asked again before the change counts as done. */
function useListChange<Input>(change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: ['users'] }),
  })
}
