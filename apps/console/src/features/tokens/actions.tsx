import { CopyOutlined } from '@ant-design/icons'
import { TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { chatLinks, type ChatLink } from '../../components/chat-links.ts'
import { useChange } from '../../components/resource/use-change.ts'
import { toast } from '../../lib/toast.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { useCopyText } from '../../ui/feedback/use-copy-text.tsx'
import { Button } from '../../ui/kit/index.ts'
import { MenuButton } from '../../ui/overlay/menu-button.tsx'
import { useConfirmDelete } from '../../ui/overlay/use-confirm-delete.ts'
import { RowButton } from '../../ui/table/row-button.tsx'
import { deleteToken, setTokenStatus, TOKENS } from './api.ts'
import { keyOf, linesOf } from './token-key.ts'
import styles from './tokens.module.css'

/** Created once for the list: hooks in each of a hundred rows would be slow. */
export interface TokenActions {
  /** The chats that can be opened with the key of this token. */
  chatsOf(token: ApiToken): ChatLink[]
  /** Shows how programs connect with the token. */
  connect(id: number): void
  edit(id: number): void
  enable(token: ApiToken): Promise<unknown>
  disable(token: ApiToken): Promise<unknown>
  /** Asks for confirmation, then deletes. */
  remove(token: ApiToken): void
}

export const TokenActionsContext = createContext<TokenActions | null>(null)

export function useActions(): TokenActions {
  const actions = useContext(TokenActionsContext)
  if (!actions) throw new Error('Rows need the actions of their list.')
  return actions
}

interface Options {
  connect(id: number): void
  edit(id: number): void
  onDeleted(id: number): void
}

export function useTokenActions({ connect, edit, onDeleted }: Options): TokenActions {
  const { t } = useTranslation('tokens')
  const { chats, server_address: serverAddress } = useStatus()
  const confirmDelete = useConfirmDelete()
  const setStatus = useChange(TOKENS, setTokenStatus)
  const removeToken = useChange(TOKENS, deleteToken)

  const become = (id: number, status: number) =>
    setStatus({ id, status }).then(
      () => toast.success(t('done')),
      () => {},
    )
  return useStableActions({
    chatsOf: (token) => chatLinks(chats, { key: keyOf(token), address: serverAddress || window.location.origin }),
    connect,
    edit,
    enable: ({ id }) => become(id, TOKEN_STATUS.enabled),
    disable: ({ id }) => become(id, TOKEN_STATUS.disabled),
    remove: ({ id, name }) =>
      confirmDelete({
        title: t('deleteTitle', { name }),
        text: t('deleteText'),
        onConfirm: async () => {
          await removeToken(id)
          toast.success(t('deleted'))
          onDeleted(id)
        },
      }),
  })
}

export function TokenActionButtons({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const actions = useActions()
  const { busy, run } = useBusy<'enable' | 'disable'>()
  const { id, name } = token
  const turn = token.status === TOKEN_STATUS.enabled ? 'disable' : 'enable'
  return (
    <span className={styles.actions}>
      <RowButton outlined label={t('actionOn.connect', { name })} onClick={() => actions.connect(id)}>
        {t('actions.connect')}
      </RowButton>
      <MenuButton
        busy={busy !== null}
        label={t('moreOf', { name })}
        items={() => [
          { key: 'edit', label: t('actions.edit'), onClick: () => actions.edit(id) },
          { key: turn, label: t(`actions.${turn}`), onClick: () => run(turn, () => actions[turn](token)) },
          ...chatItems(actions.chatsOf(token), t('actions.chat')),
          { type: 'divider' as const },
          { key: 'delete', label: t('actions.delete'), danger: true, onClick: () => actions.remove(token) },
        ]}
      />
    </span>
  )
}

/** Nothing if the operator has saved no chats. */
function chatItems(links: readonly ChatLink[], label: string) {
  if (links.length === 0) return []
  const children = links.map(({ name, address }, index) => ({
    key: `chat:${index}`,
    label: name,
    onClick: () => void window.open(address, '_blank', 'noopener,noreferrer'),
  }))
  return [{ type: 'group' as const, key: 'chat', label, children }]
}

/** Actions on the selected tokens. */
export function BatchActions({ tokens }: { tokens: readonly ApiToken[] }) {
  const { t } = useTranslation('tokens')
  const copyText = useCopyText()
  return (
    <Button
      icon={<CopyOutlined aria-hidden />}
      onClick={() => void copyText(linesOf(tokens), t('selection.copied', { count: tokens.length }))}
    >
      {t('selection.copy')}
    </Button>
  )
}
