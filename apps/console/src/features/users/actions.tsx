import type { ListedUser, ManageAction } from '@tidegate/contract/api'
import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { formatBalance } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { App } from '../../ui/kit/index.ts'
import { MenuButton } from '../../ui/overlay/menu-button.tsx'
import { RowButton } from '../../ui/table/row-button.tsx'
import { useManageUser } from './api.ts'
import type { StatementOrigin } from './statement-origin.ts'
import { actionsFor, STATUS_EXISTS, type UserAction } from './user-rank.ts'
import styles from './users.module.css'

/** Suspending and reactivating can be undone; all other actions need a confirmation. */
type ConfirmedAction = Exclude<ManageAction, 'enable' | 'disable'>

/** Created once for the list: hooks in each of a hundred rows would be slow. */
export interface UserActions {
  edit(id: number): void
  topUp(id: number): void
  openStatement(user: ListedUser): void
  enable(user: ListedUser): void
  disable(user: ListedUser): void
  /** Asks for confirmation, then acts. */
  confirm(user: ListedUser, action: ConfirmedAction): void
}

export const UserActionsContext = createContext<UserActions | null>(null)

export function useActions(): UserActions {
  const actions = useContext(UserActionsContext)
  if (!actions) throw new Error('Rows need the actions of their list.')
  return actions
}

export function useUserActions({ edit, topUp }: Pick<UserActions, 'edit' | 'topUp'>): UserActions {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const navigate = useNavigate()
  const { search } = useLocation()
  const manage = useManageUser()

  // Errors are shown by the query client.
  const act = (user: ListedUser, action: ManageAction, onDone: () => void) =>
    void manage({ user, action }).then(onDone, () => {})
  const turn = (user: ListedUser, action: 'enable' | 'disable', inverse: 'enable' | 'disable') =>
    act(user, action, () =>
      toast.undo(t(`turned.${action}`, { name: user.username }), () => act(user, inverse, () => {})),
    )
  return useStableActions<UserActions>({
    edit,
    topUp,
    openStatement: ({ id, username }) =>
      void navigate(`/admin/users/${id}/statement`, { state: { username, list: search } satisfies StatementOrigin }),
    enable: (user) => turn(user, 'enable', 'disable'),
    disable: (user) => turn(user, 'disable', 'enable'),
    confirm: (user, action) =>
      void modal.confirm({
        title: t(`confirm.${action}.title`, { name: user.username }),
        content: t(`confirm.${action}.text`, { balance: formatBalance(user.quota) }),
        okText: t(`confirm.${action}.ok`),
        cancelText: common('cancel'),
        okButtonProps: { danger: DANGEROUS.has(action) },
        // The dialog closes first, because the server may ask for re-authentication.
        onOk: () => act(user, action, () => toast.success(t('done'))),
      }),
  })
}

const DANGEROUS: ReadonlySet<ConfirmedAction> = new Set(['demote', 'delete', 'reset_security'])

const CONFIRMED = ['promote', 'demote', 'reset_security', 'delete'] as const satisfies ConfirmedAction[]

export function UserActionButtons({ user }: { user: ListedUser }) {
  const { t } = useTranslation('users')
  const actions = useActions()
  const offered = useOffered(user)
  const { id, username: name } = user
  if (offered.size === 0) return null
  const turn = (['enable', 'disable'] as const).find((action) => offered.has(action))
  return (
    <span className={styles.actions}>
      {offered.has('edit') && (
        <RowButton outlined label={t('actionOn.topUp', { name })} onClick={() => actions.topUp(id)}>
          {t('actions.topUp')}
        </RowButton>
      )}
      {offered.has('restore') && (
        <RowButton outlined label={t('actionOn.restore', { name })} onClick={() => actions.confirm(user, 'restore')}>
          {t('actions.restore')}
        </RowButton>
      )}
      <MenuButton
        label={t('moreOf', { name })}
        items={() => [
          ...(offered.has('edit') ? [{ key: 'edit', label: t('actions.edit'), onClick: () => actions.edit(id) }] : []),
          { key: 'statement', label: t('actions.statement'), onClick: () => actions.openStatement(user) },
          ...(turn ? [turnItem(turn)] : []),
          ...CONFIRMED.filter((action) => offered.has(action)).map((action) => ({
            key: action,
            label: t(`actions.${action}`),
            danger: action === 'delete',
            onClick: () => actions.confirm(user, action),
          })),
        ]}
      />
    </span>
  )

  function turnItem(action: 'enable' | 'disable') {
    const disabled = action === 'enable' && user.status === STATUS_EXISTS
    return { key: action, label: t(`actions.${action}`), disabled, onClick: () => actions[action](user) }
  }
}

/** The actions that the current user may take. */
export function useOffered(user: ListedUser): ReadonlySet<UserAction> {
  const viewer = useSession((session) => session.user)
  return actionsFor(viewer ?? ANONYMOUS, user)
}

const ANONYMOUS = { role: 0 }
