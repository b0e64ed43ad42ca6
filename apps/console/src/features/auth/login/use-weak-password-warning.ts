import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { App } from '../../../ui/kit/index.ts'
import type { Weakness } from './weak-password.ts'

const CHANGE_PASSWORD = '/app/me?tab=security&dialog=password'

/** Stays over whatever screen the login leads to, until it is answered. */
export function useWeakPasswordWarning(): (weakness: Weakness) => void {
  const { t } = useTranslation('login')
  const { modal } = App.useApp()
  const navigate = useNavigate()
  return (weakness) =>
    void modal.confirm({
      title: t(`weakPassword.${weakness}.title`),
      content: t(`weakPassword.${weakness}.text`),
      okText: t('weakPassword.action'),
      cancelText: t('weakPassword.later'),
      onOk: () => void navigate(CHANGE_PASSWORD),
    })
}
