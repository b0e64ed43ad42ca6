import { TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { createContext, useContext, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../../lib/status.ts'
import { toast } from '../../../lib/toast.ts'
import { useConfirmDelete } from '../../../ui/use-confirm-delete.ts'
import { chatLinks, type ChatLink } from '../../../lib/chat-links.ts'
import { useDeleteToken, useSetStatus } from '../mutations.ts'
import { keyOf } from '../token-words.ts'

/** What can be done with a row. Made once for the list: hooks in each of a hundred rows would be felt. */
export interface TokenActions {
  /** The chats that can be opened with the key of this token. */
  chatsOf(token: ApiToken): ChatLink[]
  /** Shows how programs connect with the token. */
  connect(id: number): void
  edit(id: number): void
  enable(token: ApiToken): Promise<unknown>
  disable(token: ApiToken): Promise<unknown>
  /** Says what will be lost, and acts after a yes. */
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
  const setStatus = useSetStatus().mutateAsync
  const removeToken = useDeleteToken().mutateAsync

  const become = (id: number, status: number) => setStatus({ id, status }).then(() => toast.success(t('done')), told)
  return useSteady({
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

/** A refusal has been told by a toast already. */
const told = () => {}

/** The same object for the life of the list, so that rows are not drawn anew whenever the page is. */
function useSteady(latest: TokenActions): TokenActions {
  const current = useRef(latest)
  useEffect(() => {
    current.current = latest
  })
  return useMemo(
    () => ({
      chatsOf: (...given) => current.current.chatsOf(...given),
      connect: (...given) => current.current.connect(...given),
      edit: (...given) => current.current.edit(...given),
      enable: (...given) => current.current.enable(...given),
      disable: (...given) => current.current.disable(...given),
      remove: (...given) => current.current.remove(...given),
    }),
    [],
  )
}
