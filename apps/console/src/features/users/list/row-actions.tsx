import type { ListedUser } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../lib/session.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { RowButton } from '../../../ui/row-button.tsx'
import { useBusy } from '../../../ui/use-busy.ts'
import { StatementLink } from '../statement/statement-link.tsx'
import { actionsFor, STATUS_EXISTS } from '../user-rank.ts'
import styles from '../users.module.css'
import { useActions, type AskedAction } from './user-actions.ts'

/** Rarer and heavier actions, behind the dots. */
const IN_MENU = ['promote', 'demote', 'reset_security', 'delete'] as const satisfies AskedAction[]

export function UserActionButtons({ user }: { user: ListedUser }) {
  const { t } = useTranslation('users')
  const viewer = useSession((session) => session.user)
  const actions = useActions()
  const { busy, run } = useBusy<'enable'>()
  const { id, username: name } = user
  const offered = actionsFor(viewer ?? NOBODY, user)
  const inMenu = IN_MENU.filter((action) => offered.has(action))
  return (
    <span className={styles.actions}>
      {offered.has('enable') && (
        <RowButton
          busy={busy === 'enable'}
          disabled={user.status === STATUS_EXISTS}
          label={t('actionOn.enable', { name })}
          onClick={() => run('enable', () => actions.enable(user))}
        >
          {t('actions.enable')}
        </RowButton>
      )}
      {(['disable', 'restore'] as const).map(
        (action) =>
          offered.has(action) && (
            <RowButton key={action} label={t(`actionOn.${action}`, { name })} onClick={() => actions.ask(user, action)}>
              {t(`actions.${action}`)}
            </RowButton>
          ),
      )}
      {offered.has('edit') && (
        <RowButton main label={t('actionOn.edit', { name })} onClick={() => actions.edit(id)}>
          {t('actions.edit')}
        </RowButton>
      )}
      {offered.has('statement') && <StatementLink user={user} />}
      {inMenu.length > 0 && (
        <MenuButton
          label={t('moreOf', { name })}
          items={() =>
            inMenu.map((action) => ({
              key: action,
              label: t(`actions.${action}`),
              danger: action === 'delete',
              onClick: () => actions.ask(user, action),
            }))
          }
        >
          <span aria-hidden>···</span>
        </MenuButton>
      )}
    </span>
  )
}

const NOBODY = { role: 0 }
