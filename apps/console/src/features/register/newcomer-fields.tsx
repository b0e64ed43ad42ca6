import { useTranslation } from 'react-i18next'
import { AccountFields } from '../../ui/account-fields.tsx'

const PASSWORD_MAXIMUM = 20

export function NewcomerFields() {
  const { t } = useTranslation('register')
  return (
    <AccountFields
      repeatName="password2"
      size="large"
      passwordMaximum={PASSWORD_MAXIMUM}
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
