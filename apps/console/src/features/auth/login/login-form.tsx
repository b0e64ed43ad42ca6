import type { SecondFactorNeeded, User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { errorText } from '../../../api/errors.ts'
import { HumanCheckWidget } from '../../../components/auth/human-check-widget.tsx'
import { useHumanCheck } from '../../../components/auth/use-human-check.ts'
import { secondFactorOf } from '../../../components/auth/second-factor.ts'
import { Alert, Button, Form, Input } from '../../../ui/kit/index.ts'
import { useFirstFocus } from '../../../ui/form/use-first-focus.ts'
import styles from './login.module.css'
import { useLogin, type Credentials } from './queries.ts'
import { weaknessOf, type Weakness } from './weak-password.ts'

interface Props {
  /** Who is known to come, so that only the password is left to enter. */
  username?: string
  onUser(user: User, weakness: Weakness | undefined): void
  onSecondFactor(needed: SecondFactorNeeded, weakness: Weakness | undefined): void
}

export function LoginForm({ username: known = '', onUser, onSecondFactor }: Props) {
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
        onSuccess: (user) => onUser(user, weaknessOf({ ...user, password })),
        onError(error) {
          const needed = secondFactorOf(error)
          if (needed) onSecondFactor(needed, weaknessOf(credentials))
          else check.renew()
        },
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
