import type { SecondFactorNeeded, User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { errorText } from '../../../api/errors.ts'
import { readSecondFactor } from '../../../components/auth/api.ts'
import { HumanCheckWidget, useHumanCheck } from '../../../components/auth/human-check.tsx'
import { useFirstFocus } from '../../../ui/form/use-first-focus.ts'
import { Alert, Button, Form, Input } from '../../../ui/kit/index.ts'
import { useLogin, type Credentials } from '../api.ts'
import auth from '../auth.module.css'
import styles from './login.module.css'
import { findWeakness, type Weakness } from './weak-password.ts'

interface Props {
  /** Filled in for the user, or blank. */
  username: string
  onUser(user: User, weakness: Weakness | undefined): void
  onSecondFactor(needed: SecondFactorNeeded, weakness: Weakness | undefined): void
}

export function LoginForm({ username: knownName, onUser, onSecondFactor }: Props) {
  const { t } = useTranslation('login')
  const { t: human } = useTranslation('human')
  const first = useFirstFocus()
  const login = useLogin()
  const check = useHumanCheck('login')
  const [obstacle, setObstacle] = useState<'incomplete' | 'unchecked' | null>(null)

  const submit = ({ username = '', password = '' }: Partial<Credentials>) => {
    const credentials = { username: username.trim(), password }
    const isComplete = credentials.username !== '' && password !== ''
    setObstacle(!isComplete ? 'incomplete' : !check.isPassed ? 'unchecked' : null)
    if (!isComplete || !check.isPassed) return login.reset()
    login.mutate(
      { ...credentials, turnstile: check.token },
      {
        onSuccess: (user) => onUser(user, findWeakness({ ...user, password })),
        onError(error) {
          const needed = readSecondFactor(error)
          if (needed) onSecondFactor(needed, findWeakness(credentials))
          else check.renew()
        },
      },
    )
  }
  const problem = obstacle === 'incomplete' ? t('required') : login.error && errorText(login.error)
  return (
    <Form<Credentials> layout="vertical" requiredMark={false} initialValues={{ username: knownName }} onFinish={submit}>
      <Form.Item<Credentials> name="username" label={t('username')}>
        <Input
          size="large"
          autoComplete="username"
          ref={knownName === '' ? first : null}
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form.Item>
      <div className={styles.passwordRow}>
        <Form.Item<Credentials>
          name="password"
          label={t('password')}
          {...(problem && { validateStatus: 'error', help: <span role="alert">{problem}</span> })}
        >
          <Input.Password size="large" autoComplete="current-password" ref={knownName === '' ? null : first} />
        </Form.Item>
        <Link to="/reset" className={styles.forgot}>
          {t('forgot')}
        </Link>
      </div>
      <HumanCheckWidget check={check} />
      {obstacle === 'unchecked' && <Alert className={auth.notice} type="error" showIcon title={human('waiting')} />}
      <Button type="primary" htmlType="submit" size="large" block loading={login.isPending}>
        {t('submit')}
      </Button>
    </Form>
  )
}
