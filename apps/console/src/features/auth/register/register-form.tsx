import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../../api/errors.ts'
import { HumanCheckWidget } from '../../../components/auth/human-check-widget.tsx'
import { useHumanCheck } from '../../../components/auth/use-human-check.ts'
import { statusQuery, useStatus } from '../../../api/status.ts'
import { stored } from '../../../lib/stored.ts'
import { Alert, Button, Form } from '../../../ui/kit/index.ts'
import { NewcomerFields } from './newcomer-fields.tsx'
import { EmailFields } from './email-fields.tsx'
import { useRegister } from './queries.ts'
import { FIELD_OF_REFUSAL, type RegisterValues } from './register-values.ts'
import styles from './register.module.css'

interface Props {
  onRegistered(username: string): void
}

export function RegisterForm({ onRegistered }: Props) {
  const { t } = useTranslation('register')
  const { t: human } = useTranslation('human')
  const { email_verification } = useStatus()
  const client = useQueryClient()
  const [form] = Form.useForm<RegisterValues>()
  const register = useRegister()
  const check = useHumanCheck('register')
  const [problem, setProblem] = useState('')

  const submit = (values: RegisterValues) => {
    setProblem(check.isPassed ? '' : human('waiting'))
    if (!check.isPassed) return
    const body = tidy(values)
    register.mutate(
      { query: { turnstile: check.token }, body },
      {
        onSuccess() {
          stored.inviteCode.clear()
          onRegistered(body.username)
        },
        onError: explain,
      },
    )
  }
  const explain = (error: Error) => {
    check.renew()
    const code = error instanceof ApiError ? error.code : 'unknown'
    // The operator began to verify addresses after this page was loaded.
    if (code === 'email_code_required') void client.invalidateQueries(statusQuery)
    const field = FIELD_OF_REFUSAL[code]
    if (!field) return setProblem(errorText(error))
    form.setFields([{ name: field, errors: [errorText(error)] }])
    form.scrollToField(field, { focus: true, block: 'center' })
  }
  return (
    <Form<RegisterValues>
      form={form}
      layout="vertical"
      requiredMark={false}
      onFinish={submit}
      scrollToFirstError={{ focus: true, block: 'center' }}
    >
      <NewcomerFields />
      {email_verification && <EmailFields check={check} />}
      <HumanCheckWidget check={check} />
      {problem && <Alert className={styles.notice} type="error" showIcon title={problem} />}
      <Button type="primary" htmlType="submit" size="large" block loading={register.isPending}>
        {t('submit')}
      </Button>
    </Form>
  )
}

/** People paste addresses and codes with a blank at the end; a password is theirs to the last sign. */
function tidy({ username, password, password2, email, verification_code }: RegisterValues) {
  const invite = stored.inviteCode.get()
  return {
    username: username.trim(),
    password,
    password2,
    ...(email && { email: email.trim() }),
    ...(verification_code && { verification_code: verification_code.trim() }),
    ...(invite && { aff_code: invite }),
  }
}
