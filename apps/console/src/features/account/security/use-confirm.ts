import { useTranslation } from 'react-i18next'
import { App } from '../../../ui/kit/index.ts'

interface Question {
  title: string
  /** What will be lost. */
  text: string
  /** What happens, in a word. */
  action: string
  onConfirm(): Promise<unknown>
}

/** Asks before something ends. The dialog stays until the server has answered; a refusal is told by a toast. */
export function useConfirm() {
  const { t } = useTranslation()
  const { modal } = App.useApp()
  return ({ title, text, action, onConfirm }: Question) => {
    modal.confirm({
      title,
      content: text,
      okText: action,
      cancelText: t('cancel'),
      okButtonProps: { danger: true },
      onOk: () => onConfirm().catch(() => {}),
    })
  }
}
