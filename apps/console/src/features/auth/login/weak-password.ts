import { isRoot, type User } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { App } from '../../../ui/kit/index.ts'
import type { Credentials } from '../api.ts'

/** The initial password of older installations. */
const DEFAULT_PASSWORD = '123456'

const COMMON_PASSWORDS = new Set([
  '00000000',
  '11111111',
  '12345678',
  '123456789',
  '1234567890',
  '88888888',
  'abcd1234',
  'admin123',
  'password',
  'qwer1234',
  'qwertyui',
  'root1234',
])

export type Weakness = 'default' | 'weak'

/** Undefined unless the password is the default, a common one, or the username. */
export function findWeakness({ username, password }: Credentials): Weakness | undefined {
  const folded = password.toLowerCase()
  if (folded === DEFAULT_PASSWORD) return 'default'
  return COMMON_PASSWORDS.has(folded) || folded === username.trim().toLowerCase() ? 'weak' : undefined
}

/** Only the password of the super admin gives control over the site. */
export const threatensSite = ({ role }: Pick<User, 'role'>): boolean => isRoot(role)

const CHANGE_PASSWORD = '/app/me?tab=security&dialog=password'

/** Asks to change the password, in a dialog that stays open when the next page opens. */
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
