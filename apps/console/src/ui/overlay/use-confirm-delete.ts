import { useTranslation } from 'react-i18next'
import { App } from '../kit/index.ts'

interface Question {
  title: string
  /** Describes the data that will be deleted. */
  text: string
  onConfirm(): Promise<unknown>
}

/** Asks before a deletion. The dialog stays open until the server responds. */
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
      // A toast shows the error. The dialog closes either way.
      onOk: () => onConfirm().catch(() => {}),
    })
  }
}
