import type { User } from '@tidegate/contract/api'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { errorText } from '../../lib/call-error.ts'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import styles from './login.module.css'
import { useLogin, type Credentials } from './queries.ts'

export interface LoggedIn {
  user: User
  usedDefaultPassword: boolean
}

interface Props {
  onLoggedIn(result: LoggedIn): void
}

export function LoginForm({ onLoggedIn }: Props) {
  const { t } = useTranslation('login')
  const first = useFirstFocus()
  const login = useLogin()
  const [isIncomplete, setIncomplete] = useState(false)

  const submit = ({ username = '', password = '' }: Partial<Credentials>) => {
    const credentials = { username: username.trim(), password }
    const missing = credentials.username === '' || password === ''
    setIncomplete(missing)
    if (missing) return login.reset()
    login.mutate(credentials, {
      onSuccess: (user) => onLoggedIn({ user, usedDefaultPassword: isDefault(credentials) }),
    })
  }
  const problem = isIncomplete ? t('required') : login.error && errorText(login.error)
  return (
    <Form<Credentials> layout="vertical" requiredMark={false} onFinish={submit}>
      <Form.Item<Credentials> name="username" label={t('username')}>
        <Input size="large" autoComplete="username" ref={first} autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item<Credentials> name="password" label={t('password')}>
        <Input.Password size="large" autoComplete="current-password" />
      </Form.Item>
      <div className={styles.forgot}>
        <Link to="/reset">{t('forgot')}</Link>
      </div>
      {problem && <Alert className={styles.notice} type="error" showIcon title={problem} />}
      <Button type="primary" htmlType="submit" size="large" block loading={login.isPending}>
        {t('submit')}
      </Button>
    </Form>
  )
}

/** The account and password that older installations started with. */
function isDefault({ username, password }: Credentials): boolean {
  return username === 'root' && password === '123456'
}
