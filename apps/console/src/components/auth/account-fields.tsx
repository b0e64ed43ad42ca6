import { PASSWORD_LENGTH, USERNAME_MAX_LENGTH } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { Form, Input } from '../../ui/kit/index.ts'

interface Props {
  /** The namespace of the texts. */
  texts: 'register' | 'setup'
  /** The form field that repeats the password. */
  repeatName: string
}

/** Username and password of a new account, with the rules of the server. */
export function AccountFields({ texts, repeatName }: Props) {
  const { t } = useTranslation(texts)
  const first = useFirstFocus()
  return (
    <>
      <Form.Item
        name="username"
        label={t('username')}
        extra={t('usernameHint')}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: t('errors.username') },
          rule((name) => characterCount(name.trim()) <= USERNAME_MAX_LENGTH, t('errors.usernameLong')),
          rule((name) => !name.includes('@'), t('errors.usernameSigns')),
        ]}
      >
        <Input size="large" autoComplete="username" ref={first} autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('password')}
        extra={t('passwordHint')}
        validateFirst
        rules={[
          rule((password) => characterCount(password) >= PASSWORD_LENGTH.min, t('errors.password')),
          rule((password) => characterCount(password) <= PASSWORD_LENGTH.max, t('errors.passwordLong')),
        ]}
      >
        <Input.Password size="large" autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name={repeatName}
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

/** Counts code points, as the server does. */
const characterCount = (text: string) => [...text].length

function rule(isValid: (value: string) => boolean, message: string) {
  return {
    validator: (_: unknown, value: string = '') =>
      isValid(value) ? Promise.resolve() : Promise.reject(new Error(message)),
  }
}
