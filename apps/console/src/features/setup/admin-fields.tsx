import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import type { SetupValues } from './setup-values.ts'

const PASSWORD_MINIMUM = 8
const USERNAME_MAXIMUM = 12

export function AdminFields() {
  const { t } = useTranslation('setup')
  const first = useFirstFocus()
  return (
    <>
      <Form.Item<SetupValues>
        name="username"
        label={t('username')}
        extra={t('usernameHint')}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: t('errors.username') },
          { validator: (_, value: string) => check([...value].length <= USERNAME_MAXIMUM, t('errors.usernameLong')) },
        ]}
      >
        <Input autoComplete="username" ref={first} />
      </Form.Item>
      <Form.Item<SetupValues>
        name="password"
        label={t('password')}
        extra={t('passwordHint')}
        rules={[
          {
            validator: (_, value = '') => check([...String(value)].length >= PASSWORD_MINIMUM, t('errors.password')),
          },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item<SetupValues>
        name="confirmPassword"
        label={t('confirmPassword')}
        dependencies={['password']}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_, value = '') => check(value === (getFieldValue('password') ?? ''), t('errors.mismatch')),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </>
  )
}

function check(holds: boolean, message: string): Promise<void> {
  return holds ? Promise.resolve() : Promise.reject(new Error(message))
}
