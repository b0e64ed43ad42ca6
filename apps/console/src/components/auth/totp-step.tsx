import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Form, Input } from '../../ui/kit/index.ts'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { useFinishWithCode } from './queries.ts'
import type { StepProps } from './second-step.tsx'
import styles from './sign-in.module.css'
import { isExpired, stepProblem } from './step-problem.ts'

const DIGITS = 6

/** What the authenticator app shows. Goes off by itself once it is whole. */
export function TotpStep({ ticket, onUser, onExpired }: StepProps) {
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
  const problem = isShort ? t('second.totp.short') : typed === '' ? stepProblem(finish.error) : ''
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
