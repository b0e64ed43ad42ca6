import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { forgetUser } from '../../../api/session.ts'
import { toast } from '../../../lib/toast.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { App } from '../../../ui/kit/index.ts'

interface Confirmation {
  title: string
  /** The consequences. */
  text: string
  /** The text of the button. */
  action: string
  onConfirm(): Promise<unknown>
  /** Toast after success. */
  done?: string
}

/** Confirms an action that removes something. The dialog stays open until the server responds. Errors are toasts. */
export function useConfirm() {
  const { t } = useTranslation()
  const { modal } = App.useApp()
  return ({ title, text, action, onConfirm, done }: Confirmation) => {
    modal.confirm({
      title,
      content: text,
      okText: action,
      cancelText: t('cancel'),
      okButtonProps: { danger: true },
      onOk: () =>
        onConfirm().then(
          () => done !== undefined && toast.success(done),
          () => {},
        ),
    })
  }
}

type DialogName = 'password' | 'email' | 'wechat' | 'telegram' | 'passkey' | 'automation' | 'delete'

/** A dialog whose name is in the URL, so that other pages can link to it and the back button closes it. */
export function useDialog(name: DialogName) {
  const { search, change } = useUrlState()
  return {
    isOpen: search.get('dialog') === name,
    open: () => change({ dialog: name }),
    close: () => change({ dialog: null }, { replace: true }),
  }
}

/** Opens the sign-in page after the server has ended this session. */
export function useLeaveSession() {
  const navigate = useNavigate()
  const client = useQueryClient()
  return () => {
    forgetUser('logged-out')
    void navigate('/login')
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
  }
}
