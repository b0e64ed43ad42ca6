import { useTranslation } from 'react-i18next'
import { AccountFields } from '../../../components/auth/account-fields.tsx'

export function NewcomerFields() {
  const { t } = useTranslation('register')
  return (
    <AccountFields
      repeatName="password2"
      size="large"
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
