import { TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { RowButton } from '../../../ui/row-button.tsx'
import { useBusy } from '../../../ui/use-busy.ts'
import styles from '../tokens.module.css'
import { useActions } from './token-actions.ts'

export function TokenActionButtons({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const actions = useActions()
  const { busy, run } = useBusy<'enable' | 'disable'>()
  const { name } = token
  const turn = token.status === TOKEN_STATUS.enabled ? 'disable' : 'enable'
  return (
    <span className={styles.actions}>
      <ChatMenu token={token} />
      <RowButton label={t('actionOn.connect', { name })} onClick={() => actions.connect(token.id)}>
        {t('actions.connect')}
      </RowButton>
      <RowButton main label={t('actionOn.edit', { name })} onClick={() => actions.edit(token.id)}>
        {t('actions.edit')}
      </RowButton>
      <RowButton
        busy={busy === turn}
        label={t(`actionOn.${turn}`, { name })}
        onClick={() => run(turn, () => actions[turn](token))}
      >
        {t(`actions.${turn}`)}
      </RowButton>
      <RowButton label={t('actionOn.delete', { name })} onClick={() => actions.remove(token)}>
        {t('actions.delete')}
      </RowButton>
    </span>
  )
}

/** Absent where the operator has saved no chats. */
function ChatMenu({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const { chatsOf } = useActions()
  const links = chatsOf(token)
  if (links.length === 0) return null
  const items = () =>
    links.map(({ name, address }, index) => ({
      key: index,
      label: name,
      onClick: () => void window.open(address, '_blank', 'noopener,noreferrer'),
    }))
  return (
    <MenuButton label={t('actionOn.chat', { name: token.name })} items={items}>
      {t('actions.chat')}
    </MenuButton>
  )
}
