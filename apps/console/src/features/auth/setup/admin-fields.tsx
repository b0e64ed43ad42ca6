import { useTranslation } from 'react-i18next'
import { AccountFields } from '../../../components/auth/account-fields.tsx'

export function AdminFields() {
  const { t } = useTranslation('setup')
  return (
    <AccountFields
      repeatName="confirmPassword"
      words={{
        username: t('username'),
        usernameHint: t('usernameHint'),
        password: t('password'),
        passwordHint: t('passwordHint'),
        repeat: t('confirmPassword'),
        errors: {
          username: t('errors.username'),
          usernameLong: t('errors.usernameLong'),
          usernameSigns: t('errors.usernameSigns'),
          passwordShort: t('errors.password'),
          passwordLong: t('errors.passwordLong'),
          mismatch: t('errors.mismatch'),
        },
      }}
    />
  )
}
