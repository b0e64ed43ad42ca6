import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import type { RegisterValues } from './register-values.ts'

const USERNAME_MAXIMUM = 12
const PASSWORD_MINIMUM = 8
const PASSWORD_MAXIMUM = 20

export function AccountFields() {
  const { t } = useTranslation('register')
  const first = useFirstFocus()
  return (
    <>
      <Form.Item<RegisterValues>
        name="username"
        label={t('username')}
        extra={t('usernameHint')}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: t('errors.username') },
          rule((name) => lengthOf(name.trim()) <= USERNAME_MAXIMUM, t('errors.usernameLong')),
          rule((name) => !name.includes('@'), t('errors.usernameSigns')),
        ]}
      >
        <Input size="large" autoComplete="username" ref={first} autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item<RegisterValues>
        name="password"
        label={t('password')}
        extra={t('passwordHint')}
        validateFirst
        rules={[
          rule((password) => lengthOf(password) >= PASSWORD_MINIMUM, t('errors.password')),
          rule((password) => lengthOf(password) <= PASSWORD_MAXIMUM, t('errors.passwordLong')),
        ]}
      >
        <Input.Password size="large" autoComplete="new-password" />
      </Form.Item>
      <Form.Item<RegisterValues>
        name="password2"
        label={t('confirmPassword')}
        dependencies={['password']}
        rules={[
          ({ getFieldValue }) =>
            rule((again) => again === ((getFieldValue('password') as string | undefined) ?? ''), t('errors.mismatch')),
        ]}
      >
        <Input.Password size="large" autoComplete="new-password" />
      </Form.Item>
    </>
  )
}

/** In signs as people count them, and as the server does. */
const lengthOf = (text: string) => [...text].length

function rule(holds: (value: string) => boolean, message: string) {
  return {
    validator: (_: unknown, value: string = '') =>
      holds(value) ? Promise.resolve() : Promise.reject(new Error(message)),
  }
}
