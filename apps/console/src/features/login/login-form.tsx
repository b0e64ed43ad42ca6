import type { User } from '@tidegate/contract/api'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { errorText } from '../../lib/call-error.ts'
import { HumanCheckWidget } from '../../lib/human-check/human-check-widget.tsx'
import { useHumanCheck } from '../../lib/human-check/use-human-check.ts'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import styles from './login.module.css'
import { useLogin, type Credentials } from './queries.ts'

export interface LoggedIn {
  user: User
  usedDefaultPassword: boolean
}

interface Props {
  /** Who is known to come, so that only the password is left to enter. */
  username?: string
  onLoggedIn(result: LoggedIn): void
}

export function LoginForm({ username: known = '', onLoggedIn }: Props) {
  const { t } = useTranslation('login')
  const { t: human } = useTranslation('human')
  const first = useFirstFocus()
  const login = useLogin()
  const check = useHumanCheck('login')
  const [missing, setMissing] = useState('')

  const submit = ({ username = '', password = '' }: Partial<Credentials>) => {
    const credentials = { username: username.trim(), password }
    const isComplete = credentials.username !== '' && password !== ''
    setMissing(!isComplete ? t('required') : !check.isPassed ? human('waiting') : '')
    if (!isComplete || !check.isPassed) return login.reset()
    login.mutate(
      { ...credentials, turnstile: check.token },
      {
        onSuccess: (user) => onLoggedIn({ user, usedDefaultPassword: isDefault(credentials) }),
        onError: check.renew,
      },
    )
  }
  const problem = missing || (login.error && errorText(login.error))
  return (
    <Form<Credentials> layout="vertical" requiredMark={false} initialValues={{ username: known }} onFinish={submit}>
      <Form.Item<Credentials> name="username" label={t('username')}>
        <Input
          size="large"
          autoComplete="username"
          ref={known === '' ? first : null}
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form.Item>
      <Form.Item<Credentials> name="password" label={t('password')}>
        <Input.Password size="large" autoComplete="current-password" ref={known === '' ? null : first} />
      </Form.Item>
      <div className={styles.forgot}>
        <Link to="/reset">{t('forgot')}</Link>
      </div>
      <HumanCheckWidget check={check} />
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
