import { useTranslation } from 'react-i18next'
import { App } from '../kit/index.ts'

interface Question {
  title: string
  /** What will be lost. */
  text: string
  onConfirm(): Promise<unknown>
}

/** Asks before something is gone. The dialog stays open until the server has answered. */
export function useConfirmDelete() {
  const { t } = useTranslation()
  const { modal } = App.useApp()
  return ({ title, text, onConfirm }: Question) => {
    modal.confirm({
      title,
      content: text,
      okText: t('delete'),
      cancelText: t('cancel'),
      okButtonProps: { danger: true },
      // A refusal has been told by a toast; the dialog closes either way, since asking again would not help.
      onOk: () => onConfirm().catch(() => {}),
    })
  }
}
