import { KeyOutlined } from '@ant-design/icons'
import type { SecondFactorNeeded, User } from '@tidegate/contract/api'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../api/errors.ts'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { Alert, Button, Form, Input } from '../../ui/kit/index.ts'
import { canUsePasskeys, passkeyErrorText } from '../reauth/passkeys.ts'
import { useFinishWithCode, useFinishWithPasskey } from './api.ts'
import { AuthPanel } from './auth-panel.tsx'
import styles from './auth.module.css'

type Method = SecondFactorNeeded['methods'][number]

interface Props {
  needed: SecondFactorNeeded
  onUser(user: User): void
  /** The user went back (blank reason), or has to start again for this reason. */
  onRestart(reason: string): void
}

interface StepProps extends Pick<Props, 'onUser'> {
  ticket: string
  onExpired(reason: string): void
}

const STEPS = { totp: TotpStep, recovery_code: RecoveryStep, passkey: PasskeyStep }

/** Replaces the first form of a sign-in while the account needs a second factor. */
export function SecondStep({ needed: { ticket, methods }, onUser, onRestart }: Props) {
  const { t } = useTranslation('entry')
  const usable = ORDER.filter((method) => methods.includes(method) && (method !== 'passkey' || canUsePasskeys()))
  const [chosen, setChosen] = useState<Method>(usable[0] ?? 'totp')
  const Step = STEPS[chosen]
  return (
    <AuthPanel title={t('second.title')} purpose={t(`second.${chosen}.purpose`)}>
      <Step ticket={ticket} onUser={onUser} onExpired={onRestart} />
      <div className={styles.otherMethods}>
        {usable
          .filter((method) => method !== chosen)
          .map((method) => (
            <Button key={method} type="link" onClick={() => setChosen(method)}>
              {t(`second.${method}.choose`)}
            </Button>
          ))}
        <Button type="text" onClick={() => onRestart('')}>
          {t('second.back')}
        </Button>
      </div>
    </AuthPanel>
  )
}

const ORDER: readonly Method[] = ['totp', 'passkey', 'recovery_code']

const DIGITS = 6

/** The code of the authenticator app. Submits itself with the sixth digit. */
function TotpStep({ ticket, onUser, onExpired }: StepProps) {
  const { t } = useTranslation('entry')
  const first = useFirstFocus()
  const finish = useFinishWithCode(ticket)
  const [typed, setTyped] = useState('')
  const [isShort, setShort] = useState(false)

  const submit = (code: string) => {
    setShort(code.length < DIGITS)
    if (code.length < DIGITS || finish.isPending) return
    finish.mutate(code, {
      onSuccess: (user) => onUser(user),
      onError(error) {
        if (isExpired(error)) return onExpired(error.message)
        setTyped('')
        first.current?.focus()
      },
    })
  }
  const type = (text: string) => {
    const digits = text.replaceAll(/\D/g, '').slice(0, DIGITS)
    setTyped(digits)
    setShort(false)
    if (digits.length === DIGITS && digits !== typed) submit(digits)
  }
  const problem = isShort ? t('second.totp.short') : typed === '' ? stepError(finish.error) : ''
  return (
    <Form layout="vertical" requiredMark={false} onFinish={() => submit(typed)}>
      <Form.Item
        label={t('second.totp.label')}
        htmlFor="second-code"
        {...(problem && { validateStatus: 'error', help: <span role="alert">{problem}</span> })}
      >
        <Input
          id="second-code"
          size="large"
          className={styles.code}
          ref={first}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          placeholder="······"
          value={typed}
          readOnly={finish.isPending}
          onChange={({ target }) => type(target.value)}
        />
      </Form.Item>
      <Button type="primary" htmlType="submit" size="large" block loading={finish.isPending}>
        {t('second.confirm')}
      </Button>
    </Form>
  )
}

/** A saved recovery code, for users without their app. */
function RecoveryStep({ ticket, onUser, onExpired }: StepProps) {
  const { t } = useTranslation('entry')
  const first = useFirstFocus()
  const finish = useFinishWithCode(ticket)
  const [isMissing, setMissing] = useState(false)

  const submit = ({ code = '' }: { code?: string }) => {
    setMissing(code.trim() === '')
    if (code.trim() === '' || finish.isPending) return
    finish.mutate(code.trim(), {
      onSuccess: (user) => onUser(user),
      onError(error) {
        if (isExpired(error)) return onExpired(error.message)
        first.current?.focus({ cursor: 'all' })
      },
    })
  }
  const problem = isMissing
    ? t('second.recovery_code.missing')
    : stepError(finish.error, t('second.recovery_code.wrong'))
  return (
    <Form layout="vertical" requiredMark={false} onFinish={submit}>
      <Form.Item
        name="code"
        label={t('second.recovery_code.label')}
        {...(problem && { validateStatus: 'error', help: <span role="alert">{problem}</span> })}
      >
        <Input size="large" className="mono" ref={first} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Button type="primary" htmlType="submit" size="large" block loading={finish.isPending}>
        {t('second.confirm')}
      </Button>
    </Form>
  )
}

/** Browsers show the passkey prompt only after a click. */
function PasskeyStep({ ticket, onUser, onExpired }: StepProps) {
  const { t } = useTranslation('entry')
  const button = useRef<HTMLButtonElement>(null)
  const finish = useFinishWithPasskey(ticket)
  useEffect(() => button.current?.focus(), [])
  const start = () =>
    finish.mutate(undefined, {
      onSuccess: (user) => onUser(user),
      onError: (error) => isExpired(error) && onExpired(error.message),
    })
  return (
    <>
      {finish.error && <Alert className={styles.error} type="error" showIcon title={passkeyErrorText(finish.error)} />}
      <Button
        type="primary"
        size="large"
        block
        ref={button}
        icon={<KeyOutlined aria-hidden />}
        loading={finish.isPending}
        onClick={start}
      >
        {t('second.passkey.use')}
      </Button>
    </>
  )
}

/** The sign-in took too long or had too many attempts, so no further code is accepted. */
function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'login_ticket_invalid'
}

/** The error of a step. `wrong` replaces a server message that is about another kind of code. */
function stepError(error: unknown, wrong?: string): string {
  if (error === null || isExpired(error)) return ''
  const isWrong = error instanceof ApiError && error.code === 'second_factor_wrong'
  return isWrong && wrong !== undefined ? wrong : errorText(error)
}
