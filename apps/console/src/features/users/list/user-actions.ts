import type { ListedUser, ManageAction } from '@tidegate/contract/api'
import { createContext, useContext, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBalance } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { App } from '../../../ui/kit/index.ts'
import { useManageUser } from '../mutations.ts'

/** Everything but enabling takes something away or gives a power, so it asks first. */
export type AskedAction = Exclude<ManageAction, 'enable'>

/** What can be done with a row. Made once for the list: hooks in each of a hundred rows would be felt. */
export interface UserActions {
  edit(id: number): void
  enable(user: ListedUser): Promise<unknown>
  /** Says what will be lost, and acts after a yes. */
  ask(user: ListedUser, action: AskedAction): void
}

export const UserActionsContext = createContext<UserActions | null>(null)

export function useActions(): UserActions {
  const actions = useContext(UserActionsContext)
  if (!actions) throw new Error('Rows need the actions of their list.')
  return actions
}

export function useUserActions({ edit }: Pick<UserActions, 'edit'>): UserActions {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const manage = useManageUser().mutateAsync

  const act = (id: number, action: ManageAction) => manage({ id, action }).then(() => toast.success(t('done')), told)
  return useSteady({
    edit,
    enable: ({ id }) => act(id, 'enable'),
    ask: ({ id, username: name, quota }, action) =>
      void modal.confirm({
        title: t(`confirm.${action}.title`, { name }),
        content: t(`confirm.${action}.text`, { balance: formatBalance(quota) }),
        okText: t(`confirm.${action}.ok`),
        cancelText: common('cancel'),
        okButtonProps: { danger: TAKES_AWAY.has(action) },
        // The question closes before the call is made: the server may first want proof of who is asking.
        onOk: () => void act(id, action),
      }),
  })
}

const TAKES_AWAY: ReadonlySet<AskedAction> = new Set(['demote', 'disable', 'delete', 'reset_security'])

/** A refusal has been told by a toast already. */
const told = () => {}

/** The same object for the life of the list, so that rows are not drawn anew whenever the page is. */
function useSteady(latest: UserActions): UserActions {
  const current = useRef(latest)
  useEffect(() => {
    current.current = latest
  })
  return useMemo(
    () => ({
      edit: (...given) => current.current.edit(...given),
      enable: (...given) => current.current.enable(...given),
      ask: (...given) => current.current.ask(...given),
    }),
    [],
  )
}
