import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Form, Input } from '../../ui/kit/index.ts'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { useFinishWithCode } from './queries.ts'
import type { StepProps } from './second-step.tsx'
import { isExpired, stepProblem } from './step-problem.ts'

/** For those whose app is out of reach: one of the codes they once saved. */
export function RecoveryStep({ ticket, onUser, onExpired }: StepProps) {
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
    : stepProblem(finish.error, t('second.recovery_code.wrong'))
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
